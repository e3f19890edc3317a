package payment_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"onceshop/payment"
)

func TestSnapshotsAreJudged(t *testing.T) {
	t.Parallel()
	const (
		pending, confirming, paid = payment.Pending, payment.Confirming, payment.Paid
		failed, expired           = payment.Failed, payment.Expired
		partial, full             = payment.PartiallyRefunded, payment.FullyRefunded
		none                      = payment.NotRefunded
	)
	for _, c := range []struct {
		name   string
		known  []payment.Snapshot
		next   payment.Snapshot
		want   payment.Verdict
		reason string
	}{
		{"the first news", nil, report(1, pending), payment.Applied, ""},
		{"paid at once", nil, report(1, paid), payment.Applied, ""},
		{"paid overtakes confirming", h(report(2, paid)), report(1, confirming), payment.Stale, ""},
		{"the same again", h(report(2, paid)), report(2, paid), payment.Unchanged, ""},
		{"a newer revision that says the same", h(report(2, paid)), report(3, paid), payment.Applied, ""},
		{"nonsense of a lower revision is not read", h(report(2, paid)), report(1, "Paid!"), payment.Stale, ""},
		{"a provider that forgot its revisions", h(report(2, paid)), report(0, paid), payment.Stale, ""},

		{"another status under one revision", h(report(2, confirming)), report(2, paid), payment.NeedsReview, payment.ImpossibleChange},
		{"failed and confirming under one revision", h(report(2, confirming)), report(2, failed), payment.NeedsReview, payment.ImpossibleChange},
		{"another receipt under one revision", h(report(2, confirming)), report(2, confirming, received(1)), payment.NeedsReview, payment.ImpossibleChange},
		{"another refund under one revision", h(report(2, paid)), report(2, paid, refunded(partial, 1)), payment.NeedsReview, payment.ImpossibleChange},
		{"a larger refund under one revision", h(report(2, paid, refunded(partial, 1))), report(2, paid, refunded(partial, 2)), payment.NeedsReview, payment.ImpossibleChange},
		{"another word for a refund under one revision", h(report(2, expired, received(9), refunded(partial, 9))), report(2, expired, received(9), refunded(full, 9)), payment.NeedsReview, payment.ImpossibleChange},
		{"more confirmations under one revision", h(report(2, confirming, confirmations(1))), report(2, confirming, confirmations(2)), payment.Applied, ""},
		{"fewer confirmations under one revision", h(report(2, confirming, confirmations(2))), report(2, confirming, confirmations(1)), payment.Unchanged, ""},
		{"fewer confirmations in a newer revision", h(report(2, confirming, confirmations(2))), report(3, confirming, confirmations(0)), payment.Applied, ""},

		{"paid to pending", h(report(2, paid)), report(3, pending, received(50000)), payment.NeedsReview, payment.ImpossibleChange},
		{"paid to confirming", h(report(2, paid)), report(3, confirming, received(50000)), payment.NeedsReview, payment.ImpossibleChange},
		{"paid to failed", h(report(2, paid)), report(3, failed, received(50000)), payment.NeedsReview, payment.ImpossibleChange},
		{"paid to expired", h(report(2, paid)), report(3, expired, received(50000)), payment.NeedsReview, payment.ImpossibleChange},
		{"confirming to pending", h(report(2, confirming)), report(3, pending), payment.NeedsReview, payment.ImpossibleChange},
		{"confirming to failed", h(report(2, confirming)), report(3, failed), payment.Applied, ""},
		{"confirming to expired", h(report(2, confirming)), report(3, expired), payment.Applied, ""},
		{"failed to pending", h(report(2, failed)), report(3, pending), payment.NeedsReview, payment.ImpossibleChange},
		{"expired to pending", h(report(2, expired)), report(3, pending), payment.NeedsReview, payment.ImpossibleChange},
		{"money after failing", h(report(2, failed)), report(3, confirming), payment.Applied, ""},
		{"money after expiry", h(report(2, expired)), report(3, paid), payment.Applied, ""},
		{"a part after expiry", h(report(2, expired)), report(3, expired, received(20000)), payment.Applied, ""},
		{"expired, then called failed", h(report(2, expired)), report(3, failed), payment.Applied, ""},
		{"received shrinks before it is certain", h(report(2, confirming, received(20000))), report(3, failed), payment.Applied, ""},
		{"received shrinks after it has paid", h(report(2, paid, received(60000))), report(3, paid, received(50000)), payment.NeedsReview, payment.ImpossibleChange},

		{"too little asked for", nil, report(1, paid, asking(10, "USDC"), received(10)), payment.NeedsReview, payment.AmountMismatch},
		{"too much asked for", nil, report(1, paid, asking(50001, "USDC"), received(50001)), payment.NeedsReview, payment.AmountMismatch},
		{"wrong amount before any money", nil, report(1, pending, asking(49999, "USDC")), payment.NeedsReview, payment.AmountMismatch},
		{"right number, other currency", nil, report(1, paid, asking(50000, "USDT")), payment.NeedsReview, payment.CurrencyMismatch},
		{"currency in other letters", nil, report(1, paid, asking(50000, "usdc")), payment.NeedsReview, payment.CurrencyMismatch},
		{"one minor unit short", nil, report(1, paid, received(49999)), payment.NeedsReview, payment.AmountMismatch},
		{"exactly enough", nil, report(1, paid, received(50000)), payment.Applied, ""},
		{"a surplus", nil, report(1, paid, received(57100)), payment.Applied, ""},
		{"more surplus later", h(report(1, paid)), report(2, paid, received(57100)), payment.Applied, ""},
		{"a part", nil, report(1, confirming, received(10790)), payment.Applied, ""},

		{"a partial refund", h(report(1, paid)), report(2, paid, refunded(partial, 20000)), payment.Applied, ""},
		{"a second partial refund", h(report(1, paid), report(2, paid, refunded(partial, 20000))), report(3, paid, refunded(partial, 30000)), payment.Applied, ""},
		{"a full refund", h(report(1, paid)), report(2, paid, refunded(full, 50000)), payment.Applied, ""},
		{"paid and refunded in one", nil, report(4, paid, refunded(full, 50000)), payment.Applied, ""},
		{"a refund that shrinks", h(report(2, paid, refunded(partial, 20000))), report(3, paid, refunded(partial, 19999)), payment.NeedsReview, payment.ImpossibleChange},
		{"a full refund taken back", h(report(2, paid, refunded(full, 50000))), report(3, paid), payment.NeedsReview, payment.ImpossibleChange},
		{"a full refund that becomes partial", h(report(2, paid, received(60000), refunded(full, 50000))), report(3, paid, received(60000), refunded(partial, 50000)), payment.NeedsReview, payment.ImpossibleChange},
		{"a full refund repeated", h(report(2, paid, refunded(full, 50000))), report(3, paid, refunded(full, 50000)), payment.Applied, ""},
		{"surplus returned after a full refund", h(report(2, paid, received(60000), refunded(full, 50000))), report(3, paid, received(60000), refunded(full, 60000)), payment.Applied, ""},
		{"more refunded than arrived", h(report(1, paid)), report(2, paid, refunded(full, 50001)), payment.NeedsReview, payment.RefundExceedsPayment},
		{"refunded without a payment", nil, report(1, failed, refunded(partial, 1)), payment.NeedsReview, payment.RefundExceedsPayment},
		{"refund amount without its word", h(report(1, paid)), report(2, paid, refunded(none, 1)), payment.NeedsReview, payment.ImpossibleChange},
		{"partial without an amount", h(report(1, paid)), report(2, paid, refunded(partial, 0)), payment.NeedsReview, payment.ImpossibleChange},
		{"partial of everything", h(report(1, paid)), report(2, paid, refunded(partial, 50000)), payment.NeedsReview, payment.ImpossibleChange},
		{"full of a part", h(report(1, paid)), report(2, paid, refunded(full, 49999)), payment.NeedsReview, payment.ImpossibleChange},
		{"full of nothing", nil, report(1, expired, refunded(full, 0)), payment.NeedsReview, payment.ImpossibleChange},
		{"all of an incomplete payment returned", h(report(1, expired, received(10790))), report(2, expired, received(10790), refunded(full, 10790)), payment.Applied, ""},
		{"all of an incomplete payment returned, then partial", h(report(1, expired, received(10790), refunded(full, 10790))), report(2, paid, received(60790), refunded(partial, 10790)), payment.NeedsReview, payment.ImpossibleChange},
		{"full of a part of an incomplete payment", h(report(1, expired, received(10790))), report(2, expired, received(10790), refunded(full, 10789)), payment.NeedsReview, payment.ImpossibleChange},
		{"negative refund", nil, report(1, paid, refunded(none, -1)), payment.NeedsReview, payment.ImpossibleChange},
		{"negative receipt", nil, report(1, pending, received(-1)), payment.NeedsReview, payment.RefundExceedsPayment},

		{"an unknown status", nil, report(1, "settled"), payment.NeedsReview, payment.UnknownStatus},
		{"a status of orders", nil, report(1, payment.Cancelled), payment.NeedsReview, payment.UnknownStatus},
		{"no status", nil, report(1, ""), payment.NeedsReview, payment.UnknownStatus},
		{"an unknown refund status", nil, report(1, paid, refunded("some", 1)), payment.NeedsReview, payment.UnknownStatus},
		{"no refund status", nil, report(1, paid, refunded("", 0)), payment.NeedsReview, payment.UnknownStatus},
		{"another payment's record", nil, report(1, paid, func(s *payment.Snapshot) { s.Ref = "pay_2" }), payment.NeedsReview, payment.ImpossibleChange},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			before := after(t, c.known...)
			d := payment.Next(before, c.next)
			if d.Verdict != c.want || d.Reason != c.reason {
				t.Fatalf("got %q %q, want %q %q", d.Verdict, d.Reason, c.want, c.reason)
			}
			if c.want != payment.Applied {
				if diff := cmp.Diff(before, d.Record); diff != "" {
					t.Errorf("the record changed:\n%s", diff)
				}
			}
		})
	}
}

