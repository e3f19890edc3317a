package payment

import (
	"context"
	"errors"
	"net/http"
	"time"
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
	// Fold takes the order reference, or the provider's own where the payment isn't one
	// of ours.
	Fold(ref string, events []Event) (Snapshot, error)
	// Began is the order reference under which the payment began that the provider knows
	// by ref: later events of it may carry another. told: events tell of its beginning.
	Began(ref string, events []Event) (orderRef string, told bool, err error)
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
	// ErrKeyUsed comes along with ErrLater: the provider has had another request under
	// the idempotency key. What that came to the answer doesn't tell, so nothing was
	// refused, and the same request will never be taken.
	ErrKeyUsed = errors.New("the idempotency key was used for another request")
)
