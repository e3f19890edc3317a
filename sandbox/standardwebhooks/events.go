package standardwebhooks

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
	"onceshop/sandbox"
)

// message is the body of a delivery.
type message struct {
	Type      string `json:"type"`
	Timestamp string `json:"timestamp"`
	Data      data   `json:"data"`
}

type data struct {
	PaymentRef    string         `json:"payment_ref"`
	OrderRef      string         `json:"order_ref"`
	Amount        jsontext.Value `json:"amount_minor"`
	Currency      string         `json:"currency"`
	RefundedTotal jsontext.Value `json:"refunded_total_minor,omitzero"`
}

// number is an amount as a JSON number.
func number(a payment.Amount) jsontext.Value { return jsontext.Value(a.String()) }

// types are those of what happened.
var types = map[string]string{
	"payment.pending":    "payment.pending",
	"payment.confirming": "payment.confirming",
	"payment.authorised": "payment.authorised",
	"payment.paid":       "payment.paid",
	"payment.failed":     "payment.failed",
	"payment.expired":    "payment.expired",
	"refund.completed":   "payment.refunded",
	"refund.failed":      "payment.refund_failed",
	"dispute.opened":     "payment.disputed",
	"dispute.won":        "payment.dispute_won",
	"dispute.lost":       "payment.dispute_lost",
}

// timeLayout has all digits, so that equal times are equal bytes.
const timeLayout = "2006-01-02T15:04:05.000000Z"

// Announce tells of a change by one message, or by none.
func (*Dialect) Announce(c sandbox.Change) ([]sandbox.Event, error) {
	kind, known := types[c.Word]
	if !known {
		return nil, nil
	}
	e, r := c.Event(kind), c.After
	m := message{kind, e.CreatedAt.UTC().Format(timeLayout), data{
		PaymentRef: paymentRef(r), OrderRef: r.PageRef, Amount: number(r.Amount), Currency: r.Currency,
	}}
	if _, ok := c.Refund(); ok {
		m.Data.RefundedTotal = number(r.Refunded)
	}
	var err error
	e.Body, err = json.Marshal(m)
	return []sandbox.Event{e}, err
}
