package payment

import (
	"context"
	"errors"
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
)

// NotAssessed is the risk of a provider that has no risk data: it allows.
func NotAssessed() Risk {
	return Risk{Decision: DecisionAllow, ServiceStatus: ServiceEnabled, ChainEnforcement: ChainAllowed}
}

// Snapshot is the provider's own current record of one payment, fetched from
// its API: the only thing that changes an order (promise 4).
type Snapshot struct {
	Ref           string // the provider's reference of the payment
	OrderRef      string // what we called the order when we created the payment
	Revision      Amount // the provider's counter; zero where it has none
	Status        Status
	RefundStatus  RefundStatus
	Amount        Amount // asked for
	Received      Amount // arrived so far; more than Amount is a surplus
	Refunded      Amount // given back so far, a running total
	Currency      string
	Confirmations int
	Risk          Risk
	UpdatedAt     time.Time // zero: not stated
}

// Event is one notification of a provider, read after its signature held. It
// is a hint that something happened; the snapshot tells what (promise 4).
type Event struct {
	Provider    string
	ID          string    // the provider's identity of the event
	Type        string    // the provider's word, e.g. "payment.paid"
	PaymentRef  string    // which payment; empty if the event names none
	OrderRef    string    // our order, if the event repeats it
	Revision    *Amount   // nil where the provider has no revisions
	OccurredAt  time.Time // zero: not stated
	Fingerprint [32]byte  // equal for repeats of the same content (promise 3)
	KeyID       string    // which of our secrets verified it; never the secret
}

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
	// ErrSignature and ErrStale.
	Verify(header http.Header, raw []byte, now time.Time) (keyID string, err error)
	// Parse reads the events in raw: at least one, or ErrMalformed, or
	// ErrSignature where header and body disagree.
	Parse(header http.Header, raw []byte) ([]Event, error)
}

// Fetcher reads the provider's current record of a payment.
type Fetcher interface {
	Fetch(ctx context.Context, ref string) (Snapshot, error)
}

// Creator asks the provider for a hosted payment.
type Creator interface {
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
