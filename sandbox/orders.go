package sandbox

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
	"time"

	"onceshop/payment"
)

const orderColumns = `id, dialect, page_ref, intent_ref, merchant_order_id, revision, payment_status, refund_status, currency,
	amount, received_amount, incoming_amount, refunded_amount, reversed_amount, taken_back_amount, confirmations, wanted_confirmations,
	fulfillment_decision, service_status, chain_enforcement, assessed_at, valid_until,
	description, return_url, cancel_url, extra, expires_at, created_at, updated_at`

// querier is a pool or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// optional is a text that is NULL in the database while it is empty.
type optional string

func (o optional) Value() (driver.Value, error) {
	if o == "" {
		return nil, nil
	}
	return string(o), nil
}

func (o *optional) Scan(src any) error {
	switch v := src.(type) {
	case nil:
		*o = ""
	case []byte:
		*o = optional(v)
	case string:
		*o = optional(v)
	default:
		return fmt.Errorf("a text can't be read from %T", src)
	}
	return nil
}

func scanOrder(row interface{ Scan(...any) error }) (o Order, err error) {
	var assessed time.Time
	err = row.Scan(&o.ID, &o.Dialect, (*optional)(&o.PageRef), (*optional)(&o.IntentRef),
		&o.MerchantOrderID, &o.Revision, &o.Status, &o.RefundStatus, &o.Currency,
		&o.Amount, &o.Received, &o.Incoming, &o.Refunded, &o.Reversed, &o.TakenBack, &o.Confirmations, &o.WantedConfirmations,
		&o.Risk.Decision, &o.Risk.ServiceStatus, &o.Risk.ChainEnforcement, &assessed, &o.Risk.ValidUntil,
		&o.Description, &o.ReturnURL, &o.CancelURL, &o.Extra, &o.ExpiresAt, &o.CreatedAt, &o.UpdatedAt)
	o.Risk.AssessedAt = &assessed
	return o, err
}

func findOrder(ctx context.Context, q querier, id string) (Order, error) {
	o, err := scanOrder(q.QueryRowContext(ctx, "SELECT "+orderColumns+" FROM pay_orders WHERE id = ?", id))
	if errors.Is(err, sql.ErrNoRows) {
		return o, NotFound("order")
	}
	return o, err
}

// lockRecord reads an order and all about it for a change: from here to the end
// of tx nobody else changes it.
func lockRecord(ctx context.Context, tx *sql.Tx, id string) (Record, error) {
	o, err := scanOrder(tx.QueryRowContext(ctx, "SELECT "+orderColumns+" FROM pay_orders WHERE id = ? FOR UPDATE", id))
	if errors.Is(err, sql.ErrNoRows) {
		return Record{}, NotFound("order")
	}
	if err != nil {
		return Record{}, err
	}
	return fillRecord(ctx, tx, o)
}

// selectOrders runs a query for whole orders.
func selectOrders(ctx context.Context, q querier, where string, args ...any) ([]Order, error) {
	rows, err := q.QueryContext(ctx, "SELECT "+orderColumns+" FROM pay_orders "+where, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []Order
	for rows.Next() {
		o, err := scanOrder(rows)
		if err != nil {
			return nil, err
		}
		list = append(list, o)
	}
	return list, rows.Err()
}

func insertOrder(ctx context.Context, tx *sql.Tx, o Order, key string, hash [32]byte) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO pay_orders (idempotency_key, request_hash, `+orderColumns+`)
		VALUES (?`+strings.Repeat(", ?", 30)+`)`,
		key, hash[:], o.ID, o.Dialect, optional(o.PageRef), optional(o.IntentRef),
		o.MerchantOrderID, o.Revision, o.Status, o.RefundStatus, o.Currency,
		o.Amount, o.Received, o.Incoming, o.Refunded, o.Reversed, o.TakenBack, o.Confirmations, o.WantedConfirmations,
		o.Risk.Decision, o.Risk.ServiceStatus, o.Risk.ChainEnforcement, o.Risk.AssessedAt, o.Risk.ValidUntil,
		o.Description, o.ReturnURL, o.CancelURL, o.Extra, o.ExpiresAt, o.CreatedAt, o.UpdatedAt)
	return err
}

// updateOrder stores a changed order as its next revision. The fence in the
// WHERE clause repeats what the row lock says, in case a change comes without.
func updateOrder(ctx context.Context, tx *sql.Tx, o Order) error {
	result, err := tx.ExecContext(ctx, `UPDATE pay_orders SET revision = ?, payment_status = ?, refund_status = ?,
			intent_ref = ?, received_amount = ?, incoming_amount = ?, refunded_amount = ?, reversed_amount = ?,
			taken_back_amount = ?, confirmations = ?, wanted_confirmations = ?,
			fulfillment_decision = ?, service_status = ?, chain_enforcement = ?, assessed_at = ?, valid_until = ?,
			updated_at = ?
		WHERE id = ? AND revision = ?`,
		o.Revision, o.Status, o.RefundStatus,
		optional(o.IntentRef), o.Received, o.Incoming, o.Refunded, o.Reversed,
		o.TakenBack, o.Confirmations, o.WantedConfirmations,
		o.Risk.Decision, o.Risk.ServiceStatus, o.Risk.ChainEnforcement, o.Risk.AssessedAt, o.Risk.ValidUntil,
		o.UpdatedAt, o.ID, o.Revision-1)
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n != 1 {
		return errors.Join(err, errors.New("the order changed under its lock"))
	}
	return nil
}

// databaseNow is the database's clock: the one that all instances share. It is
// read after the row lock, because NOW(6) is fixed before a statement waits.
func databaseNow(ctx context.Context, q querier) (now time.Time, err error) {
	err = q.QueryRowContext(ctx, "SELECT NOW(6)").Scan(&now)
	return now, err
}

// initialRisk is what a fresh order is assessed as.
func initialRisk(now time.Time, validity time.Duration) payment.Risk {
	r := payment.Risk{Decision: payment.DecisionAllow, ServiceStatus: payment.ServiceEnabled, ChainEnforcement: payment.ChainAllowed}
	until := now.Add(validity)
	r.AssessedAt, r.ValidUntil = &now, &until
	return r
}
