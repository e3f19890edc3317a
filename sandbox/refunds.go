package sandbox

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"onceshop/database"
	"onceshop/payment"
)

// refundOf is a request to give money back.
type refundOf struct {
	orderID   string
	paymentID string // of which attempt; empty: of whichever has it
	key       string
	all       bool // all there is, instead of amount
	single    bool // the provider refunds one attempt at a time
	amount    payment.Amount
	reason    string
	extra     []byte
}

// refund gives money back, or finds what the same key gave back before; then the
// record is as that refund left it. The key is looked up under the order's lock: a
// repetition of "all of it" must not be told that there is nothing left. A zero
// amount is not "all of it".
func (s *Server) refund(ctx context.Context, q refundOf, faults *Faults) (f Refund, r Record, events []Event, err error) {
	hash, err := requestHash(q.orderID, q.amount, q.reason, q.paymentID, q.all, string(q.extra))
	if err != nil {
		return f, r, nil, err
	}
	var repeated bool
	err = database.InTx(ctx, s.db, func(tx *sql.Tx) error {
		if r, err = lockRecord(ctx, tx, q.orderID); err != nil {
			return err
		}
		if f, repeated, err = findRefund(ctx, tx, r.Dialect, q.key, hash); err != nil {
			return err
		}
		if repeated {
			if r, err = revisionOf(ctx, tx, f.OrderID, f.Revision); err != nil {
				return err
			}
			f, _ = r.refundMade()
			events, err = selectEvents(ctx, tx, "WHERE order_id = ? AND revision = ? ORDER BY seq", r.ID, r.Revision)
			return err
		}
		q.single = !s.profile(r.Dialect).Chain
		r, events, err = s.advance(ctx, tx, r, faults, func(r Record, _ time.Time) (Record, string, error) {
			return r.refund(q)
		})
		if err != nil {
			return err
		}
		f, _ = r.refundMade()
		err = insertRefund(ctx, tx, r.Dialect, f, q.key, hash)
		if database.IsDuplicate(err) { // taken this moment, for another order
			return keyReused()
		}
		return err
	})
	if err == nil && !repeated {
		s.committed(r.Order, events)
	}
	return f, r, events, err
}

// refundMade is the refund that made the record's revision.
func (r Record) refundMade() (Refund, bool) {
	i := slices.IndexFunc(r.Refunds, func(f Refund) bool { return f.Revision == r.Revision })
	if i < 0 {
		return Refund{}, false
	}
	return r.Refunds[i], true
}

const refundColumns = "id, ref, order_id, payment_id, revision, changed_in, amount, reason, extra, status, created_at, updated_at"

func scanRefund(row interface{ Scan(...any) error }, f *Refund, more ...any) error {
	return row.Scan(append([]any{&f.ID, (*optional)(&f.Ref), &f.OrderID, (*optional)(&f.PaymentID), &f.Revision, &f.ChangedIn,
		&f.Amount, &f.Reason, &f.Extra, &f.Status, &f.CreatedAt, &f.UpdatedAt}, more...)...)
}

func findRefund(ctx context.Context, tx *sql.Tx, dialect, key string, hash [32]byte) (f Refund, found bool, err error) {
	var stored []byte
	err = scanRefund(tx.QueryRowContext(ctx, "SELECT "+refundColumns+`, request_hash
		FROM pay_refunds WHERE idempotency_key = ? AND dialect = ?`, key, dialect), &f, &stored)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return f, false, nil
	case err == nil && string(stored) != string(hash[:]):
		return f, false, keyReused()
	}
	return f, err == nil, err
}

func insertRefund(ctx context.Context, tx *sql.Tx, dialect string, f Refund, key string, hash [32]byte) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO pay_refunds (dialect, idempotency_key, request_hash, `+refundColumns+`)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, dialect, key, hash[:],
		f.ID, optional(f.Ref), f.OrderID, optional(f.PaymentID), f.Revision, f.ChangedIn,
		f.Amount, f.Reason, f.Extra, f.Status, f.CreatedAt, f.UpdatedAt)
	return err
}
