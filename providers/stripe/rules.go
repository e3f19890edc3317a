package stripe

import (
	"cmp"

	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
	"onceshop/providers/wire"
)

// rule is what events of one type do.
type rule struct {
	object string // what they are about
	effect payment.Effect
	status payment.Status // claimed by an advance
	// when decides where the type alone doesn't.
	when func(*object) (payment.Effect, payment.Status)
}

// The objects of events.
const (
	ofSession = "checkout.session"
	ofIntent  = "payment_intent"
	ofCharge  = "charge"
	ofRefund  = "refund"
	ofDispute = "dispute"
)

// rules are the types that we act on, and those that we know to change nothing.
var rules = map[string]rule{
	"checkout.session.completed":               {object: ofSession, when: whenCompleted},
	"checkout.session.async_payment_succeeded": {object: ofSession, effect: payment.EffectAdvance, status: payment.Paid},
	"checkout.session.async_payment_failed":    {object: ofSession, effect: payment.EffectAdvance, status: payment.Failed},
	"checkout.session.expired":                 {object: ofSession, effect: payment.EffectAdvance, status: payment.Expired},

	"payment_intent.created":                   {object: ofIntent, effect: payment.EffectNone},
	"payment_intent.requires_action":           {object: ofIntent, effect: payment.EffectNone},
	"payment_intent.partially_funded":          {object: ofIntent, effect: payment.EffectNone},
	"payment_intent.processing":                {object: ofIntent, effect: payment.EffectAdvance, status: payment.Confirming},
	"payment_intent.amount_capturable_updated": {object: ofIntent, effect: payment.EffectAdvance, status: payment.Authorised},
	"payment_intent.succeeded":                 {object: ofIntent, when: whenCaptured},
	"payment_intent.payment_failed":            {object: ofIntent, effect: payment.EffectAttemptFailed},
	"payment_intent.canceled":                  {object: ofIntent, when: whenCancelled},

	"charge.succeeded": {object: ofCharge, effect: payment.EffectNone},
	"charge.captured":  {object: ofCharge, when: whenCaptured},
	"charge.expired":   {object: ofCharge, effect: payment.EffectAdvance, status: payment.Expired},
	"charge.failed":    {object: ofCharge, effect: payment.EffectAttemptFailed},
	"charge.refunded":  {object: ofCharge, effect: payment.EffectRefund},

	"refund.created":        {object: ofRefund, effect: payment.EffectNone},
	"refund.updated":        {object: ofRefund, effect: payment.EffectFetch},
	"refund.failed":         {object: ofRefund, effect: payment.EffectRefundReversed},
	"charge.refund.updated": {object: ofRefund, effect: payment.EffectNone},

	"charge.dispute.created":          {object: ofDispute, effect: payment.EffectDisputeOpened},
	"charge.dispute.updated":          {object: ofDispute, when: whenDisputeUpdated},
	"charge.dispute.funds_withdrawn":  {object: ofDispute, effect: payment.EffectDisputeNoted},
	"charge.dispute.funds_reinstated": {object: ofDispute, effect: payment.EffectDisputeNoted},
	"charge.dispute.closed":           {object: ofDispute, when: whenDisputeClosed},

	"radar.early_fraud_warning.created": {object: "radar.early_fraud_warning", effect: payment.EffectNone},
}

func whenCompleted(o *object) (payment.Effect, payment.Status) {
	switch o.paymentStatus.S {
	case "paid":
		return payment.EffectAdvance, payment.Paid
	case "no_payment_required":
		if o.total.Sign() == 0 {
			return payment.EffectAdvance, payment.Paid
		}
	case "unpaid":
		return payment.EffectAdvance, payment.Pending
	}
	return payment.EffectFetch, ""
}

// whenCaptured claims no more than the object shows: of a part captured, the record
// will never be paid.
func whenCaptured(o *object) (payment.Effect, payment.Status) {
	for _, captured := range []wire.Integer{o.captured, o.received} {
		if captured.Given && captured.Cmp(o.amount.Amount) < 0 {
			return payment.EffectFetch, ""
		}
	}
	return payment.EffectAdvance, payment.Paid
}

func whenCancelled(o *object) (payment.Effect, payment.Status) {
	if endedByTime(o.cancelled.S) {
		return payment.EffectAdvance, payment.Expired
	}
	return payment.EffectAdvance, payment.Failed
}

func whenDisputeUpdated(o *object) (payment.Effect, payment.Status) {
	if o.status.S == "prevented" {
		return payment.EffectDisputeWon, ""
	}
	return payment.EffectDisputeNoted, ""
}

func whenDisputeClosed(o *object) (payment.Effect, payment.Status) {
	switch o.status.S {
	case "won", "warning_closed", "prevented":
		return payment.EffectDisputeWon, ""
	case "lost":
		return payment.EffectDisputeLost, ""
	}
	return payment.EffectFetch, ""
}

// object is what an event is about: one of five kinds, which use a name for one
// thing only. Only what has been stable over the versions of the API is read,
// because the account's version, not ours, decides how events are written.
type object struct {
	id                                wire.Ref
	name, status, paymentStatus       wire.Word
	cancelled                         wire.Word
	amount, total, captured, received wire.Integer
	currency                          wire.Word
	clientReference                   wire.LenientText
	metadata                          metadata
	intent, charge                    link
}

func newObject() object {
	return object{
		name: wire.Word{Max: 100}, status: wire.State(), paymentStatus: wire.State(), cancelled: wire.Word{Max: 64}, currency: wire.Currency(),
	}
}

func (o *object) Read(dec *jsontext.Decoder) error {
	return wire.Members{
		"id":                  &o.id,
		"object":              &o.name,
		"status":              &o.status,
		"payment_status":      &o.paymentStatus,
		"cancellation_reason": &o.cancelled,
		"amount":              &o.amount,
		"amount_total":        &o.total,
		"amount_captured":     &o.captured,
		"amount_received":     &o.received,
		"currency":            &o.currency,
		"client_reference_id": &o.clientReference,
		"metadata":            &o.metadata,
		"payment_intent":      &o.intent,
		"charge":              &o.charge,
	}.Read(dec)
}

// paymentRef is what Fetch can be asked for: the intent where the object names one,
// else its charge, else itself.
func (o *object) paymentRef() string {
	for _, ref := range []wire.Ref{o.intent.id, o.charge.id, o.id} {
		if ref != "" {
			return string(ref)
		}
	}
	return ""
}

func (o *object) orderRef() string { return string(cmp.Or(o.clientReference, o.metadata.orderRef)) }

// money is what the object is about, nil in a currency that isn't in the table.
func (o *object) money() (*payment.Amount, string) {
	n := o.amount
	if o.total.Given {
		n = o.total
	}
	code := currencyOf(o.currency.S)
	amount, err := money(n, code)
	if err != nil {
		return nil, ""
	}
	return &amount, code
}
