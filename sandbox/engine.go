package sandbox

import (
	"cmp"
	"context"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"onceshop/payment"
)

// The functions of this file are what dialects' APIs are made of.

// NewOrder is a request for a hosted payment, in the engine's words.
type NewOrder struct {
	Dialect     string
	Key         string // the same key with the same request is the same order; empty: every request is a new one
	PageRef     string // the provider's id of the page where the merchant chooses it, used once; empty: NewRef makes it
	MerchantRef string
	Amount      payment.Amount // in the minor units of payment.Exponent
	Currency    string         // in capitals
	Description string         // optional
	ReturnURL   string
	CancelURL   string        // optional
	ExpiresAt   time.Time     // zero: after TTL
	TTL         time.Duration // of an order that names no expiry; zero: the platform's default
	Soonest     time.Duration // from now to ExpiresAt, at least; looked at for new orders only
	Latest      time.Duration // from now to ExpiresAt, at most; zero: no bound
	Extra       []byte        // what the dialect wants back with the order, in its own form
}

// Create makes an order, or finds the one that the same key made before, and
// returns it as it was made.
func (s *Server) Create(ctx context.Context, n NewOrder) (Record, error) {
	o := Order{
		Dialect: n.Dialect, MerchantOrderID: n.MerchantRef, Amount: n.Amount, Currency: n.Currency,
		PageRef: n.PageRef, Description: n.Description, ReturnURL: n.ReturnURL, CancelURL: n.CancelURL, Extra: n.Extra,
		ExpiresAt: n.ExpiresAt.Truncate(time.Microsecond),
	}
	if err := o.check(); err != nil {
		return Record{}, err
	}
	key, err := keyFor(n.Key)
	if err != nil {
		return Record{}, err
	}
	return s.create(ctx, key, o, life{n.TTL, n.Soonest, n.Latest})
}

// Kept reads what a dialect gave as Extra, as JSON. What was made otherwise has none,
// and then nothing is read.
func Kept[T any](extra []byte) (v T) {
	_ = json.Unmarshal(extra, &v) // written by the dialect
	return v
}

// keyFor makes a key up for a request without one.
func keyFor(key string) (string, error) {
	if len(key) > 255 {
		return "", Invalid("idempotency key", "must have at most 255 bytes")
	}
	return cmp.Or(key, "none-"+uuid.NewString()), nil
}

// Get returns an order of a dialect by any id of its provider's, or by the
// engine's, as the API shows it: one revision old while the API is behind.
func (s *Server) Get(ctx context.Context, dialect, ref string) (Record, error) {
	id, err := s.referred(ctx, dialect, ref)
	if err != nil {
		return Record{}, err
	}
	return s.seen(ctx, id)
}

// seen returns a record as the API shows it.
func (s *Server) seen(ctx context.Context, id string) (Record, error) {
	f, err := generalFaults(ctx, s.db)
	if err != nil {
		return Record{}, err
	}
	r, err := findRecord(ctx, s.db, id)
	if err == nil && f.APIBehind && r.Revision > 1 {
		return revisionOf(ctx, s.db, id, r.Revision-1)
	}
	return r, err
}

// NewRefund is a request to give money back, in the engine's words.
type NewRefund struct {
	Dialect   string
	Ref       string // of the order, by any id of its provider's
	PaymentID string // of the attempt to give back, by the engine's id; empty: of whichever has it
	Key       string // the same key with the same request is the same refund; empty: every request is a new one
	Amount    payment.Amount
	All       bool // all there is, instead of Amount
	Reason    string
	Extra     []byte // what the dialect wants back with the refund, in its own form
}

// Refund gives money back, or finds what the same key gave back before, and
// returns the refund with the record as that refund left it.
func (s *Server) Refund(ctx context.Context, n NewRefund) (Refund, Record, error) {
	id, err := s.referred(ctx, n.Dialect, n.Ref)
	if err != nil {
		return Refund{}, Record{}, err
	}
	key, err := keyFor(n.Key)
	if err != nil {
		return Refund{}, Record{}, err
	}
	f, r, _, err := s.refund(ctx, refundOf{
		orderID: id, paymentID: n.PaymentID, key: key, all: n.All, amount: n.Amount, reason: n.Reason, extra: n.Extra,
	}, nil)
	return f, r, err
}

// Act does with an order what a merchant or the provider would: one of Actions but
// refund. The amount may be left out.
func (s *Server) Act(ctx context.Context, dialect, ref, action string, amount *payment.Amount) (Record, error) {
	id, err := s.referred(ctx, dialect, ref)
	if err != nil {
		return Record{}, err
	}
	body := actionJSON{Amount: amount}
	if action == "refund" || body.decide(action) == nil {
		return Record{}, NotFound("action")
	}
	r, _, err := s.act(ctx, id, action, body)
	return r, err
}

// Window selects a page of a dialect's things, newest first.
type Window struct {
	Dialect     string
	From, To    time.Time // when they were made, both included; zero: open
	Changed     bool      // of orders: From and To are about their last change, and the oldest change comes first
	MerchantRef string    // of this order only; empty: of all
	Order       string    // of this order only, by any id of its provider's; empty: of all
	PaymentID   string    // of refunds and disputes: of this attempt only, by the engine's id; empty: of all
	After       string    // only what is older than the thing with this id of the engine's; with Changed: what comes behind it at From, and later
	Skip, Limit int
}

// Found is one thing that List found, in its order.
type Found struct {
	Record
	Payment *Payment // of PaymentKind
	Refund  *Refund  // of RefundKind
	Dispute *Dispute // of DisputeKind
}

// List returns a page of orders (PageKind; of IntentKind are those that were tried to
// pay), attempts to pay, refunds or disputes, each as the API shows it. While the API is
// behind, what is newer than what it shows is left out.
func (s *Server) List(ctx context.Context, of Kind, w Window) ([]Found, error) {
	ids, err := s.list(ctx, of, w)
	if err != nil {
		return nil, err
	}
	var found []Found
	for _, id := range ids {
		r, err := s.seen(ctx, id.order)
		if err != nil {
			return nil, err
		}
		f := Found{Record: r}
		there := of == PageKind || of == IntentKind && r.IntentRef != ""
		for i := range r.Payments {
			if of == PaymentKind && r.Payments[i].ID == id.thing {
				f.Payment, there = &r.Payments[i], true
			}
		}
		for i := range r.Refunds {
			if of == RefundKind && r.Refunds[i].ID == id.thing {
				f.Refund, there = &r.Refunds[i], true
			}
		}
		for i := range r.Disputes {
			if of == DisputeKind && r.Disputes[i].ID == id.thing {
				f.Dispute, there = &r.Disputes[i], true
			}
		}
		if there {
			found = append(found, f)
		}
	}
	return found, nil
}
