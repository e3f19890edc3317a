package payment

import "time"

// Event is one notification of a provider, read after its signature held. It
// is a hint that something happened; the snapshot tells what (promise 4).
type Event struct {
	Provider   string
	ID         string    // the provider's identity of the event
	Type       string    // the provider's word, e.g. "payment.paid"
	PaymentRef string    // which payment; empty if the event names none
	OrderRef   string    // our order, if the event repeats it
	Revision   *Amount   // nil where the provider has no revisions
	OccurredAt time.Time // zero: not stated
	// Alias is a second identity that the sender gave without signing it; empty: none.
	// Known with another content it is a conflict; unknown it means nothing.
	Alias       string
	Fingerprint [32]byte // equal for repeats of the same content (promise 3)
	KeyID       string   // which of our secrets verified it; never the secret

	// Effect is what the provider documents this event to mean. Adapters decide by it
	// what to ignore, and their tests hold it against the mapping. A snapshot without any
	// refund or dispute is behind an event that tells of one; nothing else changes by it.
	Effect Effect
	// Status is the state of the payment that the event claims; empty: none. A
	// snapshot that hasn't got there yet is behind the event.
	Status Status
	// Amount and Currency are what the event is about, as it says: for people to
	// read, and for snapshots that are folded from events.
	Amount   *Amount
	Currency string
	// Verdict is set where the event alone decides what becomes of it, with the
	// reason: ignored, or needs_review. The provider isn't asked then.
	Verdict Verdict
	Reason  string
}

// Effect is what an event does to a payment, in the words of the providers'
// mapping files. The record of the provider decides in the end.
type Effect string

// The effects of events.
const (
	EffectAdvance          Effect = "advance"           // the payment may have moved on
	EffectAttemptFailed    Effect = "attempt_failed"    // one attempt failed; the payment stays open
	EffectRefund           Effect = "refund"            // money went back
	EffectRefundReversed   Effect = "refund_reverse"    // a refund counted before did not happen
	EffectRefundUncaptured Effect = "refund_uncaptured" // money that was only reserved was given back
	EffectDisputeOpened    Effect = "dispute_open"
	EffectDisputeNoted     Effect = "dispute_info"
	EffectDisputeWon       Effect = "dispute_won"
	EffectDisputeLost      Effect = "dispute_lost"
	EffectFetch            Effect = "fetch" // nothing can be said without the record
	EffectNone             Effect = "info"  // stored and answered; changes nothing
)

// AfterPaid tells whether the event may be about money that has arrived already:
// given back, or disputed.
func (e Effect) AfterPaid() bool {
	switch e {
	case EffectRefund, EffectRefundReversed, EffectDisputeOpened, EffectDisputeNoted, EffectDisputeWon, EffectDisputeLost, EffectFetch:
		return true
	}
	return false
}
