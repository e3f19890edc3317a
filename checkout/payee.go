package checkout

import (
	"context"
	"fmt"

	"onceshop/database"
	"onceshop/payment"
	"onceshop/store"
	"onceshop/store/db"
)

// findOrder returns the id of the order that the payment belongs to: by the
// provider's reference, or by ours where the provider's answer to our request has
// not been noted yet. Empty: it isn't one of ours.
func findOrder(ctx context.Context, tx *store.Tx, a Application) (string, error) {
	p, err := tx.FindPayment(ctx, a.Provider, &a.Snapshot.Ref)
	switch {
	case err == nil && p.OrderID != nil:
		return *p.OrderID, nil
	case err != nil && !store.IsNotFound(err):
		return "", err
	case a.Foreign:
		return "", nil
	}
	id, _ := ParseOrderRef(a.Snapshot.OrderRef)
	return id, nil
}

// payee finds the payment that the snapshot is of, by the provider's reference or,
// where that hasn't been noted, by the attempt that ours names; -1 if there is none.
func payee(payments []db.Payment, a Application) int {
	_, attempt := ParseOrderRef(a.Snapshot.OrderRef)
	asked := -1
	for i, p := range payments {
		switch {
		case p.Provider != a.Provider:
		case p.ProviderRef != nil && *p.ProviderRef == a.Snapshot.Ref:
			return i
		case p.ProviderRef == nil && p.Attempt != nil && *p.Attempt == attempt:
			asked = i
		}
	}
	return asked
}

// adopt gives the order a payment that names it although we have not asked for it,
// such as a second session opened by hand: its money is real. It may have been
// recorded without an order before.
func adopt(ctx context.Context, tx *store.Tx, o db.Order, payments []db.Payment, a Application) ([]db.Payment, error) {
	if err := notBehindOrphan(ctx, tx, a); err != nil {
		return nil, err
	}
	attempt := len(payments) + 1
	found, err := tx.AdoptPayment(ctx, db.AdoptPaymentParams{
		OrderID: &o.ID, Attempt: &attempt, Amount: o.Total, Currency: o.Currency, Provider: a.Provider, ProviderRef: &a.Snapshot.Ref,
	})
	if err == nil && found == 0 {
		err = tx.InsertPayment(ctx, db.InsertPaymentParams{
			ID: store.NewID(), OrderID: &o.ID, Attempt: &attempt, Provider: a.Provider, Amount: o.Total, Currency: o.Currency,
		})
	}
	if err != nil {
		return nil, err
	}
	return tx.ListPaymentsOfOrder(ctx, &o.ID)
}

// notBehindOrphan refuses a snapshot that is older than what was recorded of the
// payment before it had an order: the caller fetches again.
func notBehindOrphan(ctx context.Context, tx *store.Tx, a Application) error {
	p, err := tx.LockUnattributedPayment(ctx, a.Provider, &a.Snapshot.Ref)
	if store.IsNotFound(err) {
		return nil
	}
	if err == nil && p.ProviderRevision.Cmp(a.Snapshot.Revision) > 0 {
		err = fmt.Errorf("the provider's record is at revision %s, behind %s, which is recorded without an order", a.Snapshot.Revision, p.ProviderRevision)
	}
	return err
}

// recordUnattributed notes a payment that belongs to no order, so that a person
// sees its money.
func recordUnattributed(ctx context.Context, tx *store.Tx, a Application) (Outcome, error) {
	out := Outcome{Verdict: payment.Unattributed, Reason: "the payment names no order of this shop"}
	s := a.Snapshot
	// A snapshot that can't be right leaves a pending record: its words must not
	// get into the columns.
	r := payment.Next(payment.Record{Status: payment.Pending, RefundStatus: payment.NotRefunded, Amount: s.Amount, Currency: s.Currency}, s).Record
	err := tx.InsertUnattributedPayment(ctx, db.InsertUnattributedPaymentParams{
		ID: store.NewID(), Provider: a.Provider, ProviderRef: &s.Ref, Amount: s.Amount, Currency: s.Currency,
		Status: r.Status, RefundStatus: r.RefundStatus, Received: r.Received, Refunded: r.Refunded,
		Reversed: r.Reversed, TakenBack: r.TakenBack, ProviderRevision: r.Revision,
	})
	if !database.IsDuplicate(err) {
		return out, err
	}
	p, err := tx.LockUnattributedPayment(ctx, a.Provider, &s.Ref)
	if err != nil {
		return out, err
	}
	if err := a.overtaken(p); err != nil {
		return out, err
	}
	out.Before = p.ProviderRevision
	if d := payment.Next(recordOf(p), s); d.Verdict == payment.Applied {
		return out, savePayment(ctx, tx, withRecord(p, d.Record))
	}
	return out, nil
}