func TestWithoutRevisionsContentDecides(t *testing.T) {
	t.Parallel()
	r := after(t, report(0, payment.Confirming), report(0, payment.Paid))
	if d := payment.Next(r, report(0, payment.Paid)); d.Verdict != payment.Unchanged {
		t.Errorf("the same again: %s", d.Verdict)
	}
	if d := payment.Next(r, report(0, payment.Paid, refunded(payment.PartiallyRefunded, 1))); d.Verdict != payment.Applied {
		t.Errorf("a refund: %s", d.Verdict)
	}
	d := payment.Next(r, report(0, payment.Confirming, received(50000)))
	if d.Verdict != payment.NeedsReview || d.Reason != payment.ImpossibleChange {
		t.Errorf("backwards: %s %s", d.Verdict, d.Reason)
	}
}

func TestOneMinorUnitShortOfAVastSumIsNotPaid(t *testing.T) {
	t.Parallel()
	r := asked()
	r.Amount = amount(t, "1000000000000000000000000")
	s := report(1, payment.Paid)
	s.Amount = r.Amount

	s.Received = amount(t, "999999999999999999999999")
	if d := payment.Next(r, s); d.Reason != payment.AmountMismatch {
		t.Errorf("one short: %s %s", d.Verdict, d.Reason)
	}
	s.Received = r.Amount
	if d := payment.Next(r, s); d.Verdict != payment.Applied || d.Record.Received.String() != "1000000000000000000000000" {
		t.Errorf("in full: %s, received %s", d.Verdict, d.Record.Received)
	}
}

func TestWhatWeAskedForIsNeverTakenFromASnapshot(t *testing.T) {
	t.Parallel()
	d := payment.Next(asked(), report(9, payment.Paid, asking(1, "EUR"), received(1)))
	if d.Record.Amount.String() != "50000" || d.Record.Currency != "USDC" {
		t.Errorf("now we ask for %s %s", d.Record.Amount, d.Record.Currency)
	}
}
