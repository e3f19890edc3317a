package payment

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"time"
)

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

// Assessed is a word about the risk, empty where it stands for no assessment.
func Assessed(word string) string {
	if word == Unassessed {
		return ""
	}
	return word
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
	parts := []string{s.Ref, s.Revision.String(), string(s.Status), string(s.RefundStatus), s.Currency, s.Amount.String(),
		s.Received.String(), s.Refunded.String(), s.Reversed.String(), s.TakenBack.String()}
	disputes := slices.SortedFunc(slices.Values(s.Disputes), func(a, b Dispute) int { return cmp.Compare(a.Ref, b.Ref) })
	for _, d := range disputes {
		parts = append(parts, d.Ref, d.Amount.String(), string(d.Status))
	}
	for _, part := range parts {
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
