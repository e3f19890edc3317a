package sandbox

import (
	"context"
	"database/sql"
	"errors"
	"net/http"
	"strings"
)

// named finds an order by its id, by any id of its provider's, or by the
// merchant's reference; of several the newest counts.
func (s *Server) named(ctx context.Context, name string) (id string, err error) {
	const byRef = `SELECT id FROM pay_orders WHERE id = ?
		UNION ALL SELECT id FROM pay_orders WHERE page_ref = ?
		UNION ALL SELECT id FROM pay_orders WHERE intent_ref = ?
		UNION ALL SELECT order_id FROM pay_payments WHERE ref = ?
		UNION ALL SELECT order_id FROM pay_refunds WHERE ref = ?
		UNION ALL SELECT order_id FROM pay_disputes WHERE ref = ?
		UNION ALL SELECT id FROM pay_orders WHERE merchant_order_id = ?
		ORDER BY id DESC LIMIT 1`
	err = s.db.QueryRowContext(ctx, byRef, name, name, name, name, name, name, name).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return "", NotFound("order")
	}
	return id, err
}

// referred finds an order of a dialect by an id of its provider's.
func (s *Server) referred(ctx context.Context, dialect, ref string) (id string, err error) {
	const byRef = `SELECT id FROM pay_orders WHERE dialect = ? AND id = ?
		UNION ALL SELECT id FROM pay_orders WHERE dialect = ? AND page_ref = ?
		UNION ALL SELECT id FROM pay_orders WHERE dialect = ? AND intent_ref = ?
		UNION ALL SELECT order_id FROM pay_payments WHERE dialect = ? AND ref = ?
		UNION ALL SELECT order_id FROM pay_refunds WHERE dialect = ? AND ref = ?
		UNION ALL SELECT order_id FROM pay_disputes WHERE dialect = ? AND ref = ?
		LIMIT 1`
	d, r := dialect, ref
	err = s.db.QueryRowContext(ctx, byRef, d, r, d, r, d, r, d, r, d, r, d, r).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return "", NotFound("payment")
	}
	return id, err
}

// listed names a thing and its order.
type listed struct{ thing, order string }

// changedAt is when an order changed last, as the API shows it.
func changedAt(behind bool) string {
	if behind {
		return "(SELECT v.created_at FROM pay_order_revisions v WHERE v.order_id = t.id AND v.revision = GREATEST(t.revision, 2) - 1)"
	}
	return "t.updated_at"
}

// list finds a window's ids, newest first: ids grow with time.
func (s *Server) list(ctx context.Context, of Kind, w Window) ([]listed, error) {
	table, order, at, sort := "pay_orders", "t.id", "t.created_at", "t.id DESC"
	switch of {
	case PaymentKind:
		table, order = "pay_payments", "t.order_id"
	case RefundKind:
		table, order = "pay_refunds", "t.order_id"
	case DisputeKind:
		table, order = "pay_disputes", "t.order_id"
	}
	if w.Changed {
		f, err := generalFaults(ctx, s.db)
		if err != nil {
			return nil, err
		}
		at, sort = changedAt(f.APIBehind), changedAt(f.APIBehind)+", t.id"
	}
	where, args := []string{"t.dialect = ?"}, []any{w.Dialect}
	if of == IntentKind {
		where = append(where, "t.intent_ref IS NOT NULL")
	}
	if !w.From.IsZero() {
		where, args = append(where, at+" >= ?"), append(args, w.From.UTC())
	}
	if !w.To.IsZero() {
		where, args = append(where, at+" <= ?"), append(args, w.To.UTC())
	}
	if w.MerchantRef != "" {
		where = append(where, order+" IN (SELECT id FROM pay_orders WHERE merchant_order_id = ?)")
		args = append(args, w.MerchantRef)
	}
	if w.Order != "" {
		id, err := s.referred(ctx, w.Dialect, w.Order)
		if e, ok := errors.AsType[*Error](err); ok && e.Status == http.StatusNotFound {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		where, args = append(where, order+" = ?"), append(args, id)
	}
	if w.PaymentID != "" {
		where, args = append(where, "t.payment_id = ?"), append(args, w.PaymentID)
	}
	switch {
	case w.After != "" && w.Changed:
		where, args = append(where, "("+at+" > ? OR t.id > ?)"), append(args, w.From.UTC(), w.After)
	case w.After != "":
		where, args = append(where, "t.id < ?"), append(args, w.After)
	}
	rows, err := s.db.QueryContext(ctx, "SELECT t.id, "+order+" FROM "+table+" t WHERE "+strings.Join(where, " AND ")+
		" ORDER BY "+sort+" LIMIT ? OFFSET ?", append(args, max(w.Limit, 1), max(w.Skip, 0))...)
	return all(rows, err, func(rows *sql.Rows, l *listed) error { return rows.Scan(&l.thing, &l.order) })
}
