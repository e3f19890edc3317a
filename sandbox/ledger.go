package sandbox

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"onceshop/database"
	"onceshop/payment"
)

// decision is a change of one order: what it becomes and the event's type.
type decision func(o Order, now time.Time) (Order, string, error)

// errUnchanged lets a decision end without a change.
var errUnchanged = errors.New("nothing to change")

// change takes an order to its next revision: order, event and deliveries are
// one transaction, so that every revision was announced and nothing else was.
// faults, if given, are those of the deliveries this change causes.
func (s *Server) change(ctx context.Context, id string, faults *Faults, decide decision) (o Order, e Event, err error) {
	err = database.InTx(ctx, s.db, func(tx *sql.Tx) error {
		o, err = lockOrder(ctx, tx, id)
		if err != nil {
			return err
		}
		o, e, err = advance(ctx, tx, o, faults, decide)
		return err
	})
	if err != nil {
		return o, e, err
	}
	s.committed(o, e)
	return o, e, nil
}

// advance does the work of change on an order that tx holds locked.
func advance(ctx context.Context, tx *sql.Tx, o Order, faults *Faults, decide decision) (Order, Event, error) {
	now, err := databaseNow(ctx, tx)
	if err != nil {
		return o, Event{}, err
	}
	next, word, err := decide(o, now)
	if err != nil {
		return o, Event{}, err
	}
	next.Revision, next.UpdatedAt = o.Revision+1, now
	if err := updateOrder(ctx, tx, next); err != nil {
		return o, Event{}, err
	}
	e, err := announce(ctx, tx, next, word, faults)
	return next, e, err
}

// announce writes the event of an order's newest revision and its deliveries.
func announce(ctx context.Context, tx *sql.Tx, o Order, word string, faults *Faults) (Event, error) {
	e, err := newEvent(o, word)
	if err != nil {
		return e, err
	}
	if err := insertEvent(ctx, tx, e); err != nil {
		return e, err
	}
	return e, enqueue(ctx, tx, e, faults)
}

// committed is called when a change can no longer be undone.
func (s *Server) committed(o Order, e Event) {
	s.log.Info("order changed", "order", o.ID, "revision", o.Revision, "event", e.ID, "type", e.Type)
	s.deliveries.Wake()
}

// create makes an order, or finds the one that the same key made before. The
// event of revision 1 holds the answer for both.
func (s *Server) create(ctx context.Context, key string, o Order) (Event, error) {
	hash, err := requestHash(o.MerchantOrderID, o.Amount, o.Currency, o.Description, o.ReturnURL, o.CancelURL, o.ExpiresAt.UTC())
	if err != nil {
		return Event{}, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return Event{}, err
	}
	o.ID, o.Revision, o.Status, o.RefundStatus = id.String(), 1, payment.Pending, payment.NotRefunded
	var e Event
	err = database.InTx(ctx, s.db, func(tx *sql.Tx) error {
		now, err := databaseNow(ctx, tx)
		if err != nil {
			return err
		}
		if o.ExpiresAt.IsZero() {
			o.ExpiresAt = now.Add(s.orderTTL)
		}
		if !o.ExpiresAt.After(now) {
			return invalid("expiresAt", "must be in the future")
		}
		o.CreatedAt, o.UpdatedAt, o.Risk = now, now, initialRisk(now, s.riskValidity)
		if err := insertOrder(ctx, tx, o, key, hash); err != nil {
			return err
		}
		e, err = announce(ctx, tx, o, statusEvent(o), nil)
		return err
	})
	// A known key decides before anything else is looked at: the repetition of
	// a request may come when its expiresAt has passed.
	if known, knownErr := s.createdBy(ctx, key, hash, err); knownErr != nil || known.ID != "" {
		return known, knownErr
	}
	if err != nil {
		return Event{}, err
	}
	s.committed(o, e)
	return e, nil
}

// createdBy looks for the order that a key made, after creating another one
// under it was refused.
func (s *Server) createdBy(ctx context.Context, key string, hash [32]byte, refused error) (Event, error) {
	_, ours := errors.AsType[*Error](refused)
	if !ours && !database.IsDuplicate(refused) {
		return Event{}, nil
	}
	var id string
	var stored []byte
	err := s.db.QueryRowContext(ctx,
		"SELECT id, request_hash FROM pay_orders WHERE idempotency_key = ?", key).Scan(&id, &stored)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return Event{}, nil
	case err != nil:
		return Event{}, err
	case string(stored) != string(hash[:]):
		return Event{}, keyReused()
	}
	return revisionEvent(ctx, s.db, id, 1)
}

// requestHash tells two requests apart by what they mean, not by their blanks.
func requestHash(parts ...any) ([32]byte, error) {
	b, err := json.Marshal(parts)
	return sha256.Sum256(b), err
}
