package standardwebhooks

import (
	"github.com/go-json-experiment/json/jsontext"

	"onceshop/sandbox"
)

// paymentJSON is a payment as the API answers it. The engine's words for where things
// stand are the convention's.
type paymentJSON struct {
	PaymentRef    string         `json:"payment_ref"`
	OrderRef      string         `json:"order_ref"`
	Status        string         `json:"status"`
	Amount        jsontext.Value `json:"amount_minor"`
	Received      jsontext.Value `json:"received_minor"`
	RefundedTotal jsontext.Value `json:"refunded_total_minor"`
	Currency      string         `json:"currency"`
	Refunds       []refundJSON   `json:"refunds"`
	Disputes      []disputeJSON  `json:"disputes"`
	UpdatedAt     string         `json:"updated_at"`
}

type refundJSON struct {
	RefundRef string         `json:"refund_ref"`
	Amount    jsontext.Value `json:"amount_minor"`
	Status    string         `json:"status"`
}

type disputeJSON struct {
	DisputeRef string         `json:"dispute_ref"`
	Amount     jsontext.Value `json:"amount_minor"`
	Reason     string         `json:"reason,omitzero"`
	Status     string         `json:"status"`
}

func paymentOf(r sandbox.Record) paymentJSON {
	out := paymentJSON{
		PaymentRef: paymentRef(r), OrderRef: r.PageRef, Status: string(r.Status), Amount: number(r.Amount), Received: number(r.Received),
		RefundedTotal: number(r.Refunded), Currency: r.Currency, Refunds: []refundJSON{}, Disputes: []disputeJSON{},
		UpdatedAt: r.UpdatedAt.UTC().Format(timeLayout),
	}
	for _, f := range r.Refunds {
		out.Refunds = append(out.Refunds, refundOf(f))
	}
	for _, d := range r.Disputes {
		out.Disputes = append(out.Disputes, disputeJSON{d.Ref, number(d.Amount), d.Reason, string(d.Status)})
	}
	return out
}

func refundOf(f sandbox.Refund) refundJSON {
	return refundJSON{f.Ref, number(f.Amount), string(f.Status)}
}
