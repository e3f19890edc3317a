package sandbox

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"
)

// findRecord reads an order and all about it.
func findRecord(ctx context.Context, q querier, id string) (Record, error) {
	o, err := findOrder(ctx, q, id)
	if err != nil {
		return Record{}, err
	}
	return fillRecord(ctx, q, o)
}

// fillRecord reads what belongs to an order.
func fillRecord(ctx context.Context, q querier, o Order) (r Record, err error) {
	r.Order = o
	if r.Payments, err = selectPayments(ctx, q, o.ID); err != nil {
		return r, err
	}
	if r.Refunds, err = selectRefunds(ctx, q, o.ID); err != nil {
		return r, err
	}
	r.Disputes, err = selectDisputes(ctx, q, o.ID)
	return r, err
}

// all reads every row of a query.
func all[T any](rows *sql.Rows, err error, scan func(*sql.Rows, *T) error) ([]T, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []T
	for rows.Next() {
		var item T
		if err := scan(rows, &item); err != nil {
			return nil, err
		}
		list = append(list, item)
	}
	return list, rows.Err()
}

func selectPayments(ctx context.Context, q querier, orderID string) ([]Payment, error) {
	rows, err := q.QueryContext(ctx, `SELECT id, ref, number, status, amount, captured, changed_in, created_at, updated_at
		FROM pay_payments WHERE order_id = ? ORDER BY number`, orderID)
	return all(rows, err, func(rows *sql.Rows, p *Payment) error {
		return rows.Scan(&p.ID, (*optional)(&p.Ref), &p.Number, &p.Status, &p.Amount, &p.Captured, &p.ChangedIn, &p.CreatedAt, &p.UpdatedAt)
	})
}

func selectRefunds(ctx context.Context, q querier, orderID string) ([]Refund, error) {
	rows, err := q.QueryContext(ctx, "SELECT "+refundColumns+" FROM pay_refunds WHERE order_id = ? ORDER BY revision", orderID)
	return all(rows, err, func(rows *sql.Rows, f *Refund) error { return scanRefund(rows, f) })
}

func selectDisputes(ctx context.Context, q querier, orderID string) ([]Dispute, error) {
	rows, err := q.QueryContext(ctx, `SELECT id, ref, payment_id, amount, reason, status, changed_in, created_at, updated_at
		FROM pay_disputes WHERE order_id = ? ORDER BY id`, orderID)
	return all(rows, err, func(rows *sql.Rows, d *Dispute) error {
		return rows.Scan(&d.ID, (*optional)(&d.Ref), (*optional)(&d.PaymentID), &d.Amount, &d.Reason, &d.Status, &d.ChangedIn, &d.CreatedAt, &d.UpdatedAt)
	})
}

// named gives what a change made its ids and times. Refunds are named by the
// dialect too; everything else of theirs is written with their key.
func named(r Record, d Dialect, now time.Time) (Record, error) {
	name := func(id, ref *string, of Kind) error {
		u, err := uuid.NewV7()
		*id, *ref = u.String(), d.NewRef(of, u)
		return err
	}
	for i := range r.Payments {
		p := &r.Payments[i]
		if p.ChangedIn == r.Revision {
			p.UpdatedAt = now
		}
		if p.ID == "" {
			p.CreatedAt = now
			if err := name(&p.ID, &p.Ref, PaymentKind); err != nil {
				return r, err
			}
		}
	}
	for i := range r.Refunds {
		f := &r.Refunds[i]
		if f.ChangedIn == r.Revision {
			f.UpdatedAt = now
		}
		if f.ID == "" {
			f.CreatedAt = now
			if err := name(&f.ID, &f.Ref, RefundKind); err != nil {
				return r, err
			}
		}
	}
	for i := range r.Disputes {
		p := &r.Disputes[i]
		if p.ChangedIn == r.Revision {
			p.UpdatedAt = now
		}
		if p.ID == "" {
			p.CreatedAt = now
			if err := name(&p.ID, &p.Ref, DisputeKind); err != nil {
				return r, err
			}
		}
	}
	if r.IntentRef == "" && len(r.Payments) > 0 {
		u, err := uuid.Parse(r.ID)
		if err != nil {
			return r, err
		}
		r.IntentRef = d.NewRef(IntentKind, u)
	}
	return r, nil
}

// store writes what the newest revision of a record changed, but for new refunds,
// whose rows hold the request's key and are written by who knows it.
func store(ctx context.Context, tx *sql.Tx, r Record) error {
	if err := updateOrder(ctx, tx, r.Order); err != nil {
		return err
	}
	for _, p := range r.Payments {
		if p.ChangedIn != r.Revision {
			continue
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO pay_payments
				(id, dialect, ref, order_id, number, changed_in, amount, captured, status, created_at, updated_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
			ON DUPLICATE KEY UPDATE changed_in = VALUES(changed_in), captured = VALUES(captured),
				status = VALUES(status), updated_at = VALUES(updated_at)`,
			p.ID, r.Dialect, optional(p.Ref), r.ID, p.Number, p.ChangedIn, p.Amount, p.Captured, p.Status, p.CreatedAt, p.UpdatedAt)
		if err != nil {
			return err
		}
	}
	for _, f := range r.Refunds {
		if f.ChangedIn != r.Revision || f.Revision == r.Revision {
			continue
		}
		_, err := tx.ExecContext(ctx, "UPDATE pay_refunds SET changed_in = ?, status = ?, updated_at = ? WHERE id = ?",
			f.ChangedIn, f.Status, f.UpdatedAt, f.ID)
		if err != nil {
			return err
		}
	}
	for _, d := range r.Disputes {
		if d.ChangedIn != r.Revision {
			continue
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO pay_disputes
				(id, dialect, ref, order_id, payment_id, changed_in, amount, reason, status, created_at, updated_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
			ON DUPLICATE KEY UPDATE changed_in = VALUES(changed_in), status = VALUES(status), updated_at = VALUES(updated_at)`,
			d.ID, r.Dialect, optional(d.Ref), r.ID, optional(d.PaymentID), d.ChangedIn, d.Amount, d.Reason, d.Status, d.CreatedAt, d.UpdatedAt)
		if err != nil {
			return err
		}
	}
	return nil
}

// insertRevision keeps the record as it is at its newest revision.
func insertRevision(ctx context.Context, tx *sql.Tx, r Record, word string) error {
	record, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO pay_order_revisions (order_id, revision, word, record, created_at)
		VALUES (?, ?, ?, ?, ?)`, r.ID, r.Revision, word, record, r.UpdatedAt)
	return err
}

// revisionOf returns the record as it was at a revision.
func revisionOf(ctx context.Context, q querier, orderID string, revision uint64) (r Record, err error) {
	var record []byte
	err = q.QueryRowContext(ctx, "SELECT record FROM pay_order_revisions WHERE order_id = ? AND revision = ?", orderID, revision).
		Scan(&record)
	if errors.Is(err, sql.ErrNoRows) {
		return r, NotFound("revision")
	}
	if err != nil {
		return r, err
	}
	err = json.Unmarshal(record, &r)
	return r, err
}
