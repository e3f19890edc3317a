package adyen

import (
	"cmp"
	"maps"
	"slices"

	"onceshop/payment"
)

// attempt is all that was told of one of Adyen's payments. Each sum in it grows with
// what is told and never depends on the order in which it was.
type attempt struct {
	ref, account string
	authorised   bool
	limit        payment.Amount            // what was authorised
	captures     map[string]payment.Amount // by their own references; a failed one was one
	failed       map[string]bool           // captures that were taken back
	captured     bool                      // a capture was told, not only implied
	refused      bool                      // a capture was asked for in vain
	disputed     bool                      // the buyer's bank wants the money back
	refunds      map[string]payment.Amount // by their own references, failed ones as well
	undecided    map[string]bool           // refunds that are a cancellation if nothing was captured
	cancelled    bool
	expired      bool // the authorisation ran out
	closed       bool // the offer was never taken
}

// ledger is all that was told under one reference of ours.
type ledger struct {
	automatic bool
	attempts  map[string]*attempt
	returned  map[string]bool // refunds that failed or came back, by their references
	vain      []fact          // those and the refused ones, each with the payment it belongs to
	tried     payment.Amount  // the most that an attempt was for
	ended     payment.Amount  // the most that was cancelled or expired
	asked     payment.Amount  // what the buyer was asked for, as far as it is told
}

// newLedger adds up what is told in one currency.
func newLedger(facts []fact, currency string, automatic bool) *ledger {
	l := &ledger{automatic: automatic, attempts: map[string]*attempt{}, returned: map[string]bool{}}
	named := map[string]bool{}
	for _, f := range facts {
		if f.payment != "" && f.is(authorisation, capture) {
			named[f.payment] = true
		}
	}
	for _, f := range facts {
		switch {
		case f.currency != currency:
		case f.says(authorisation), f.is(offerClosed):
			l.tried = larger(l.tried, f.money())
		case f.isOfAttempt():
			l.ended = larger(l.ended, f.money())
		}
		if f.currency == currency || !countsMoney(f.code, f.success) {
			l.add(f, named)
		}
	}
	l.asked = l.most()
	return l
}

func (l *ledger) add(f fact, named map[string]bool) {
	if f.isVainRefund() {
		f.payment = belongs(f, named)
		l.vain = append(l.vain, f)
		if f.says(refundFailed, refundedReversed) {
			l.returned[f.psp] = true
		}
		return
	}
	switch {
	case f.is(authorisation):
		a := l.of(f.payment, f)
		a.authorised, a.limit = true, larger(a.limit, f.money())
	case f.is(capture), f.says(captureFailed):
		a := l.of(belongs(f, named), f)
		a.captures[f.psp] = larger(a.captures[f.psp], f.money())
		if f.code == captureFailed {
			a.failed[f.psp] = true
		} else {
			a.captured = true
		}
	case f.says(capture):
		l.of(belongs(f, named), f).refused = true
	case stage(f.code) > 0:
		l.of(belongs(f, named), f).disputed = true
	case f.is(refund, refundWithData, cancelOrRefund):
		a := l.of(belongs(f, named), f)
		a.refunds[f.psp] = f.money()
		a.undecided[f.psp] = f.code == cancelOrRefund
	case f.is(cancellation, technicalCancel):
		l.of(belongs(f, named), f).cancelled = true
	case f.is(expire):
		l.of(belongs(f, named), f).expired = true
	case f.is(offerClosed):
		l.of(f.payment, f).closed = true
	}
}

// belongs is the payment of a fact that may not name one: then it is the only one
// under the reference that is told of. An expiry that doesn't name the payment
// appears under a reference of its own.
func belongs(f fact, named map[string]bool) string {
	unnamed := f.payment == "" || f.code == expire && f.payment == f.psp && !named[f.payment]
	if unnamed && len(named) == 1 {
		for ref := range named {
			return ref
		}
	}
	return f.payment
}

func (l *ledger) of(ref string, f fact) *attempt {
	a, ok := l.attempts[ref]
	if !ok {
		a = &attempt{
			ref: ref, account: f.account, captures: map[string]payment.Amount{}, failed: map[string]bool{},
			refunds: map[string]payment.Amount{}, undecided: map[string]bool{},
		}
		l.attempts[ref] = a
	}
	return a
}

// each are the attempts in one order.
func (l *ledger) each() []*attempt {
	return slices.SortedFunc(maps.Values(l.attempts), func(a, b *attempt) int { return cmp.Compare(a.ref, b.ref) })
}

