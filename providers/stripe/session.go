package stripe

import (
	"cmp"

	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
	"onceshop/providers/wire"
)

// session is a Checkout Session: one hosted page, and so one payment.
type session struct {
	id                    wire.Ref
	object, mode          wire.Word
	status, paymentStatus wire.Word
	total                 wire.Integer
	currency              wire.Word
	clientReference       wire.LenientText
	metadata              metadata
	intent                intent
	url                   wire.Word
	live                  wire.Bool
}

func newSession() session {
	return session{
		object: wire.State(), mode: wire.State(), status: wire.State(), paymentStatus: wire.State(), currency: wire.Currency(),
		intent: newIntent(), url: wire.Address(),
	}
}

func (s *session) Read(dec *jsontext.Decoder) error {
	return wire.Members{
		"id":                  &s.id,
		"object":              &s.object,
		"mode":                &s.mode,
		"status":              &s.status,
		"payment_status":      &s.paymentStatus,
		"amount_total":        &s.total,
		"currency":            &s.currency,
		"client_reference_id": &s.clientReference,
		"metadata":            &s.metadata,
		"payment_intent":      &s.intent,
		"url":                 &s.url,
		"livemode":            &s.live,
	}.Read(dec)
}

// intent is a PaymentIntent: what is charged for a session, over all attempts.
type intent struct {
	link
	object            wire.Word
	status, cancelled wire.Word
	amount, received  wire.Integer
	currency          wire.Word
	charge            charge
	metadata          metadata
	live              wire.Bool
}

func newIntent() intent {
	return intent{object: wire.State(), status: wire.State(), cancelled: wire.Word{Max: 64}, currency: wire.Currency()}
}

func (i *intent) Read(dec *jsontext.Decoder) error {
	i.into = wire.Members{
		"object":              &i.object,
		"status":              &i.status,
		"cancellation_reason": &i.cancelled,
		"amount":              &i.amount,
		"amount_received":     &i.received,
		"currency":            &i.currency,
		"latest_charge":       &i.charge,
		"metadata":            &i.metadata,
		"livemode":            &i.live,
	}
	return i.link.Read(dec)
}

// charge is one attempt at an intent. Only the latest can have succeeded.
type charge struct {
	link
	intent   link
	refunded wire.Integer
	disputed wire.Bool
}

func (c *charge) Read(dec *jsontext.Decoder) error {
	c.into = wire.Members{"payment_intent": &c.intent, "amount_refunded": &c.refunded, "disputed": &c.disputed}
	return c.link.Read(dec)
}

// alone is an intent without a session, as a session of its own: it is open until
// the intent has ended.
func (i *intent) alone() session {
	s := newSession()
	s.id, s.object.S, s.mode.S, s.status.S, s.paymentStatus.S = i.id, "checkout.session", "payment", "open", "unpaid"
	s.total, s.currency, s.intent, s.live = i.amount, i.currency, *i, i.live
	return s
}

// orderRef is what we called the order.
func (s *session) orderRef() string {
	return string(cmp.Or(s.clientReference, s.metadata.orderRef, s.intent.metadata.orderRef))
}

// check demands what every answer about a session has to have.
func (s *session) check(live bool) error {
	i := &s.intent
	switch {
	case s.id == "":
		return wire.Faultf("has no id")
	case s.object.S != "checkout.session":
		return wire.Faultf("is not about a Checkout Session")
	case s.live.Given && s.live.True != live, i.live.Given && i.live.True != live:
		return wire.Faultf("is of the other mode, test or live")
	case s.status.S == "":
		return wire.Faultf("has no status")
	case s.paymentStatus.S == "":
		return wire.Faultf("has no payment_status")
	case i.id == "":
		return nil
	case !i.whole:
		return wire.Faultf("has its payment_intent as an id only")
	case i.status.S == "":
		return wire.Faultf("has a payment_intent without a status")
	case !i.received.Given:
		return wire.Faultf("has a payment_intent without amount_received")
	case i.currency.S != s.currency.S:
		return wire.Faultf("has a payment_intent in another currency")
	}
	return nil
}

// state tells where the payment stands. Money comes first: what was captured, what
// is reserved and what is under way outweigh that the page was closed. A word
// that we don't know is passed on, and a person looks at it.
func (s *session) state() (payment.Status, error) {
	i := &s.intent
	paid := s.paymentStatus.S == "paid"
	switch {
	case i.id == "" && s.total.Sign() == 0 && (paid || s.paymentStatus.S == "no_payment_required"):
		// We never ask for nothing, so a person will see another amount than ours.
		return payment.Paid, nil
	case i.id == "" && paid:
		return "", wire.Faultf("is paid and has no payment_intent")
	case i.id == "":
		return s.unpaid(), nil
	}
	switch i.status.S {
	case "succeeded":
		if i.received.Cmp(s.total.Amount) < 0 {
			return payment.Authorised, nil // a part of what was reserved is all that was taken
		}
		return payment.Paid, nil
	case "requires_capture":
		return payment.Authorised, nil
	}
	if paid {
		return "", wire.Faultf("is paid and its payment_intent isn't")
	}
	switch i.status.S {
	case "processing":
		return payment.Confirming, nil
	case "canceled":
		if s.status.S == "expired" || endedByTime(i.cancelled.S) {
			return payment.Expired, nil
		}
		return payment.Failed, nil
	case "requires_payment_method":
		if s.status.S == "complete" {
			return payment.Failed, nil // the page is done, so nobody can try again
		}
		return s.unpaid(), nil
	case "requires_confirmation", "requires_action":
		return s.unpaid(), nil
	}
	return payment.Status(i.status.S), nil
}

// unpaid is the state of a page on which nothing is under way.
func (s *session) unpaid() payment.Status {
	switch s.status.S {
	case "open", "complete":
		return payment.Pending
	case "expired":
		return payment.Expired
	}
	return payment.Status(s.status.S)
}

// endedByTime tells whether an intent was cancelled because nobody paid.
func endedByTime(reason string) bool {
	return reason == "expired" || reason == "automatic" || reason == "abandoned"
}

// single tells whether the session is of a single payment.
func (s *session) single() bool { return s.mode.S == "" || s.mode.S == "payment" }
