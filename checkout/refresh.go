package checkout

import (
	"context"
	"errors"
	"fmt"

	"onceshop/payment"
	"onceshop/store"
	"onceshop/store/db"
)

// Seen is a payment of ours at one of its versions: the fence of promise 6 for
// providers that have no revisions. A snapshot that was asked for before somebody
// else wrote the payment may be the older one.
type Seen struct {
	PaymentID string
	Version   uint64
}

// Overtaken means that the payment was written while the provider was asked: ask
// again, having seen it as it is Now.
type Overtaken struct{ Now Seen }

func (e *Overtaken) Error() string {
	return fmt.Sprintf("payment %s was written while its provider was asked", e.Now.PaymentID)
}

// overtaken tells whether the snapshot was asked for before the payment was last
// written. Revisions tell by themselves which of two snapshots is the newer one.
func (a Application) overtaken(p db.Payment) error {
	now := Seen{p.ID, p.RowVersion}
	if a.Snapshot.Revision.Sign() > 0 || p.RowVersion == 1 || a.Seen == now {
		return nil
	}
	return &Overtaken{now}
}

// asks bounds how often a payment that is being written all the time is asked for.
const asks = 5

// Question is which record a provider is asked for.
type Question struct {
	Provider string
	Ref      string // what the provider is asked for
	OrderRef string // our own reference, where it is known
	Counted  bool   // the provider is known to count revisions: nothing needs to be seen
}

// Refresh asks for a payment's record and hands it to apply, which ends in ApplyTx,
// with what was seen of the payment before; once more if somebody wrote the payment
// in between. No transaction is open while the provider is asked.
func Refresh(ctx context.Context, d *store.DB, q Question, from payment.Fetcher, apply func(payment.Snapshot, Seen) error) (err error) {
	var seen Seen
	if !q.Counted {
		seen, err = look(ctx, d, q)
	}
	for n := 1; err == nil; n++ {
		var s payment.Snapshot
		if s, err = from.Fetch(ctx, q.Ref); err != nil {
			break
		}
		err = apply(s, seen)
		var late *Overtaken
		if n < asks && errors.As(err, &late) {
			seen, err = late.Now, nil
			continue
		}
		break
	}
	return err
}

// look finds the payment before its provider is asked: by the provider's reference,
// else by ours. What isn't found is no mistake: it costs one more question.
func look(ctx context.Context, d *store.DB, q Question) (Seen, error) {
	p, err := d.FindPayment(ctx, q.Provider, &q.Ref)
	if store.IsNotFound(err) {
		id, attempt := ParseOrderRef(q.OrderRef)
		if id == "" {
			return Seen{}, nil
		}
		p, err = d.FindAskedPayment(ctx, &id, &attempt)
	}
	if store.IsNotFound(err) {
		return Seen{}, nil
	}
	return Seen{p.ID, p.RowVersion}, err
}
