package sandbox

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"onceshop/database"
	"onceshop/payment"
)

// errUnchanged lets a decision end without a change.
var errUnchanged = errors.New("nothing to change")

// change takes an order to its next revision: order, events and deliveries are
// one transaction, so that every revision was announced and nothing else was.
// faults, if given, are those of the deliveries this change causes.
func (s *Server) change(ctx context.Context, id string, faults *Faults, decide decision) (r Record, events []Event, err error) {
	err = database.InTx(ctx, s.db, func(tx *sql.Tx) error {
		r, err = lockRecord(ctx, tx, id)
		if err != nil {
			return err
		}
		r, events, err = s.advance(ctx, tx, r, faults, decide)
		return err
	})
	if err != nil {
		return r, events, err
	}
	s.committed(r.Order, events)
	return r, events, nil
}

// advance does the work of change on a record that tx holds locked.
func (s *Server) advance(ctx context.Context, tx *sql.Tx, r Record, faults *Faults, decide decision) (Record, []Event, error) {
	d, err := s.dialect(r.Dialect)
	if err != nil {
		return r, nil, err
	}
	now, err := databaseNow(ctx, tx)
	if err != nil {
		return r, nil, err
	}
	next, word, err := decide(r, now)
	if err != nil {
		return r, nil, err
	}
	next.Revision, next.UpdatedAt = r.Revision+1, now
	if next, err = named(next, d, now); err != nil {
		return r, nil, err
	}
	if err := store(ctx, tx, next); err != nil {
		return r, nil, err
	}
	events, err := announce(ctx, tx, d, Change{r, next, word}, faults)
	return next, events, err
}

// announce writes an order's newest revision, its events and their deliveries.
func announce(ctx context.Context, tx *sql.Tx, d Dialect, c Change, faults *Faults) ([]Event, error) {
	if err := insertRevision(ctx, tx, c.After, c.Word); err != nil {
		return nil, err
	}
	events, err := d.Announce(c)
	if err != nil {
		return nil, err
	}
	times := map[string]int{}
	for i := range events {
		e := &events[i]
		if times[e.Type]++; times[e.Type] > 1 {
			e.Type += " " + strconv.Itoa(times[e.Type]) // events of one revision are told apart by their types
		}
		if err := insertEvent(ctx, tx, *e); err != nil {
			return nil, err
		}
		if err := enqueue(ctx, tx, *e, faults); err != nil {
			return nil, err
		}
	}
	return events, nil
}

// committed is called when a change can no longer be undone.
func (s *Server) committed(o Order, events []Event) {
	s.log.Info("order changed", "dialect", o.Dialect, "order", o.ID, "revision", o.Revision, "status", o.Status, "events", len(events))
	s.deliveries.Wake()
}

// life is how long an order may wait for its money.
type life struct{ usual, soonest, latest time.Duration }

// check sets the end of an order that names none, and refuses one out of bounds.
func (l life) check(o *Order, now time.Time, usual time.Duration) error {
	if o.ExpiresAt.IsZero() {
		o.ExpiresAt = now.Add(cmp.Or(l.usual, usual))
		return nil
	}
	switch in := o.ExpiresAt.Sub(now); {
	case in <= 0:
		return Invalid("expiresAt", "must be in the future")
	case in < l.soonest:
		return Invalid("expiresAt", "must be at least "+l.soonest.String()+" from now")
	case l.latest > 0 && in > l.latest:
		return Invalid("expiresAt", "must be at most "+l.latest.String()+" from now")
	}
	return nil
}

// create makes an order, or finds the one that the same key made before, and
// returns it as it was made.
func (s *Server) create(ctx context.Context, key string, o Order, life life) (Record, error) {
	hash, err := requestHash(o.MerchantOrderID, o.Amount, o.Currency, o.Description, o.ReturnURL, o.CancelURL, o.ExpiresAt.UTC(), string(o.Extra))
	if err != nil {
		return Record{}, err
	}
	d, err := s.dialect(o.Dialect)
	if err != nil {
		return Record{}, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return Record{}, err
	}
	o.ID, o.PageRef = id.String(), cmp.Or(o.PageRef, d.NewRef(PageKind, id))
	o.Revision, o.Status, o.RefundStatus = 1, payment.Pending, payment.NotRefunded
	r := Record{Order: o}
	var events []Event
	err = database.InTx(ctx, s.db, func(tx *sql.Tx) error {
		now, err := databaseNow(ctx, tx)
		if err != nil {
			return err
		}
		if err := life.check(&r.Order, now, s.orderTTL); err != nil {
			return err
		}
		r.CreatedAt, r.UpdatedAt, r.Risk = now, now, initialRisk(now, s.riskValidity)
		if err := insertOrder(ctx, tx, r.Order, key, hash); err != nil {
			return err
		}
		events, err = announce(ctx, tx, d, Change{After: r, Word: statusEvent(o)}, nil)
		return err
	})
	// A known key decides before anything else is looked at: the repetition of
	// a request may come when its expiresAt has passed.
	if known, knownErr := s.createdBy(ctx, o.Dialect, key, hash, err); knownErr != nil || known.ID != "" {
		return known, knownErr
	}
	if database.IsDuplicate(err) { // no key has that order, so another key's has its page's name
		return Record{}, conflict("REFERENCE_TAKEN", "another payment has this reference")
	}
	if err != nil {
		return Record{}, err
	}
	s.committed(r.Order, events)
	return r, nil
}

// createdBy looks for the order that a key made, after creating another one
// under it was refused.
func (s *Server) createdBy(ctx context.Context, dialect, key string, hash [32]byte, refused error) (Record, error) {
	_, ours := errors.AsType[*Error](refused)
	if !ours && !database.IsDuplicate(refused) {
		return Record{}, nil
	}
	var id string
	var stored []byte
	err := s.db.QueryRowContext(ctx,
		"SELECT id, request_hash FROM pay_orders WHERE idempotency_key = ? AND dialect = ?", key, dialect).Scan(&id, &stored)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return Record{}, nil
	case err != nil:
		return Record{}, err
	case string(stored) != string(hash[:]):
		return Record{}, keyReused()
	}
	return revisionOf(ctx, s.db, id, 1)
}

// requestHash tells two requests apart by what they mean, not by their blanks.
func requestHash(parts ...any) ([32]byte, error) {
	b, err := json.Marshal(parts)
	return sha256.Sum256(b), err
}
