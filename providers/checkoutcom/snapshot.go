package checkoutcom

import (
	"cmp"
	"context"
	"slices"

	"onceshop/payment"
	"onceshop/providers/wire"
)

// Fetch reads the payment's current record: all attempts under its reference
// together. ref is our reference, or the id of one of the attempts.
func (a *Adapter) Fetch(ctx context.Context, ref string) (payment.Snapshot, error) {
	const what = "fetch a payment"
	r, err := a.record(ctx, what, ref)
	if err != nil {
		return payment.Snapshot{}, err
	}
	return a.snapshot(ctx, what, r)
}

func (a *Adapter) snapshot(ctx context.Context, what string, r record) (payment.Snapshot, error) {
	captured := false
	for i := range r.attempts {
		if err := a.fill(ctx, what, &r.attempts[i]); err != nil {
			return payment.Snapshot{}, err
		}
		captured = captured || r.attempts[i].balances.captured.Sign() > 0
	}
	if captured {
		if err := a.disputed(ctx, what, &r); err != nil {
			return payment.Snapshot{}, err
		}
	}
	s, err := r.snapshot()
	if err != nil {
		return payment.Snapshot{}, a.api.Unreadable(what, err.Error())
	}
	return s, nil
}

// snapshot tells of all attempts together. Money counts wherever it was captured:
// an attempt that was declined later takes nothing back, and two that captured
// are a surplus.
func (r record) snapshot() (payment.Snapshot, error) {
	s := payment.Snapshot{
		Ref: r.ref, OrderRef: r.orderRef, Currency: r.attempts[0].currency.S, Risk: payment.NotAssessed(),
	}
	var err error
	ours := func(theirs payment.Amount) payment.Amount {
		amount, bad := units.From(theirs, s.Currency)
		if err == nil && bad != nil {
			err = wire.Faultf("is in a currency whose decimals we don't know")
		}
		return amount
	}
	for _, t := range r.attempts {
		if t.currency.S != s.Currency {
			return s, wire.Faultf("has attempts in two currencies under one reference")
		}
		// What was asked for is the same for all attempts on a page. If it weren't,
		// the least amount must not be taken for the whole.
		if amount := ours(t.amount.Amount); amount.Cmp(s.Amount) > 0 {
			s.Amount = amount
		}
		s.Received = s.Received.Add(ours(t.balances.captured.Amount))
		s.Refunded = s.Refunded.Add(ours(t.balances.refunded.Amount))
		for _, c := range t.refunds {
			f := c.refund()
			f.Amount = ours(f.Amount)
			s.Refunds = append(s.Refunds, f)
		}
	}
	for _, d := range r.disputes {
		if d.currency.S != "" && d.currency.S != s.Currency {
			return s, wire.Faultf("has a dispute in another currency than its payment")
		}
		s.Disputes = append(s.Disputes, payment.Dispute{
			Ref: string(d.id), Amount: ours(d.amount.Amount), Reason: string(d.category), Status: d.state(),
		})
	}
	slices.SortFunc(s.Refunds, func(a, b payment.Refund) int { return cmp.Compare(a.Ref, b.Ref) })
	slices.SortFunc(s.Disputes, func(a, b payment.Dispute) int { return cmp.Compare(a.Ref, b.Ref) })
	s.Status = r.status()
	s.RefundStatus = payment.RefundStatusOf(s.Refunded, s.Amount)
	return s, err
}

// status is the best that an attempt has come to. It is paid as soon as all that
// was asked for has been captured, and never before. What an attempt in a state
// that we don't know has captured pays nothing: a person has to see it.
func (r record) status() payment.Status {
	var asked, captured payment.Amount
	best, ended := r.attempts[0].state(), false
	for _, t := range r.attempts {
		state := t.state()
		if rank(state) > rank(best) {
			best = state
		}
		ended = ended || rank(state) == rank(payment.Failed)
		if rank(state) != unknown {
			captured = captured.Add(t.balances.captured.Amount)
		}
		if t.amount.Cmp(asked) > 0 {
			asked = t.amount.Amount
		}
	}
	switch {
	case asked.Sign() > 0 && captured.Cmp(asked) >= 0:
		return payment.Paid
	case best == payment.Pending && ended:
		// Another attempt has failed before, which is where the payment stood, and
		// from there it can't become pending again. Checkout.com has this one.
		return payment.Confirming
	}
	return best
}
