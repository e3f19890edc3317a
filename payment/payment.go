package payment

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// Status is where a payment stands, in the provider's view.
type Status string

// The payment states. A payment moves forward through them and may skip any;
// Failed and Expired are overtaken by money that arrives late.
const (
	Pending    Status = "pending"    // asked for, nothing certain yet
	Confirming Status = "confirming" // the provider has it and waits
	Authorised Status = "authorised" // money is reserved, not taken: nothing may be delivered
	Paid       Status = "paid"       // the whole amount has arrived
	Failed     Status = "failed"     // ended without money
	Expired    Status = "expired"    // ended by time
	Cancelled  Status = "cancelled"  // of orders only: a person ended it
)

// RefundStatus tells how much of a payment was given back.
type RefundStatus string

// The refund states, in the order in which they may follow one another.
const (
	NotRefunded       RefundStatus = "none"
	PartiallyRefunded RefundStatus = "partial"
	FullyRefunded     RefundStatus = "full"
)

// RefundStatusOf tells how much of what was asked for has gone back, for providers
// that tell amounts and no word. What has arrived doesn't matter: more may follow, and
// a full refund never becomes a partial one.
func RefundStatusOf(refunded, asked Amount) RefundStatus {
	switch {
	case refunded.Sign() <= 0:
		return NotRefunded
	case refunded.Cmp(asked) < 0:
		return PartiallyRefunded
	}
	return FullyRefunded
}

// Risk is what a provider says about delivering against a payment. The words
// are kept as they came: only the known good ones allow anything.
type Risk struct {
	Decision         string     // allow, review, deny
	ServiceStatus    string     // enabled, suspended
	ChainEnforcement string     // allowed, blocked
	AssessedAt       *time.Time // nil: not stated
	ValidUntil       *time.Time // nil: no end stated
}

// The risk words that allow a delivery.
const (
	DecisionAllow  = "allow"
	ServiceEnabled = "enabled"
	ChainAllowed   = "allowed"
	// Unassessed stands for "not assessed by this provider: allowed". No provider
	// sends it; an adapter that passes words on has to drop it.
	Unassessed = "unassessed"
)

// NotAssessed is the risk of a provider that has no risk data: it allows.
func NotAssessed() Risk {
	return Risk{Decision: Unassessed, ServiceStatus: Unassessed, ChainEnforcement: Unassessed}
}

// Snapshot is the provider's own current record of one payment, fetched from
// its API: the only thing that changes an order (promise 4).
//
// A payment is what Create asked for, one hosted page, even where a provider has
// a record of its own for every attempt made on it: the snapshot then tells of all
// of them together, under the reference that Create returned.
type Snapshot struct {
	Ref           string // the provider's reference of the payment, as Create returned it
	OrderRef      string // what we called the order when we created the payment
	Revision      Amount // the provider's counter; zero where it has none
	Status        Status
	RefundStatus  RefundStatus
	Amount        Amount    // asked for
	Received      Amount    // arrived so far; more than Amount is a surplus
	Refunded      Amount    // given back so far, a running total
	Reversed      Amount    // refunds that were counted once and came back to us, a running total
	TakenBack     Amount    // money that had arrived and was taken back by the provider, a running total
	Refunds       []Refund  // the single refunds, where the provider tells of them
	Disputes      []Dispute // what the buyer's bank disputes; questions without consequences aren't among them
	Currency      string
	Confirmations int
	Risk          Risk
}

// Digest stands for what a snapshot claims about money and state. Two that claim
// the same, at the same revision, have the same digest.
func (s Snapshot) Digest() [32]byte {
	h := sha256.New()
	for _, part := range []string{s.Ref, s.Revision.String(), string(s.Status), string(s.RefundStatus), s.Currency, s.Amount.String(),
		s.Received.String(), s.Refunded.String(), s.Reversed.String(), s.TakenBack.String()} {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return [32]byte(h.Sum(nil))
}

// Refund is one refund, a fact of its own beside the payment's total.
type Refund struct {
	Ref    string // the provider's reference of the refund
	Amount Amount
	Status RefundState
}

// RefundState is where one refund stands.
type RefundState string

// The states of a refund.
const (
	RefundPending RefundState = "pending" // asked for; it may count already
	RefundDone    RefundState = "done"
	RefundFailed  RefundState = "failed" // never happened, or came back to us
)

// Dispute is money that a buyer's bank claims back, a fact of its own.
type Dispute struct {
	Ref    string // the provider's reference of the dispute
	Amount Amount
	Reason string // the provider's word; may be empty
	Status DisputeStatus
}

// DisputeStatus is where a dispute stands, or all disputes of a payment together.
type DisputeStatus string

// The states of a dispute. Won and lost aren't final everywhere: an arbitration
// may turn them.
const (
	NotDisputed DisputeStatus = "none"
	DisputeOpen DisputeStatus = "open" // licenses are suspended until it ends
	DisputeWon  DisputeStatus = "won"
	DisputeLost DisputeStatus = "lost" // the money is gone
)

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

	// Effect is what the provider documents this event to mean.
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

// Creation asks a provider for a hosted payment.
type Creation struct {
	IdempotencyKey string // the same key again returns the same payment
	OrderRef       string
	Amount         Amount
	Currency       string
	Description    string
	ReturnURL      string
	CancelURL      string
	ExpiresAt      time.Time
}

// Created is a hosted payment: its reference and where to send the buyer.
type Created struct {
	Ref string
	URL string
}

// Verifier checks and reads what arrives at a webhook route. Verify is called
// first, over the exact bytes; Parse sees only what Verify let through.
type Verifier interface {
	// Verify returns the id of the secret that signed raw. Its errors are
	// ErrSignature and ErrStale, and ErrMalformed where the timestamp is in a body
	// that can't be read although its signature holds.
	Verify(header http.Header, raw []byte, now time.Time) (keyID string, err error)
	// Parse reads the events in raw: at least one, or ErrMalformed, or
	// ErrSignature where header and body disagree. The events of one delivery are
	// stored together or not at all.
	Parse(header http.Header, raw []byte) ([]Event, error)
}

// Fetcher reads the provider's current record of a payment.
type Fetcher interface {
	Fetch(ctx context.Context, ref string) (Snapshot, error)
}

// Folder makes the snapshot of a payment from the stored, verified events of one
// order reference, for a provider that can't be asked. events are all that are
// stored, in no particular order; the same set always gives the same snapshot.
type Folder interface {
	Fold(ref string, events []Event) (Snapshot, error)
}

// Refunder gives money back. The same key again refunds nothing more. Success means
// that the provider has taken the request; what became of it, events and snapshots
// tell.
type Refunder interface {
	Refund(ctx context.Context, idempotencyKey, ref string, amount Amount, reason string) error
}

// Creator asks the provider for a hosted payment.
type Creator interface {
	// Takes tells whether the provider can be asked for this much of this
	// currency, exactly: providers count in minor units of their own.
	Takes(m Money) bool
	Create(ctx context.Context, c Creation) (Created, error)
}

// What can be wrong with a webhook.
var (
	ErrSignature = errors.New("invalid signature")
	ErrStale     = errors.New("timestamp more than 300 s off")
	ErrMalformed = errors.New("not one unambiguous event")
)

// What can go wrong when a provider is asked. Adapters wrap these, so that
// callers decide by errors.Is: later is worth a retry, the others are not.
var (
	ErrLater        = errors.New("the provider can't answer now")
	ErrRefused      = errors.New("the provider refused the request")
	ErrUnauthorised = errors.New("the provider refused our credentials")
	ErrNotFound     = errors.New("the provider doesn't know this payment")
)
