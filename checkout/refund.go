package checkout

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"

	"onceshop/internal/ellipsis"
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

// Refund asks the payment's provider to give money back. The decision is in the
// history before the provider is asked; the provider's own word about it, by webhook
// or read back here, changes the order as any other does: totals are set and never
// added, so it counts once, whoever tells first.
//
// The key that goes along is made of the payment, what had been given back before, and
// the amount: the same decision made twice, or after an answer that was lost, is one
// refund; two of the same amount, one after the other, are two.
func (s *Shop) Refund(ctx context.Context, r RefundRequest) (db.Order, error) {
	var order db.Order
	var p db.Payment
	err := s.DB.InTx(ctx, func(tx *store.Tx) error {
		row, err := lockTx(ctx, tx, r.OrderID)
		if err != nil {
			return err
		}
		payments, err := tx.ListPaymentsOfOrder(ctx, &r.OrderID)
		if err != nil {
			return err
		}
		lost, err := lostOf(ctx, tx, row.Order, payments)
		if err != nil {
			return err
		}
		if p, err = refundable(row.Order, payments, lost, r); err != nil {
			return err
		}
		order, err = tx.SaveOrder(ctx, row.Order, row.Order, store.Entry{
			Kind: "refund_requested", Source: store.FromStaff, Actor: r.Actor, Changes: requested(r, p),
		})
		return err
	})
	if err != nil {
		return order, err
	}
	provider, ok := s.Providers[p.Provider].(payment.Refunder)
	if !ok {
		return order, problem.Clash("%s can't be asked for refunds; give the money back there.", p.Provider)
	}
	if err := provider.Refund(ctx, refundKey(p, r.Amount), store.Deref(p.ProviderRef), r.Amount, r.Reason); err != nil {
		return order, s.refundFailed(ctx, order, p, r, err)
	}
	return s.readBack(ctx, order, p, r.Actor)
}

// refundable is the payment that money is to be given back of. What a bank has taken
// back can't be given back once more.
func refundable(o db.Order, payments []db.Payment, lost []payment.Amount, r RefundRequest) (db.Payment, error) {
	for i, p := range payments {
		paid := o.PaidBy != nil && *o.PaidBy == p.ID
		if r.Attempt == 0 && !paid || r.Attempt != 0 && (p.Attempt == nil || *p.Attempt != r.Attempt) {
			continue
		}
		left := payment.Money{Amount: p.Received.Sub(p.Refunded).Sub(lost[i]), Currency: p.Currency}
		switch {
		case r.Amount.Sign() <= 0:
			return p, problem.Bad("amount", "Say how much to give back; it must be more than 0.")
		case r.Amount.Cmp(left.Amount) > 0:
			return p, problem.Bad("amount", "Only %s of this payment can be given back.", left)
		case p.ProviderRef == nil:
			return p, problem.Clash("The provider hasn't named this payment yet.")
		}
		return p, nil
	}
	if r.Attempt == 0 {
		return db.Payment{}, problem.Clash("This order isn't paid: there is nothing to give back.")
	}
	return db.Payment{}, problem.Missing("This order has no payment %d.", r.Attempt)
}

func requested(r RefundRequest, p db.Payment) []payment.Change {
	changes := []payment.Change{
		{Field: "refund_asked", After: r.Amount.String()}, {Field: "attempt", After: strconv.Itoa(*p.Attempt)},
	}
	if r.Reason != "" {
		changes = append(changes, payment.Change{Field: "reason", After: ellipsis.Shorten(r.Reason, 200)})
	}
	return changes
}

// refundKey is short and plain enough for every provider's header.
func refundKey(p db.Payment, amount payment.Amount) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "refund:%s:%s:%s", p.ID, p.Refunded.Add(p.Reversed), amount))
	return "refund-" + hex.EncodeToString(sum[:16])
}

// refundFailed notes a refusal. Of an answer that was lost nobody knows what became:
// the same decision again is the same refund.
func (s *Shop) refundFailed(ctx context.Context, o db.Order, p db.Payment, r RefundRequest, cause error) error {
	if errors.Is(cause, payment.ErrLater) {
		return problem.Later(cause, "The provider can't be reached right now. Decide it again: it is given back once.")
	}
	err := s.DB.InTx(ctx, func(tx *store.Tx) error {
		row, err := lockTx(ctx, tx, o.ID)
		if err != nil {
			return err
		}
		_, err = tx.SaveOrder(ctx, row.Order, row.Order, store.Entry{
			Kind: "refund_refused", Source: store.FromStaff, Actor: r.Actor, Changes: requested(r, p),
		})
		return err
	})
	return errors.Join(fmt.Errorf("refund at %s: %w", p.Provider, cause), err)
}

// readBack applies the provider's record as it is after the refund. A provider that
// can't be asked tells by webhook, and so does one that can't answer now.
func (s *Shop) readBack(ctx context.Context, o db.Order, p db.Payment, actor string) (db.Order, error) {
	source, ok := s.Providers[p.Provider].(payment.Fetcher)
	if !ok {
		return o, nil
	}
	q := Question{Provider: p.Provider, Ref: store.Deref(p.ProviderRef), Counted: p.ProviderRevision.Sign() > 0}
	err := Refresh(ctx, s.DB, q, source, func(snapshot payment.Snapshot, seen Seen) error {
		return s.DB.InTx(ctx, func(tx *store.Tx) error {
			out, err := ApplyTx(ctx, tx, Application{
				Provider: p.Provider, Snapshot: snapshot, Source: store.FromStaff, Actor: actor, Seen: seen,
			})
			if out.Order != nil {
				o = *out.Order
			}
			return err
		})
	})
	if errors.Is(err, payment.ErrLater) {
		s.Log.Warn("the refund was taken but can't be read back now", "provider", p.Provider, "order", o.Number)
		return o, nil
	}
	return o, err
}
