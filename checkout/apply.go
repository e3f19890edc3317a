package checkout

import (
	"context"
	"errors"
	"fmt"

	"onceshop/payment"
	"onceshop/store"
	"onceshop/store/db"
)

// Application is a provider's snapshot and who brought it.
type Application struct {
	Provider string
	Snapshot payment.Snapshot
	Source   store.Source
	Actor    string
	EventSeq *uint64 // the event that made us fetch it, if one did
	// Foreign says that the order which the payment names will never be there.
	Foreign bool
}

// Outcome is what ApplyTx made of a snapshot.
type Outcome struct {
	Verdict payment.Verdict
	Reason  string
	Order   *db.Order      // as it is now; nil: the payment belongs to no order
	Before  payment.Amount // the provider revision that was recorded before
	Booked  bool           // jobs may be due now
}

// ErrOrderMissing means that the snapshot names an order of ours in form, but
// there is none (yet): the caller tries again later.
var ErrOrderMissing = errors.New("the order that the payment names isn't there")

// ApplyTx brings an order to what its provider's snapshot says: order, payment,
// history and jobs in the caller's transaction. Applying the same snapshot again
// changes nothing; applying an older one is Stale.
func ApplyTx(ctx context.Context, tx *store.Tx, a Application) (Outcome, error) {
	orderID, err := findOrder(ctx, tx, a)
	if err != nil {
		return Outcome{}, err
	}
	if orderID == "" {
		return recordUnattributed(ctx, tx, a)
	}
	row, err := tx.LockOrder(ctx, orderID)
	if store.IsNotFound(err) {
		return Outcome{}, fmt.Errorf("%w: %s", ErrOrderMissing, orderID)
	}
	if err != nil {
		return Outcome{}, err
	}
	payments, err := tx.ListPaymentsOfOrder(ctx, &orderID)
	if err != nil {
		return Outcome{}, err
	}
	i := payee(payments, a)
	if i < 0 {
		if payments, err = adopt(ctx, tx, row.Order, payments, a); err != nil {
			return Outcome{}, err
		}
		i = len(payments) - 1
	} else if payments[i].ProviderRef == nil {
		// Recorded as an orphan before we knew its reference, it makes room.
		if err := notBehindOrphan(ctx, tx, a); err != nil {
			return Outcome{}, err
		}
		if _, err := tx.DeleteOrphanPayment(ctx, a.Provider, &a.Snapshot.Ref); err != nil {
			return Outcome{}, err
		}
	}
	return settle(ctx, tx, row, payments, i, a)
}

// settle decides and writes. The order is locked; payments are as they are now.
func settle(ctx context.Context, tx *store.Tx, row db.LockOrderRow, payments []db.Payment, i int, a Application) (Outcome, error) {
	before, p := row.Order, payments[i]
	out := Outcome{Order: &before, Before: p.ProviderRevision}
	d := payment.Next(recordOf(p), a.Snapshot)
	out.Verdict, out.Reason = d.Verdict, d.Reason
	review, refused := review(p, d, a.Snapshot)
	news := d.Verdict == payment.Applied || store.Deref(review) != store.Deref(p.ReviewReason) || review != nil && !same(refused, p.RefusedRevision)
	if d.Verdict == payment.Stale || !news && p.ProviderRef != nil {
		return out, nil
	}

	p = withRecord(p, d.Record)
	p.ProviderRef, p.ReviewReason, p.RefusedRevision = &a.Snapshot.Ref, review, refused
	if err := savePayment(ctx, tx, p); err != nil {
		return out, err
	}
	if !news {
		return out, nil
	}
	payments[i] = p

	after, extra, err := conclude(ctx, tx, before, payments, row.DbNow)
	if err != nil {
		return out, err
	}
	extra = append(extra, beside(store.OrderChanges(before, after), d, p)...)
	saved, err := tx.SaveOrder(ctx, before, after, store.Entry{
		Kind: kindOf(before, after, d.Verdict), Source: a.Source, Actor: a.Actor, EventSeq: a.EventSeq,
		ProviderRevision: &a.Snapshot.Revision, Changes: extra,
	})
	out.Order = &saved
	out.Booked = saved.FulfillmentStatus == store.DeliveryWaiting
	return out, err
}
