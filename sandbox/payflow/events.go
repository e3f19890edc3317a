package payflow

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
	"onceshop/sandbox"
)

// event is the body of a delivery.
type event struct {
	EventID       string         `json:"eventId"`
	Event         string         `json:"event"`
	OrderID       string         `json:"orderId"`
	Amount        jsontext.Value `json:"amount"`
	Timestamp     int64          `json:"timestamp"`
	RefundAmount  jsontext.Value `json:"refundAmount,omitzero"`
	RefundedTotal jsontext.Value `json:"refundedTotal,omitzero"`
}

// number is an amount as a JSON number.
func number(a payment.Amount) jsontext.Value { return jsontext.Value(a.String()) }

// words are PayFlow's for what happened.
var words = map[string]string{
	"payment.pending":        "payment.pending",
	"payment.confirming":     "payment.processing",
	"payment.authorised":     "payment.authorized",
	"payment.paid":           "payment.success",
	"payment.failed":         "payment.failed",
	"payment.expired":        "payment.expired",
	"payment.attempt_failed": "payment.failed",
	"refund.completed":       "refund.success",
	"dispute.opened":         "dispute.opened",
	"dispute.won":            "dispute.won",
	"dispute.lost":           "dispute.lost",
}

// Announce tells every change by one event.
func (*Dialect) Announce(c sandbox.Change) ([]sandbox.Event, error) {
	word, known := words[c.Word]
	if !known {
		return nil, nil
	}
	e := c.Event(word)
	body := event{
		EventID: "pf_evt_" + sandbox.Hex(e.ID), Event: word, OrderID: c.After.PageRef, Amount: number(c.After.Amount), Timestamp: e.CreatedAt.Unix(),
	}
	if f, ok := c.Refund(); ok {
		body.RefundAmount, body.RefundedTotal = number(f.Amount), number(c.After.Refunded)
	}
	var err error
	e.Body, err = json.Marshal(body)
	return []sandbox.Event{e}, err
}
