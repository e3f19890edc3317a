package checkout

import (
	"context"
	"errors"
	"fmt"
	"time"

	"onceshop/payment"
	"onceshop/problem"
	"onceshop/store"
	"onceshop/store/db"
)

// RefundRequest is a person's decision to give money back.
type RefundRequest struct {
	OrderID string
	Attempt int            // which of the order's payments; 0: the one that paid it
	Amount  payment.Amount // there is no "all": an empty field must not mean that
	Reason  string
	Actor   string
}

// Decided is what a refund was decided as.
type Decided struct {
	Order db.Order  // as it is after that
	Since time.Time // when the same refund was first asked for; zero: now
}

// Refund asks the payment's provider to give money back. The decision is in the
// history before the provider is asked; the provider's own word about it, by webhook
// or read back here, changes the order as any other does: totals are set and never
// added, so it counts once, whoever tells first.
//
// The key that goes along is made of the payment, what had been given back before, the
// amount, and how often that was refused: the same decision made twice is one refund;
// two of the same amount, one after the other, are two. While nobody knows what became
// of a decision, since its answer was lost or the process died, the same one goes on
// under its key and with its reason, also where a webhook has told of the refund
// meanwhile, or the provider has refused another request for it; so does one that was
// taken until it is told of.
func (s *Shop) Refund(ctx context.Context, r RefundRequest) (Decided, error) {
	var done Decided
	var p db.Payment
	var key string
	var provider payment.Refunder
	var others string // what else may keep money, for a refusal
	asked := r        // with the reason that goes out
	err := s.DB.InTx(ctx, func(tx *store.Tx) error {
		row, err := lockTx(ctx, tx, r.OrderID)
		if err != nil {
			return err
		}
		payments, err := tx.ListPaymentsOfOrder(ctx, &r.OrderID)
		if err != nil {
			return err
		}
		if p, err = refundable(row.Order, payments, r); err != nil {
			return err
		}
		can, err := ReturnableOf(ctx, tx.Queries, p)
		if err != nil {
			return err
		}
		same := can.same(r.Amount)
		if err := can.check(r.Amount, same); err != nil {
			return err
		}
		var ok bool
		if provider, ok = s.Providers[p.Provider].(payment.Refunder); !ok {
			return problem.Clash("%s can't be asked for refunds; give the money back there.", p.Provider)
		}
		if done = (Decided{}); same != nil {
			key, asked.Reason, done.Since = same.key, same.reason, same.at
		} else {
			others = can.Why()
			refused := refusalsOf(newest(can.decisions, r.Amount))
			key, asked.Reason = refundKey(p, can.told, r.Amount, refused), shortReason(r.Reason)
		}
		under := payment.Change{Field: refundUnder, Before: can.told.String(), After: key}
		done.Order, err = tx.SaveOrder(ctx, row.Order, row.Order, refundEntry(refundRequested, asked, p, under))
		return err
	})
	if err != nil {
		return done, err
	}
	if err := provider.Refund(ctx, key, store.Deref(p.ProviderRef), asked.Amount, asked.Reason); err != nil {
		if others != "" && errors.Is(err, payment.ErrRefused) {
			err = fmt.Errorf("%w; %s", err, others)
		}
		return done, s.refundFailed(ctx, p, asked, key, err)
	}
	if err := s.noteRefund(ctx, refundEntry(refundTaken, asked, p), r.OrderID); err != nil {
		// Decided once more it goes on under its key, which is no harm.
		s.Log.Error("the refund was taken but that can't be noted", "provider", p.Provider, "order", done.Order.Number, "error", err)
	}
	done.Order = s.readBack(ctx, done.Order, p, r.Actor)
	return done, nil
}

// refundable is the payment that money is to be given back of.
func refundable(o db.Order, payments []db.Payment, r RefundRequest) (db.Payment, error) {
	for _, p := range payments {
		paid := o.PaidBy != nil && *o.PaidBy == p.ID
		switch {
		case r.Attempt == 0 && !paid || r.Attempt != 0 && (p.Attempt == nil || *p.Attempt != r.Attempt):
		case r.Amount.Sign() <= 0:
			return p, problem.Bad("amount", "Say how much to give back; it must be more than 0.")
		case p.ProviderRef == nil:
			return p, problem.Clash("The provider hasn't named this payment yet.")
		default:
			return p, nil
		}
	}
	if r.Attempt == 0 {
		return db.Payment{}, problem.Clash("This order isn't paid: there is nothing to give back.")
	}
	return db.Payment{}, problem.Missing("This order has no payment %d.", r.Attempt)
}

// refundFailed notes a refusal. Of an answer that was lost nobody knows what became,
// nor does a provider tell that refuses us or doesn't know the payment: the same
// decision again is the same refund.
func (s *Shop) refundFailed(ctx context.Context, p db.Payment, r RefundRequest, key string, cause error) error {
	switch {
	case errors.Is(cause, payment.ErrKeyUsed):
		return problem.Later(cause, "The provider has had another request under the key of this refund. Look there whether the money was given back.")
	case errors.Is(cause, payment.ErrLater):
		return problem.Later(cause, "The provider can't be reached right now. Decide it again: it is given back once.")
	}
	entry := refundEntry(refundRefused, r, p)
	if !errors.Is(cause, payment.ErrRefused) {
		entry.Changes = append(entry.Changes, payment.Change{Field: refundUnder, After: key})
	}
	err := s.noteRefund(ctx, entry, r.OrderID)
	return errors.Join(fmt.Errorf("refund at %s: %w", p.Provider, cause), err)
}

// noteRefund writes a row of the history, also for a person who didn't wait for it.
func (s *Shop) noteRefund(ctx context.Context, e store.Entry, orderID string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	return s.DB.InTx(ctx, func(tx *store.Tx) error {
		row, err := lockTx(ctx, tx, orderID)
		if err != nil {
			return err
		}
		_, err = tx.SaveOrder(ctx, row.Order, row.Order, e)
		return err
	})
}

// readBack applies the provider's record as it is after the refund. A provider that
// can't be asked tells by webhook, and so does one that can't answer now: the refund
// was taken, and who took that for a failure would decide it once more.
func (s *Shop) readBack(ctx context.Context, o db.Order, p db.Payment, actor string) db.Order {
	source, ok := s.Providers[p.Provider].(payment.Fetcher)
	if !ok {
		return o
	}
	q := Question{Provider: p.Provider, Ref: store.Deref(p.ProviderRef), Counted: p.ProviderRevision.Sign() > 0}
	err := Refresh(ctx, s.DB, q, source, func(snapshot payment.Snapshot, seen Seen) error {
		return s.DB.InTx(ctx, func(tx *store.Tx) error {
			out, err := ApplyTx(ctx, tx, Application{
				Provider: p.Provider, Snapshot: snapshot, Source: store.FromStaff, Actor: actor, Seen: seen,
			})
			if err == nil && out.Order != nil {
				o = *out.Order
			}
			return err
		})
	})
	if err != nil {
		s.Log.Warn("the refund was taken but can't be read back now", "provider", p.Provider, "order", o.Number, "error", err)
	}
	return o
}