// gross is what ever arrived. Where captures are automatic, the authorisation is
// one, whether or not an event tells of it as well.
func (l *ledger) gross(a *attempt) (sum payment.Amount) {
	for _, n := range a.captures {
		sum = sum.Add(n)
	}
	if l.implies(a) {
		sum = larger(sum, a.limit)
	}
	return sum
}

// implies tells whether the authorisation counts as a capture. After one that was
// refused it does only where something is told that happens to captured money, or its
// end, with which the money counts as taken back.
func (l *ledger) implies(a *attempt) bool {
	return l.automatic && (!a.refused || a.captured || len(a.refunds) > 0 || a.disputed || a.cancelled || a.expired)
}

// takenBack is what of it was none: captures that failed after all, and the one that
// was only implied if its authorisation was cancelled or ran out, which happens to
// none that was captured.
func (l *ledger) takenBack(a *attempt) (sum payment.Amount) {
	if l.automatic && !a.captured && (a.cancelled || a.expired) {
		return l.gross(a)
	}
	for psp := range a.failed {
		sum = sum.Add(a.captures[psp])
	}
	return sum
}

// givenBack are the sums of the refunds that stand and of those that came back.
//
// A refund counts once the money that it gives back is told of: its capture may
// arrive later. More than was ever asked for can't be explained so, and is told.
func (l *ledger) givenBack(a *attempt) (refunded, reversed payment.Amount) {
	for psp, n := range a.refunds {
		if l.returned[psp] {
			reversed = reversed.Add(n)
		} else {
			refunded = refunded.Add(n)
		}
	}
	gross := l.gross(a)
	if refunded.Cmp(larger(l.asked, gross)) > 0 {
		return refunded, reversed
	}
	return smaller(refunded, gross), reversed
}

// isLive tells whether money is or may still be taken.
func (l *ledger) isLive(a *attempt) bool {
	return (a.authorised || l.gross(a).Sign() > 0) && !a.closed && !a.expired && !l.isCancelled(a)
}

func (l *ledger) isCancelled(a *attempt) bool {
	if a.cancelled || l.gross(a).Sign() > 0 {
		return a.cancelled
	}
	for _, undecided := range a.undecided {
		if undecided {
			return true
		}
	}
	return false
}

// singleRefunds are those of one attempt. A request that was a cancellation if
// nothing was captured is no refund yet.
func (l *ledger) singleRefunds(a *attempt) (all []payment.Refund) {
	gross := l.gross(a)
	counted, _ := l.givenBack(a)
	var standing payment.Amount
	for psp, n := range a.refunds {
		if !l.returned[psp] {
			standing = standing.Add(n)
		}
	}
	for psp, n := range a.refunds {
		r := payment.Refund{Ref: psp, Amount: n, Status: payment.RefundDone}
		switch {
		case a.undecided[psp] && gross.Sign() == 0:
			continue
		case l.returned[psp]:
			r.Status = payment.RefundFailed
		case !counted.Equal(standing):
			r.Status = payment.RefundPending
		}
		all = append(all, r)
	}
	return all
}

// vainRefunds are the refunds that came to nothing and that nothing tells of as given
// back, so that they move no sum. The shop has to know of them all the same: it waits
// for what it has asked for.
func (l *ledger) vainRefunds(currency string) (all []payment.Refund) {
	counted, failed := map[string]bool{}, map[string]payment.Amount{}
	for _, a := range l.attempts {
		for psp := range a.refunds {
			counted[psp] = true
		}
	}
	for _, f := range l.vain {
		if f.currency == currency && !counted[f.psp] && !l.isVainCancellation(f) {
			failed[f.psp] = larger(failed[f.psp], f.money())
		}
	}
	for psp, n := range failed {
		all = append(all, payment.Refund{Ref: psp, Amount: n, Status: payment.RefundFailed})
	}
	return all
}

// isVainCancellation tells of a request that had no money to give back.
func (l *ledger) isVainCancellation(f fact) bool {
	a, told := l.attempts[f.payment]
	return f.code == cancelOrRefund && (!told || l.gross(a).Sign() == 0)
}

func larger(a, b payment.Amount) payment.Amount {
	if a.Cmp(b) < 0 {
		return b
	}
	return a
}

func smaller(a, b payment.Amount) payment.Amount {
	if a.Cmp(b) > 0 {
		return b
	}
	return a
}
