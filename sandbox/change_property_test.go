package sandbox

import (
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"onceshop/payment"
)

// TestEveryRevisionIsOneTheShopCanApply holds the sandbox's rules against the
// shop's: whatever is done here, no snapshot ever looks impossible there.
func TestEveryRevisionIsOneTheShopCanApply(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := Record{Order: fresh(100)}
		record := payment.Record{Amount: r.Amount, Currency: r.Currency}
		apply := func() {
			d := payment.Next(record, snapshot(r.Order))
			if d.Verdict != payment.Applied {
				t.Fatalf("revision %d is %s for the shop (%s): %+v", r.Revision, d.Verdict, d.Reason, r)
			}
			record = d.Record
		}
		apply()
		for range rapid.IntRange(1, 14).Draw(t, "steps") {
			n := rapid.Int64Range(1, 130).Draw(t, "n")
			amount, few := payment.NewAmount(n), rapid.IntRange(0, 2).Draw(t, "confirmations")
			do := actionJSON{Amount: &amount, Confirmations: &few}
			if rapid.Bool().Draw(t, "all") {
				do.Amount = nil
			}
			action := rapid.SampledFrom(append(Actions(), "pay", "authorise", "refund")).Draw(t, "action")
			decide := do.decide(action)
			if action == "refund" {
				decide = func(r Record, _ time.Time) (Record, string, error) {
					return r.refund(refundOf{amount: amount, all: do.Amount == nil})
				}
			}
			next, _, err := decide(r, noon)
			if err != nil {
				continue
			}
			next.Revision++
			r = numbered(next)
			if reason := wrong(r); reason != "" {
				t.Fatalf("after %s %s: %+v", action, reason, r)
			}
			apply()
		}
	})
}

// numbered gives new things an id, as storing them does.
func numbered(r Record) Record {
	for i := range r.Payments {
		r.Payments[i].ID = "payment-" + strconv.Itoa(i)
	}
	for i := range r.Refunds {
		r.Refunds[i].ID = "refund-" + strconv.Itoa(i)
	}
	for i := range r.Disputes {
		r.Disputes[i].ID = "dispute-" + strconv.Itoa(i)
	}
	return r
}

// wrong says where a record contradicts itself: the order's sums are those of its
// attempts and refunds.
func wrong(r Record) string {
	var received, taken, incoming, refunded, reversed payment.Amount
	reserved := 0
	for _, p := range r.Payments {
		switch p.Status {
		case AttemptTakenBack:
			taken = taken.Add(p.Captured)
		case AttemptConfirming:
			incoming = incoming.Add(p.Amount)
		case AttemptAuthorised:
			reserved++
			fallthrough
		default:
			received = received.Add(p.Captured)
		}
	}
	for _, f := range r.Refunds {
		if f.Status == payment.RefundFailed {
			reversed = reversed.Add(f.Amount)
		} else {
			refunded = refunded.Add(f.Amount)
		}
	}
	for name, sums := range map[string][2]payment.Amount{
		"received": {received, r.Received}, "taken back": {taken, r.TakenBack}, "incoming": {incoming, r.Incoming},
		"refunded": {refunded, r.Refunded}, "reversed": {reversed, r.Reversed},
	} {
		if !sums[0].Equal(sums[1]) {
			return name + " doesn't add up: " + sums[0].String() + " and " + sums[1].String()
		}
	}
	if (reserved == 1) != (r.Status == payment.Authorised) || reserved > 1 {
		return strconv.Itoa(reserved) + " attempts are reserved"
	}
	return ""
}

func snapshot(o Order) payment.Snapshot {
	revision, _ := payment.ParseAmount(strconv.FormatUint(o.Revision, 10))
	return payment.Snapshot{
		Ref: o.ID, Revision: revision, Status: o.Status, RefundStatus: o.RefundStatus, Amount: o.Amount,
		Received: o.Received, Refunded: o.Refunded, Reversed: o.Reversed, TakenBack: o.TakenBack, Currency: o.Currency, Confirmations: o.Confirmations, Risk: o.Risk,
	}
}
