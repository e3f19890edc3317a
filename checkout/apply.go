package checkout

import (
	"context"
	"errors"
	"fmt"
	"slices"

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
	// Seen is the payment as it was before the snapshot was asked for. It counts
	// where the provider has no revisions.
	Seen Seen
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
	before, known := row.Order, payments[i]
	out := Outcome{Order: &before, Before: known.ProviderRevision}
	if err := a.overtaken(known); err != nil {
		return out, err
	}
	record, err := readRecord(ctx, tx, known, a.Snapshot)
	if err != nil {
		return out, err
	}
	d := payment.Next(record, a.Snapshot)
	out.Verdict, out.Reason = d.Verdict, d.Reason
	p := review(withRecord(known, d.Record), d, a.Snapshot)
	p.ProviderRef = &a.Snapshot.Ref
	news := d.Verdict == payment.Applied || store.Deref(p.ReviewReason) != store.Deref(known.ReviewReason) ||
		p.ReviewReason != nil && !slices.Equal(p.RefusedDigest, known.RefusedDigest)
	if d.Verdict == payment.Stale || !news && known.ProviderRef != nil {
		return out, nil
	}
	if err := savePayment(ctx, tx, p); err != nil {
		return out, err
	}
	if !news {
		return out, nil
	}
	if d.Verdict == payment.Applied {
		if err := saveLedger(ctx, tx, p, a.Snapshot, record); err != nil {
			return out, err
		}
	}
	payments[i] = p

	after, extra, err := conclude(ctx, tx, before, payments, row.DbNow, p.Reversed.Cmp(known.Reversed) > 0)
	if err != nil {
		return out, err
	}
	extra = append(extra, beside(store.OrderChanges(before, after), d, p)...)
	saved, err := tx.SaveOrder(ctx, before, after, store.Entry{
		Kind: kindOf(before, after, d.Verdict), Source: a.Source, Actor: a.Actor, EventSeq: a.EventSeq,
		ProviderRevision: revisionOf(a.Snapshot), Changes: extra,
	})
	out.Order = &saved
	out.Booked = saved.FulfillmentStatus == store.DeliveryWaiting
	return out, err
}

// revisionOf is the provider's counter, nil where it has none.
func revisionOf(s payment.Snapshot) *payment.Amount {
	if s.Revision.Sign() == 0 {
		return nil
	}
	return &s.Revision
}
