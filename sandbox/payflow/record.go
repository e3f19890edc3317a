package payflow

import (
	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
	"onceshop/sandbox"
)

// recordJSON is a payment as the API answers it.
type recordJSON struct {
	OrderID       string         `json:"orderId"`
	Amount        jsontext.Value `json:"amount"`
	Currency      string         `json:"currency"`
	Status        string         `json:"status"`
	Received      jsontext.Value `json:"received"`
	RefundedTotal jsontext.Value `json:"refundedTotal"`
	Refunds       []partJSON     `json:"refunds"`
	Disputes      []partJSON     `json:"disputes"`
	UpdatedAt     int64          `json:"updatedAt"`
}

// partJSON is a refund or a dispute.
type partJSON struct {
	ID     string         `json:"id"`
	Amount jsontext.Value `json:"amount"`
	Status string         `json:"status"`
}

// PayFlow's words for where things stand.
var (
	statuses = map[payment.Status]string{
		payment.Pending: "pending", payment.Confirming: "processing", payment.Authorised: "authorized",
		payment.Paid: "success", payment.Failed: "failed", payment.Expired: "expired",
	}
	refundStates = map[payment.RefundState]string{
		payment.RefundPending: "pending", payment.RefundDone: "success", payment.RefundFailed: "failed",
	}
)

func recordOf(r sandbox.Record) recordJSON {
	out := recordJSON{
		OrderID: r.PageRef, Amount: number(r.Amount), Currency: r.Currency, Status: statuses[r.Status], Received: number(r.Received),
		RefundedTotal: number(r.Refunded), Refunds: []partJSON{}, Disputes: []partJSON{}, UpdatedAt: r.UpdatedAt.Unix(),
	}
	for _, f := range r.Refunds {
		out.Refunds = append(out.Refunds, partJSON{f.Ref, number(f.Amount), refundStates[f.Status]})
	}
	for _, d := range r.Disputes {
		out.Disputes = append(out.Disputes, partJSON{d.Ref, number(d.Amount), string(d.Status)})
	}
	return out
}
