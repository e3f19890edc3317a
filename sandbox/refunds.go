package sandbox

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/google/uuid"

	"onceshop/database"
	"onceshop/payment"
)

// Refund is money given back, once per idempotency key.
type Refund struct {
	ID        string
	OrderID   string
	Revision  uint64 // of the order, made by this refund
	Amount    payment.Amount
	Reason    string
	CreatedAt time.Time
}

// refund gives money back, or finds what the same key gave back before. The
// key is looked up under the order's lock: a repetition of "all of it" must not
// be told that there is nothing left. A zero amount is not "all of it".
func (s *Server) refund(ctx context.Context, orderID, key string, amount payment.Amount, reason string, faults *Faults) (r Refund, e Event, err error) {
	hash, err := requestHash(orderID, amount, reason)
	if err != nil {
		return r, e, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return r, e, err
	}
	var o Order
	var repeated bool
	err = database.InTx(ctx, s.db, func(tx *sql.Tx) error {
		if o, err = lockOrder(ctx, tx, orderID); err != nil {
			return err
		}
		if r, repeated, err = findRefund(ctx, tx, key, hash); err != nil {
			return err
		}
		if repeated {
			e, err = revisionEvent(ctx, tx, r.OrderID, r.Revision)
			return err
		}
		o, e, err = advance(ctx, tx, o, faults, func(o Order, _ time.Time) (Order, string, error) { return o.refund(amount) })
		if err != nil {
			return err
		}
		r = Refund{id.String(), orderID, o.Revision, amount, reason, o.UpdatedAt}
		err = insertRefund(ctx, tx, r, key, hash)
		if database.IsDuplicate(err) { // taken this moment, for another order
			return keyReused()
		}
		return err
	})
	if err == nil && !repeated {
		s.committed(o, e)
	}
	return r, e, err
}

func findRefund(ctx context.Context, tx *sql.Tx, key string, hash [32]byte) (r Refund, found bool, err error) {
	var stored []byte
	err = tx.QueryRowContext(ctx, `SELECT id, order_id, revision, amount, reason, created_at, request_hash
		FROM pay_refunds WHERE idempotency_key = ?`, key).
		Scan(&r.ID, &r.OrderID, &r.Revision, &r.Amount, &r.Reason, &r.CreatedAt, &stored)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return r, false, nil
	case err == nil && string(stored) != string(hash[:]):
		return r, false, keyReused()
	}
	return r, err == nil, err
}

func insertRefund(ctx context.Context, tx *sql.Tx, r Refund, key string, hash [32]byte) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO pay_refunds
			(id, order_id, idempotency_key, request_hash, revision, amount, reason, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		r.ID, r.OrderID, key, hash[:], r.Revision, r.Amount, r.Reason, r.CreatedAt)
	return err
}
