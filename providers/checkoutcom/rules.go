package checkoutcom

import "onceshop/payment"

// rule says what an event of one type means, as far as it depends on the balances
// that the event may carry.
type rule func(balances) (payment.Effect, payment.Status)

// rules are the types that we act on. A type that only ever says that nothing
// changed is among them: it is known, and ignored for a better reason.
var rules = map[string]rule{
	"payment_pending":         advance(payment.Pending),
	"payment_approved":        advance(payment.Authorised),
	"payment_capture_pending": advance(payment.Confirming),
	"payment_captured":        captured,
	"payment_declined":        advance(payment.Failed),
	"payment_canceled":        advance(payment.Failed),
	"payment_cancelled":       advance(payment.Failed),
	"payment_voided":          advance(payment.Failed),
	"payment_expired":         advance(payment.Expired),

	"payment_capture_declined":          means(payment.EffectFetch),
	"payment_authorization_incremented": means(payment.EffectNone),
	"payment_void_declined":             means(payment.EffectNone),

	"payment_refunded":        refunded,
	"payment_refund_pending":  means(payment.EffectNone),
	"payment_refund_declined": means(payment.EffectNone),

	"dispute_received":           means(payment.EffectDisputeOpened),
	"dispute_evidence_required":  means(payment.EffectDisputeOpened),
	"dispute_evidence_submitted": means(payment.EffectDisputeNoted),
	"dispute_won":                means(payment.EffectDisputeWon),
	"dispute_resolved":           means(payment.EffectDisputeWon),
	"dispute_canceled":           means(payment.EffectDisputeWon),
	"dispute_cancelled":          means(payment.EffectDisputeWon),
	"dispute_arbitration_won":    means(payment.EffectDisputeWon),
	"dispute_lost":               means(payment.EffectDisputeLost),
	"dispute_expired":            means(payment.EffectDisputeLost),
	"dispute_arbitration_lost":   means(payment.EffectDisputeLost),

	// Of the older set of events.
	"payment_chargeback": means(payment.EffectDisputeOpened),
	"payment_retrieval":  means(payment.EffectNone),
}

func advance(s payment.Status) rule {
	return func(balances) (payment.Effect, payment.Status) { return payment.EffectAdvance, s }
}

func means(e payment.Effect) rule {
	return func(balances) (payment.Effect, payment.Status) { return e, "" }
}

// captured: an event's own amount is this capture's, and the order's isn't in it.
// What was authorised is: all of it captured is paid, less is a part, and where
// the balances don't tell, the record has to.
func captured(b balances) (payment.Effect, payment.Status) {
	if b.captured.Given && b.authorised.Given && b.captured.Sign() > 0 && b.captured.Cmp(b.authorised.Amount) >= 0 {
		return payment.EffectAdvance, payment.Paid
	}
	return payment.EffectFetch, ""
}

// refunded: the event's own amount is this refund's, the balances have the total.
func refunded(b balances) (payment.Effect, payment.Status) {
	if b.captured.Given && b.refunded.Given && b.refunded.Sign() > 0 {
		return payment.EffectRefund, ""
	}
	return payment.EffectFetch, ""
}
