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

// about keeps the facts of one reference: those that name it or no other, and those
// that name another but one of its payments, as a refund may that somebody asked for
// under a reference of its own.
func about(ref string, facts []fact) []fact {
	own := map[string]bool{}
	for _, f := range facts {
		if f.order == ref && f.payment != "" {
			own[f.payment] = true
		}
	}
	return slices.DeleteFunc(facts, func(f fact) bool { return f.order != ref && f.order != "" && !own[f.payment] })
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
