package checkout

import (
	"context"

	"onceshop/payment"
	"onceshop/problem"
	"onceshop/store"
	"onceshop/store/db"
)

// CancelTx ends an order that isn't paid, on a person's word. Money that arrives
// later puts it under review. Like all acts of a person it runs in the transaction
// that also writes the audit record.
func CancelTx(ctx context.Context, tx *store.Tx, orderID, actor string) error {
	row, err := lockTx(ctx, tx, orderID)
	if err != nil {
		return err
	}
	switch row.Order.PaymentStatus {
	case payment.Pending, payment.Failed, payment.Expired:
	default:
		return problem.Clash("An order that is %s can't be cancelled; refund it instead.", row.Order.PaymentStatus)
	}
	after := row.Order
	after.PaymentStatus, after.CancelledAt = payment.Cancelled, &row.DbNow
	_, err = tx.SaveOrder(ctx, row.Order, after, store.Entry{Kind: "cancelled", Source: store.FromStaff, Actor: actor})
	return err
}

// ReopenTx takes a cancellation back: the order becomes what its payments make of
// it. Money that came meanwhile pays it, and it is delivered.
func ReopenTx(ctx context.Context, tx *store.Tx, orderID, actor string) error {
	row, err := lockTx(ctx, tx, orderID)
	if err != nil {
		return err
	}
	if row.Order.CancelledAt == nil {
		return problem.Clash("This order isn't cancelled.")
	}
	payments, err := tx.ListPaymentsOfOrder(ctx, &orderID)
	if err != nil {
		return err
	}
	open := row.Order
	open.CancelledAt, open.PaymentStatus = nil, payment.Pending
	after, extra, err := conclude(ctx, tx, open, payments, row.DbNow)
	if err != nil {
		return err
	}
	_, err = tx.SaveOrder(ctx, row.Order, after, store.Entry{Kind: "reopened", Source: store.FromStaff, Actor: actor, Changes: extra})
	return err
}

// RenewLinkTx gives the order's page a new address and makes the old one
// worthless: for a link that was shared, and for the links of a changed secret.
// It returns the new address.
func (s *Shop) RenewLinkTx(ctx context.Context, tx *store.Tx, orderID string) (string, error) {
	row, err := lockTx(ctx, tx, orderID)
	if err != nil {
		return "", err
	}
	o := row.Order
	_, err = tx.RenewOrderToken(ctx, HashToken(s.OrderToken(o.ID, o.TokenVersion+1)), o.ID, o.TokenVersion)
	o.TokenVersion++
	return s.OrderURL(o), err
}

func lockTx(ctx context.Context, tx *store.Tx, orderID string) (db.LockOrderRow, error) {
	row, err := tx.LockOrder(ctx, orderID)
	if store.IsNotFound(err) {
		return row, problem.Missing("There is no such order.")
	}
	return row, err
}
