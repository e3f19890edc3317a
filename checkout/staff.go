package checkout

import (
	"context"

	"onceshop/payment"
	"onceshop/problem"
	"onceshop/store"
	"onceshop/store/db"
)

// CancelTx ends an order that isn't paid, on a person's word: also one whose money is
// reserved or arrived in part only, which may stay so for ever. Money that is held or
// arrives later puts it under review. Like all acts of a person it runs in the transaction
// that also writes the audit record.
func CancelTx(ctx context.Context, tx *store.Tx, orderID, actor string) error {
	row, err := lockTx(ctx, tx, orderID)
	if err != nil {
		return err
	}
	switch row.Order.PaymentStatus {
	case payment.Pending, payment.Authorised, payment.Failed, payment.Expired:
	case payment.Cancelled:
		return problem.Clash("This order is cancelled already.")
	default:
		return problem.Clash("An order that is %s can't be cancelled; refund it instead.", row.Order.PaymentStatus)
	}
	ended := row.Order
	ended.PaymentStatus, ended.CancelledAt = payment.Cancelled, &row.DbNow
	return concludeTx(ctx, tx, row, ended, "cancelled", actor)
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
	open := row.Order
	open.CancelledAt, open.PaymentStatus = nil, payment.Pending
	return concludeTx(ctx, tx, row, open, "reopened", actor)
}

// ReviewedTx notes that a person has looked at what was refused of an order's
// payments, and ends the review. What the provider reports later is asked about
// anew; money for a cancelled order stays under review while we hold it.
func ReviewedTx(ctx context.Context, tx *store.Tx, orderID, actor string) error {
	row, err := lockTx(ctx, tx, orderID)
	if err != nil {
		return err
	}
	payments, err := tx.ListPaymentsOfOrder(ctx, &orderID)
	if err != nil {
		return err
	}
	looked := false
	for _, p := range payments {
		if p.ReviewReason == nil {
			continue
		}
		looked = true
		p.ReviewReason, p.ReviewedDigest = nil, p.RefusedDigest
		if err := savePayment(ctx, tx, p); err != nil {
			return err
		}
	}
	switch {
	case looked:
		return concludeTx(ctx, tx, row, row.Order, "review_over", actor)
	case row.Order.ReviewReason != nil:
		return problem.Clash("This order was cancelled and then paid: refund the money or reopen the order.")
	}
	return problem.Clash("This order isn't under review.")
}

// concludeTx saves what an order becomes by its payments after a person's act.
func concludeTx(ctx context.Context, tx *store.Tx, row db.LockOrderRow, o db.Order, kind, actor string) error {
	payments, err := tx.ListPaymentsOfOrder(ctx, &o.ID)
	if err != nil {
		return err
	}
	after, extra, err := conclude(ctx, tx, o, payments, row.DbNow, false)
	if err != nil {
		return err
	}
	_, err = tx.SaveOrder(ctx, row.Order, after, store.Entry{Kind: kind, Source: store.FromStaff, Actor: actor, Changes: extra})
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
