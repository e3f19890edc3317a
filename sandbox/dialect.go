package sandbox

import (
	"crypto/sha256"
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"
)

// Dialect is what one provider adds to the engine: its API, its ids, its events
// and how it signs them. A dialect holds its own settings and no state, and is
// safe for concurrent use. See the package's documentation for how to write one.
type Dialect interface {
	Profile() Profile

	// NewRef is the provider's id of something that the engine has just made; id
	// is the engine's own. Empty: the provider has no id for such a thing.
	NewRef(of Kind, id uuid.UUID) string

	// Announce tells a change in the provider's events, in the order in which they
	// are sent: made by Change.Event, with their bodies. None: the provider says
	// nothing of it. It is called once, inside the transaction of the change, and must
	// depend on nothing else than the change.
	Announce(c Change) ([]Event, error)

	// Sign signs one attempt to send an event: it sets headers, and may change the
	// body where the provider signs or stamps that. It is called for every attempt.
	Sign(d *Dispatch) error

	// Accepts tells what a receiver's answer means to the provider.
	Accepts(status int, body []byte) Answer

	// CheckSecret refuses what can't be a webhook secret of this provider, with the
	// reason as a predicate: "must have 16 bytes". NewSecret makes up a good one.
	CheckSecret(secret string) error
	NewSecret() string

	// Routes serves the provider's API, without the prefix /<name>. Server.Serve
	// makes it.
	Routes(s *Server) http.Handler
}

// Returner is a Dialect that has more to say to the shop when the buyer comes back
// than the return URL of the request: parameters, or a place to fill in.
type Returner interface {
	ReturnURL(r Record) string
}

// Profile is what a dialect says of itself once and for all.
type Profile struct {
	Name  string // in paths, and in the database: small letters and digits
	Title string // for people

	// Retries are the waits after the first, second … attempt that was not
	// accepted. The attempt after the last wait is the last.
	Retries []time.Duration

	// Without lists actions that the provider knows nothing of: they are refused.
	// Hidden lists those that the practice API takes and pages don't offer.
	Without, Hidden []string

	// Untimed says that signatures carry no time, so that none can be stale.
	Untimed bool

	// Chain says that money comes over a chain, with blocks that confirm it, and that
	// payments are assessed for risk. Otherwise a bank confirms, once.
	Chain bool
}

// has reports whether the provider knows an action; offers, whether it gets a
// button.
func (p Profile) has(action string) bool { return !slices.Contains(p.Without, action) }

func (p Profile) offers(action string) bool {
	return p.has(action) && !slices.Contains(p.Hidden, action)
}

// Kind is what an id names.
type Kind int

// The things that providers name.
const (
	PageKind    Kind = iota // the hosted page: one per order
	IntentKind              // the payment as a whole, once an attempt was made: at most one per order
	PaymentKind             // one attempt to pay
	RefundKind
	DisputeKind
)

// Change is one change of one order.
type Change struct {
	// Before has no ID where the change made the order.
	Before, After Record
	// Word says what happened: payment.pending, payment.confirming,
	// payment.authorised, payment.paid, payment.failed, payment.expired,
	// payment.attempt_failed, payment.taken_back, refund.completed, refund.failed,
	// dispute.opened, dispute.won, dispute.lost, risk.updated. The payment words are
	// the state that the order is in now, which may be the one it was in: half of
	// the amount came, or a second payment.
	Word string
}

// Created reports whether the change made the order.
func (c Change) Created() bool { return c.Before.ID == "" }

// Event begins an event of this change; its Body is for the dialect to set.
func (c Change) Event(kind string) Event {
	id := uuid.Must(uuid.NewV7())
	return Event{
		ID: id.String(), Dialect: c.After.Dialect, OrderID: c.After.ID, Revision: c.After.Revision,
		Type: kind, CreatedAt: c.After.UpdatedAt,
	}
}

// Payment returns the attempt to pay that the change made or touched; of several,
// the newest.
func (c Change) Payment() (Payment, bool) {
	for _, p := range slices.Backward(c.After.Payments) {
		if p.ChangedIn == c.After.Revision {
			return p, true
		}
	}
	return Payment{}, false
}

// Refund returns the refund that the change made or touched.
func (c Change) Refund() (Refund, bool) {
	for _, f := range slices.Backward(c.After.Refunds) {
		if f.ChangedIn == c.After.Revision {
			return f, true
		}
	}
	return Refund{}, false
}

// Dispute returns the dispute that the change made or touched.
func (c Change) Dispute() (Dispute, bool) {
	for _, d := range slices.Backward(c.After.Disputes) {
		if d.ChangedIn == c.After.Revision {
			return d, true
		}
	}
	return Dispute{}, false
}

// Dispatch is one attempt to send an event.
type Dispatch struct {
	Event   Event     // its Body is as it was announced, or another one where a conflict is practised
	Secrets []string  // the endpoint's, newest first: one, or two while they are rotated
	At      time.Time // when it is signed
	Header  http.Header
	Body    []byte // what is sent: Event.Body until Sign changes it
}

// Answer is what a receiver's answer means.
type Answer int

// The answers.
const (
	Again    Answer = iota // not accepted: it is sent again
	Accepted               // delivered
	Refused                // not accepted, and not sent again
	Ended                  // not accepted, and nothing more is sent to this endpoint
)

// Any2xx is the usual rule: any 2xx is accepted, anything else is sent again.
func Any2xx(status int) Answer {
	if status >= 200 && status < 300 {
		return Accepted
	}
	return Again
}

// Letters makes an id of n letters out of the given ones. The same id of the
// engine always gives the same letters.
func Letters(id uuid.UUID, of Kind, alphabet string, n int) string {
	out := make([]byte, n)
	sum := sha256.Sum256(append(id[:], byte(of)))
	for i := range out {
		if i > 0 && i%len(sum) == 0 {
			sum = sha256.Sum256(sum[:])
		}
		out[i] = alphabet[int(sum[i%len(sum)])%len(alphabet)]
	}
	return string(out)
}

// Alphabets of ids.
const (
	Digits       = "0123456789"
	UpperLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	LowerLetters = "abcdefghijklmnopqrstuvwxyz"
	Base62       = Digits + UpperLetters + LowerLetters
	Base32       = LowerLetters + "234567"
)

// Hex is the engine's id as 32 letters, which ParseHex turns back: for ids of the
// provider that name the order itself.
func Hex(id string) string {
	u, err := uuid.Parse(id)
	if err != nil {
		return id
	}
	const digits = "0123456789abcdef"
	out := make([]byte, 0, 32)
	for _, b := range u {
		out = append(out, digits[b>>4], digits[b&15])
	}
	return string(out)
}
