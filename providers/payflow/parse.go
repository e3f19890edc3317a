package payflow

import (
	"crypto/sha256"
	"fmt"
	"net/http"

	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
	"onceshop/providers/wire"
)

// Parse reads the one event in raw, which Verify has let through.
func (a *Adapter) Parse(_ http.Header, raw []byte) ([]payment.Event, error) {
	var e event
	err := wire.ReadDocument(raw, &e)
	if err == nil && e.id == "" {
		err = wire.Faultf("has no eventId")
	}
	if err != nil {
		return nil, fmt.Errorf("%w: the body %w", payment.ErrMalformed, err)
	}
	out := payment.Event{
		Provider:    Name,
		ID:          string(e.id),
		Type:        e.kind.S,
		PaymentRef:  string(e.orderID),
		OrderRef:    string(e.orderID),
		OccurredAt:  e.timestamp.Time,
		Fingerprint: e.fingerprint(),
	}
	if e.amount.Given {
		out.Amount, out.Currency = &e.amount.Amount, a.currency
	}
	if out.Effect, out.Status = effectOf(out.Type); out.Effect == payment.EffectNone {
		out.Verdict, out.Reason = payment.Ignored, "not a type we act on"
	}
	return []payment.Event{out}, nil
}

// event is the document that a delivery carries.
type event struct {
	id            wire.Ref
	kind          wire.Word
	orderID       wire.Ref
	amount        wire.Integer
	refundAmount  wire.Integer
	refundedTotal wire.Integer
	timestamp     wire.Seconds
}

func (e *event) Read(dec *jsontext.Decoder) error {
	e.kind = wire.Type()
	return wire.Members{
		"eventId":       &e.id,
		"event":         &e.kind,
		"orderId":       &e.orderID,
		"amount":        &e.amount,
		"refundAmount":  &e.refundAmount,
		"refundedTotal": &e.refundedTotal,
		"timestamp":     &e.timestamp,
	}.Read(dec)
}

// fingerprint covers what the event is about and not when it was sent: a retry may
// be stamped again. None of the parts can have a line's end in it, and an absent
// number isn't 0.
func (e *event) fingerprint() [32]byte {
	number := func(n wire.Integer) string {
		if !n.Given {
			return ""
		}
		return n.String()
	}
	h := sha256.New()
	for _, part := range []string{e.kind.S, string(e.orderID), number(e.amount), number(e.refundAmount), number(e.refundedTotal)} {
		fmt.Fprintln(h, part)
	}
	return [32]byte(h.Sum(nil))
}

// effectOf is what a type of event means.
func effectOf(kind string) (payment.Effect, payment.Status) {
	switch kind {
	case "payment.pending":
		return payment.EffectAdvance, payment.Pending
	case "payment.processing":
		return payment.EffectAdvance, payment.Confirming
	case "payment.authorized":
		return payment.EffectAdvance, payment.Authorised
	case "payment.success":
		return payment.EffectAdvance, payment.Paid
	case "payment.failed":
		return payment.EffectAttemptFailed, ""
	case "payment.expired":
		return payment.EffectAdvance, payment.Expired
	case "refund.success":
		return payment.EffectRefund, ""
	case "dispute.opened":
		return payment.EffectDisputeOpened, ""
	case "dispute.won":
		return payment.EffectDisputeWon, ""
	case "dispute.lost":
		return payment.EffectDisputeLost, ""
	}
	return payment.EffectNone, ""
}
