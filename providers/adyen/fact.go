package adyen

import (
	"cmp"
	"fmt"
	"slices"

	"onceshop/payment"
)

// fact is what one stored event tells: its signed fields.
type fact struct {
	identity
	payment  string // empty if the event names none
	order    string
	amount   *payment.Amount
	currency string
}

// is tells whether the fact is one of these codes, and happened.
func (f fact) is(codes ...string) bool { return f.success && slices.Contains(codes, f.code) }

// says tells whether the fact is one of these codes, whatever its success says.
func (f fact) says(codes ...string) bool { return slices.Contains(codes, f.code) }

// isVainRefund tells of a refund that was asked for and came to nothing.
func (f fact) isVainRefund() bool {
	return !f.success && f.says(refund, refundWithData, cancelOrRefund) || f.says(refundFailed, refundedReversed)
}

// money is what the fact is about, zero where it doesn't tell.
func (f fact) money() (m payment.Amount) {
	if f.amount != nil {
		m = *f.amount
	}
	return m
}

// readFacts makes a set of events: in one order, each once. Under one identity the
// shop keeps one content; should there be two, which of them counts doesn't depend
// on the order either.
func readFacts(events []payment.Event) ([]fact, error) {
	facts := make([]fact, 0, len(events))
	for _, e := range events {
		id, ok := parseIdentity(e.ID)
		if !ok || id.code != e.Type {
			return nil, fmt.Errorf("%w: a stored event's id isn't made of account, reference, code and success", payment.ErrMalformed)
		}
		facts = append(facts, fact{id, e.PaymentRef, e.OrderRef, e.Amount, e.Currency})
	}
	slices.SortFunc(facts, func(a, b fact) int {
		return cmp.Or(
			cmp.Compare(a.String(), b.String()), cmp.Compare(a.payment, b.payment), cmp.Compare(a.order, b.order),
			cmp.Compare(a.currency, b.currency), a.money().Cmp(b.money()),
		)
	})
	return slices.CompactFunc(facts, func(a, b fact) bool { return a.identity == b.identity }), nil
}

// beginnings are the references that payments began under, by the payments' own. The
// authorisation decides, or the offer that nobody took; while neither is told, a
// capture. Where they contradict one another, the payment is nobody's.
func beginnings(facts []fact) map[string]string {
	under, by := map[string]string{}, map[string]int{}
	for _, f := range facts {
		n := 0
		switch {
		case f.payment == "":
		case f.says(authorisation), f.is(offerClosed):
			n = 2
		case f.is(capture):
			n = 1
		}
		switch {
		case n == 0 || n < by[f.payment]:
		case n > by[f.payment]:
			under[f.payment], by[f.payment] = f.order, n
		case under[f.payment] != f.order:
			under[f.payment] = ""
		}
	}
	return under
}

// about keeps the facts of the payments that began under ref, whatever other reference
// is with them: whoever refunds a payment by hand may type another order's. Of one
// whose beginning isn't told yet, only its end counts, which moves no money: all else
// waits, for it may be another order's. ref may also be the one payment of Adyen's.
func about(ref string, facts []fact) []fact {
	under := beginnings(facts)
	return slices.DeleteFunc(facts, func(f fact) bool {
		began, told := under[f.payment]
		switch {
		case f.payment == ref:
			return false
		case told:
			return began != ref
		}
		return f.order != ref || f.payment != "" && !f.is(cancellation, technicalCancel, expire)
	})
}

// attempts and ends of them tell what was asked for, where nothing better does.
func (f fact) isOfAttempt() bool {
	return f.code == authorisation || f.is(offerClosed, expire, cancellation, technicalCancel)
}

// uncounted names a fact whose money matters and can't be counted, if there is one.
func uncounted(facts []fact) string {
	for _, f := range facts {
		counts := countsMoney(f.code, f.success)
		_, known := units[f.currency]
		if counts && f.amount == nil || (counts || f.isOfAttempt()) && f.currency != "" && !known {
			return f.code
		}
	}
	return ""
}

// currencies are those of the money that counts, the payment's own first: that of
// what was authorised, else captured, else given back, else asked for.
func currencies(facts []fact) (all []string) {
	for _, tier := range []func(fact) bool{
		func(f fact) bool { return f.is(authorisation) },
		func(f fact) bool { return f.is(capture) || f.says(captureFailed) },
		func(f fact) bool { return f.is(refund, refundWithData, cancelOrRefund) },
		func(f fact) bool { return len(all) == 0 && f.isOfAttempt() },
	} {
		var found []string
		for _, f := range facts {
			if tier(f) && f.currency != "" && !slices.Contains(all, f.currency) {
				found = append(found, f.currency)
			}
		}
		slices.Sort(found)
		all = append(all, slices.Compact(found)...)
	}
	return all
}
