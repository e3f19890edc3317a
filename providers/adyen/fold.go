package adyen

import (
	"cmp"
	"slices"
	"strings"

	"onceshop/payment"
)

// Began is the reference that the payment's authorisation carries, or its capture while
// that isn't told.
func (a *Adapter) Began(ref string, events []payment.Event) (orderRef string, told bool, err error) {
	facts, err := readFacts(events)
	orderRef, told = beginnings(facts)[ref]
	return orderRef, told, err
}

// Fold makes the snapshot of the payment that we know by ref from what was told of
// it; of one that isn't ours, ref is Adyen's own. The same set of events gives the
// same snapshot, in whatever order and however often they are handed over, and one
// event more moves it forward only: package payment takes each snapshot after the one
// of fewer events. Facts that contradict one another are told as they are, for package
// payment to refuse.
//
// Its errors are payment.ErrNotFound where nothing tells of a payment and its
// amount, and payment.ErrLater where money is told of that we can't count.
func (a *Adapter) Fold(ref string, events []payment.Event) (payment.Snapshot, error) {
	const what = "fold a payment"
	if ref == "" {
		return payment.Snapshot{}, a.api.Unknown(what, "it has no reference")
	}
	facts, err := readFacts(events)
	if err != nil {
		return payment.Snapshot{}, err
	}
	s := payment.Snapshot{
		Ref: ref, OrderRef: ref, Revision: payment.NewAmount(int64(len(facts))), Risk: payment.NotAssessed(),
	}
	facts = about(ref, facts)
	if code := uncounted(facts); code != "" {
		return payment.Snapshot{}, a.api.Later(what, code+" tells no amount that we can count")
	}
	told := currencies(facts)
	if len(told) == 0 {
		return payment.Snapshot{}, a.api.Unknown(what, "no event tells of it")
	}
	l := newLedger(facts, told[0], a.automatic)
	if s.Amount = l.asked; s.Amount.Sign() == 0 {
		return payment.Snapshot{}, a.api.Unknown(what, "no event tells its amount")
	}
	// Money in two currencies has no sum: named together they are none that anybody
	// asked for.
	s.Currency = strings.Join(told[:min(len(told), 2)], "/")
	for _, p := range l.each() {
		refunded, reversed := l.givenBack(p)
		taken := l.takenBack(p)
		s.Received = s.Received.Add(l.gross(p)).Sub(taken)
		s.TakenBack = s.TakenBack.Add(taken)
		s.Refunded, s.Reversed = s.Refunded.Add(refunded), s.Reversed.Add(reversed)
		s.Refunds = append(s.Refunds, l.singleRefunds(p)...)
	}
	s.Refunds = append(s.Refunds, l.vainRefunds(told[0])...)
	slices.SortFunc(s.Refunds, func(a, b payment.Refund) int { return cmp.Compare(a.Ref, b.Ref) })
	s.Status = l.status(s)
	s.RefundStatus = payment.RefundStatusOf(s.Refunded, s.Amount)
	s.Disputes = disputes(facts, told[0])
	return s, nil
}

// most is what was authorised, else the largest amount that was tried, else taken or
// given up. Captures may be of a part, and several of them parts of one or one after
// the other failed.
func (l *ledger) most() payment.Amount {
	var authorised, taken payment.Amount
	for _, a := range l.attempts {
		authorised = larger(authorised, a.limit)
		taken = larger(taken, l.gross(a).Sub(l.takenBack(a)))
		for _, n := range a.captures {
			taken = larger(taken, n)
		}
	}
	for _, n := range []payment.Amount{authorised, l.tried, taken} {
		if n.Sign() > 0 {
			return n
		}
	}
	return l.ended
}

// status is the best that the attempts have come to. One that failed leaves the page
// open for the next, so it counts for nothing.
func (l *ledger) status(s payment.Snapshot) payment.Status {
	var live, cancelled, expired bool
	for _, a := range l.attempts {
		live = live || l.isLive(a)
		cancelled = cancelled || l.isCancelled(a)
		expired = expired || a.expired || a.closed
	}
	switch {
	case s.Received.Cmp(s.Amount) >= 0:
		return payment.Paid
	case s.TakenBack.Sign() > 0, cancelled && !live:
		return payment.Failed
	case live:
		return payment.Authorised
	case expired:
		return payment.Expired
	}
	return payment.Pending
}

// disputes are known by their own references. Their events come in any order: the
// latest stage of the proceedings counts.
func disputes(facts []fact, currency string) []payment.Dispute {
	latest := map[string]fact{}
	for _, f := range facts {
		if known, ok := latest[f.psp]; stage(f.code) > 0 && (!ok || stage(f.code) > stage(known.code)) {
			latest[f.psp] = f
		}
	}
	var all []payment.Dispute
	for psp, f := range latest {
		d := payment.Dispute{Ref: psp, Status: disputeStatus(f.code)}
		if f.currency == currency {
			d.Amount = f.money()
		}
		all = append(all, d)
	}
	slices.SortFunc(all, func(a, b payment.Dispute) int { return cmp.Compare(a.Ref, b.Ref) })
	return all
}

// stage orders what may happen to a dispute; zero: nothing of consequence. What is
// won may be claimed again, and an arbitration ends it.
func stage(code string) int {
	return 1 + slices.Index([]string{
		chargebackNotice, disputeOpened, chargeback, chargebackReversed, secondChargeback, preArbitrationWon, preArbitrationLost,
	}, code)
}

func disputeStatus(code string) payment.DisputeStatus {
	switch code {
	case chargebackReversed, preArbitrationWon:
		return payment.DisputeWon
	case secondChargeback, preArbitrationLost:
		return payment.DisputeLost
	}
	return payment.DisputeOpen
}
