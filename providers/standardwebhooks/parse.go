package standardwebhooks

import (
	"crypto/sha256"
	"fmt"
	"net/http"

	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
	"onceshop/providers/signing"
	"onceshop/providers/wire"
)

// Parse reads the one event in raw, which Verify has let through. Its identity is
// the message's id, which is signed.
func (a *Adapter) Parse(header http.Header, raw []byte) ([]payment.Event, error) {
	id, err := signing.Header(header, IDHeader)
	switch {
	case err != nil:
		return nil, err
	case !isID(id):
		return nil, signing.Malformed(IDHeader)
	}
	e, err := readEvent(raw)
	if err != nil {
		return nil, fmt.Errorf("%w: the body %w", payment.ErrMalformed, err)
	}
	e.ID = id
	return []payment.Event{e}, nil
}

func readEvent(raw []byte) (payment.Event, error) {
	kind := wire.Type()
	var at wire.Instant
	var data wire.Raw
	if err := wire.ReadDocument(raw, wire.Members{"type": &kind, "timestamp": &at, "data": &data}); err != nil {
		return payment.Event{}, err
	}
	e := payment.Event{
		Provider:    Name,
		Type:        kind.S,
		OccurredAt:  at.Time,
		Fingerprint: sha256.Sum256(raw),
	}
	meaning, ours := meanings[e.Type]
	if !ours {
		// A sender has events of many kinds, and what their data looks like is
		// nothing to us.
		e.Effect, e.Verdict, e.Reason = payment.EffectNone, payment.Ignored, "not a type we act on"
		return e, nil
	}
	e.Effect, e.Status = meaning.effect, meaning.status
	return e, about(&e, data.Bytes)
}

// about reads which payment the event is about. An event that doesn't say is
// accepted and belongs to none.
func about(e *payment.Event, data jsontext.Value) error {
	if data == nil || data.Kind() == 'n' {
		return nil
	}
	var paymentRef wire.Ref
	var orderRef wire.LenientText
	var amount, refunded wire.Integer
	currency := wire.Currency()
	err := wire.ReadDocument(data, wire.Members{
		"payment_ref":          &paymentRef,
		"order_ref":            &orderRef,
		"amount_minor":         &amount,
		"refunded_total_minor": &refunded,
		"currency":             &currency,
	})
	if err != nil {
		return fmt.Errorf("data %w", err)
	}
	e.PaymentRef, e.OrderRef = string(paymentRef), string(orderRef)
	// An amount without a currency that we know couldn't be shown.
	if _, known := payment.Exponent(currency.S); known && amount.Given {
		e.Amount, e.Currency = &amount.Amount, currency.S
	}
	return nil
}

// meanings are what the types of our convention do. The specification defines
// none.
var meanings = map[string]struct {
	effect payment.Effect
	status payment.Status
}{
	"payment.pending":       {payment.EffectAdvance, payment.Pending},
	"payment.confirming":    {payment.EffectAdvance, payment.Confirming},
	"payment.authorised":    {payment.EffectAdvance, payment.Authorised},
	"payment.paid":          {payment.EffectAdvance, payment.Paid},
	"payment.failed":        {payment.EffectAdvance, payment.Failed},
	"payment.expired":       {payment.EffectAdvance, payment.Expired},
	"payment.refunded":      {payment.EffectRefund, ""},
	"payment.refund_failed": {payment.EffectRefundReversed, ""},
	"payment.disputed":      {payment.EffectDisputeOpened, ""},
	"payment.dispute_won":   {payment.EffectDisputeWon, ""},
	"payment.dispute_lost":  {payment.EffectDisputeLost, ""},
}
