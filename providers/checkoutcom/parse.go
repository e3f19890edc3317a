package checkoutcom

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
	"onceshop/providers/wire"
)

// Parse reads the one event in raw, which Verify has let through. Its errors are
// payment.ErrMalformed.
func (a *Adapter) Parse(_ http.Header, raw []byte) ([]payment.Event, error) {
	e, err := readEvent(raw)
	if err != nil {
		return nil, fmt.Errorf("%w: the body %w", payment.ErrMalformed, err)
	}
	return []payment.Event{e}, nil
}

func readEvent(raw []byte) (payment.Event, error) {
	var (
		id             wire.Ref
		kind           = wire.Type()
		created, stamp wire.Instant
		data           wire.Raw
	)
	err := wire.ReadDocument(raw, wire.Members{
		"id": &id, "type": &kind, "created_on": &created, "timestamp": &stamp, "data": &data,
	})
	if err == nil && id == "" {
		err = wire.Faultf("has no id")
	}
	if err != nil {
		return payment.Event{}, err
	}
	e := payment.Event{
		Provider: Name, ID: string(id), Type: kind.S, OccurredAt: created.Time, Fingerprint: fingerprint(kind.S, data.Bytes),
	}
	if created.IsZero() {
		e.OccurredAt = stamp.Time
	}
	rule, known := rules[kind.S]
	if !known {
		// What it is about may have any form.
		e.Effect, e.Verdict, e.Reason = payment.EffectNone, payment.Ignored, "not a type we act on"
		return e, nil
	}
	d := eventData{currency: wire.Currency()}
	if len(data.Bytes) > 0 && data.Bytes.Kind() != 'n' {
		if err := wire.ReadDocument(data.Bytes, &d); err != nil {
			return e, wire.Faultf("has data that can't be read: %v", err)
		}
	}
	if e.PaymentRef, err = d.payment(kind.S); err != nil {
		return e, err
	}
	e.OrderRef = string(d.order(kind.S))
	e.Currency = d.currency.S
	if d.amount.Given {
		if amount, err := units.From(d.amount.Amount, d.currency.S); err == nil {
			e.Amount = &amount
		}
	}
	e.Effect, e.Status = rule(d.balances)
	if e.Effect == payment.EffectNone {
		e.Verdict, e.Reason = payment.Ignored, kind.S+" changes nothing"
	}
	return e, nil
}

// fingerprint is of what an event says: its type and its data, whose white space
// doesn't count. What stands beside them, as links, may differ between deliveries.
func fingerprint(kind string, data []byte) [sha256.Size]byte {
	h := sha256.New()
	h.Write([]byte(kind))
	h.Write([]byte{0})
	h.Write(data)
	return [sha256.Size]byte(h.Sum(nil))
}

// eventData is what an event is about: a payment, or a dispute that names its
// payment.
type eventData struct {
	id, paymentID               wire.Ref
	reference, paymentReference wire.LenientText // other applications' too, in whatever form
	amount                      whole
	currency                    wire.Word
	balances                    balances
}

func (d *eventData) Read(dec *jsontext.Decoder) error {
	return wire.Members{
		"id":                &d.id,
		"payment_id":        &d.paymentID,
		"reference":         &d.reference,
		"payment_reference": &d.paymentReference,
		"amount":            &d.amount,
		"currency":          &d.currency,
		"balances":          &d.balances,
	}.Read(dec)
}

// payment is the id of the payment. A payment event's data is the payment; a
// dispute's names it, and so may the older events about one.
func (d *eventData) payment(kind string) (string, error) {
	switch {
	case isDispute(kind) || d.id == "":
		return string(d.paymentID), nil
	case d.paymentID == "" || d.paymentID == d.id:
		return string(d.id), nil
	case isPaymentID(string(d.id)):
		return "", wire.Faultf("names two payments, in data.id and data.payment_id")
	}
	return string(d.paymentID), nil
}

func (d *eventData) order(kind string) wire.LenientText {
	if isDispute(kind) || d.reference == "" {
		return d.paymentReference
	}
	return d.reference
}

func isDispute(kind string) bool { return strings.HasPrefix(kind, "dispute_") }

// isPaymentID tells Checkout.com's ids of payments from references of ours.
func isPaymentID(ref string) bool { return strings.HasPrefix(ref, "pay_") }
