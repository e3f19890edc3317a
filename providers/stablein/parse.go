package stablein

import (
	"crypto/sha256"
	"fmt"
	"net/http"

	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
	"onceshop/providers/signing"
	"onceshop/providers/wire"
)

// Parse reads the one event in raw, which Verify has let through. Its errors
// are payment.ErrMalformed, and payment.ErrSignature where the body's id isn't
// the header's: only the body's is signed.
func (a *Adapter) Parse(header http.Header, raw []byte) ([]payment.Event, error) {
	id, err := signing.Header(header, EventIDHeader)
	if err != nil {
		return nil, err
	}
	e, err := readEvent(raw)
	if err != nil {
		return nil, fmt.Errorf("%w: the body %w", payment.ErrMalformed, err)
	}
	if e.ID != id {
		return nil, fmt.Errorf("%w: header %s isn't the body's id", payment.ErrSignature, EventIDHeader)
	}
	return []payment.Event{e}, nil
}

func readEvent(raw []byte) (payment.Event, error) {
	e := event{kind: wire.Type(), order: newOrder()}
	if err := wire.ReadDocument(raw, &e); err != nil {
		return payment.Event{}, err
	}
	out := payment.Event{
		Provider:    Name,
		ID:          string(e.id),
		Type:        e.kind.S,
		PaymentRef:  string(e.order.id),
		OrderRef:    string(e.order.merchantOrderID),
		OccurredAt:  e.createdAt.Time,
		Fingerprint: sha256.Sum256(raw),
	}
	if e.id == "" {
		return out, wire.Faultf("has no id")
	}
	switch e.data.orderID {
	case "", e.order.id:
	default:
		if e.order.id != "" {
			return out, wire.Faultf("names two orders, in order.id and data.orderId")
		}
		out.PaymentRef = string(e.data.orderID)
	}
	out.Effect, out.Status = effectOf(out.Type)
	if e.order.revision.Given {
		out.Revision = &e.order.revision.Amount
	}
	// An amount without a currency that we know couldn't be shown.
	if _, known := payment.Exponent(e.order.currency.S); known && e.order.amount.Given {
		out.Amount, out.Currency = &e.order.amount.Amount, e.order.currency.S
	}
	return out, nil
}

// event is the document that a delivery carries.
type event struct {
	id        wire.Ref
	kind      wire.Word
	createdAt wire.Instant
	data      eventData
	order     order
}

func (e *event) Read(dec *jsontext.Decoder) error {
	return wire.Members{
		"id":        &e.id,
		"type":      &e.kind,
		"createdAt": &e.createdAt,
		"data":      &e.data,
		"order":     &e.order,
	}.Read(dec)
}

// eventData is read for the order it may name. It may also be anything else:
// StableIn's own test vector has a text there.
type eventData struct{ orderID wire.Ref }

func (d *eventData) Read(dec *jsontext.Decoder) error {
	if dec.PeekKind() != '{' {
		return wire.Skip(dec)
	}
	return wire.Members{"orderId": &d.orderID}.Read(dec)
}

// effectOf is what a type of event means. One that we don't know may mean anything:
// the record tells.
func effectOf(kind string) (payment.Effect, payment.Status) {
	switch kind {
	case "payment.pending":
		return payment.EffectAdvance, payment.Pending
	case "payment.confirming":
		return payment.EffectAdvance, payment.Confirming
	case "payment.paid":
		return payment.EffectAdvance, payment.Paid
	case "payment.failed":
		return payment.EffectAdvance, payment.Failed
	case "payment.expired":
		return payment.EffectAdvance, payment.Expired
	case "refund.completed":
		return payment.EffectRefund, ""
	}
	return payment.EffectFetch, ""
}
