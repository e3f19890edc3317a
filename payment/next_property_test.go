package payment_test

import (
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"onceshop/payment"
)

// history draws what an honest provider may live through with one payment: one
// revision up at each step, and whatever is taken back is said to be. It is written
// without a look at the rules of Next.
func history(t *rapid.T) []payment.Snapshot {
	total := draw(t, "total", payment.NewAmount(2), amount(t, "1"+strings.Repeat("0", rapid.SampledFrom([]int{1, 4, 24, 60}).Draw(t, "size"))))
	s := payment.Snapshot{
		Ref: "pay_1", Revision: payment.NewAmount(1), Status: payment.Pending, RefundStatus: payment.NotRefunded,
		Amount: total, Currency: "DAI", Risk: payment.NotAssessed(),
	}
	snapshots := []payment.Snapshot{s}
	clock := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for range rapid.IntRange(0, 9).Draw(t, "steps") {
		s = step(t, s, clock)
		s.Revision = s.Revision.Add(payment.NewAmount(1))
		snapshots = append(snapshots, s)
		clock = clock.Add(time.Minute)
	}
	return snapshots
}

func step(t *rapid.T, s payment.Snapshot, clock time.Time) payment.Snapshot {
	one := payment.NewAmount(1)
	steps := []string{"risk"}
	switch {
	case s.Status == payment.Paid:
		steps = append(steps, "surplus")
		if s.Refunded.Cmp(s.Received) < 0 {
			steps = append(steps, "refund", "refund all")
		}
		if s.Refunded.Sign() == 0 {
			steps = append(steps, "taken back")
		} else {
			steps = append(steps, "refund failed")
		}
	default:
		steps = append(steps, "confirm", "authorise", "pay", "fail", "expire")
		if s.Received.Cmp(s.Amount.Sub(one)) < 0 {
			steps = append(steps, "part")
		}
	}
	switch rapid.SampledFrom(append(steps, "dispute")).Draw(t, "step") {
	case "dispute":
		s.Disputes = slices.Clone(s.Disputes)
		status := rapid.SampledFrom([]payment.DisputeStatus{payment.DisputeOpen, payment.DisputeWon, payment.DisputeLost}).Draw(t, "status")
		if len(s.Disputes) == 0 || rapid.Bool().Draw(t, "another") {
			s.Disputes = append(s.Disputes, payment.Dispute{Ref: "dispute " + strconv.Itoa(len(s.Disputes)), Amount: s.Amount, Status: payment.DisputeOpen})
		} else {
			s.Disputes[len(s.Disputes)-1].Status = status
		}
	case "authorise":
		s.Status = payment.Authorised
	case "taken back":
		s.Status, s.TakenBack, s.Received = payment.Failed, s.TakenBack.Add(s.Received), payment.Amount{}
	case "refund failed":
		back := draw(t, "failed", one, s.Refunded)
		s.Reversed = s.Reversed.Add(back)
		s = refund(s, payment.Amount{}.Sub(back))
	case "risk":
		s.Risk.Decision = rapid.SampledFrom([]string{"allow", "review", "deny", "hold"}).Draw(t, "decision")
		until := clock.Add(time.Hour)
		s.Risk.AssessedAt, s.Risk.ValidUntil = &clock, &until
	case "surplus":
		s.Received = s.Received.Add(draw(t, "more", one, s.Amount))
	case "refund":
		s = refund(s, draw(t, "back", one, s.Received.Sub(s.Refunded)))
	case "refund all":
		s = refund(s, s.Received.Sub(s.Refunded))
	case "confirm":
		s.Status = payment.Confirming
		s.Confirmations = rapid.IntRange(0, 12).Draw(t, "confirmations")
	case "pay":
		s.Status = payment.Paid
		if s.Received.Cmp(s.Amount) < 0 {
			s.Received = s.Amount
		}
	case "fail":
		s.Status = payment.Failed
	case "expire":
		s.Status = payment.Expired
	case "part":
		s.Received = draw(t, "arrived", s.Received.Add(one), s.Amount.Sub(one))
	}
	return s
}

func refund(s payment.Snapshot, back payment.Amount) payment.Snapshot {
	s.Refunded = s.Refunded.Add(back)
	s.RefundStatus = payment.PartiallyRefunded
	switch {
	case s.Refunded.Sign() == 0:
		s.RefundStatus = payment.NotRefunded
	case s.Refunded.Cmp(s.Amount) >= 0:
		s.RefundStatus = payment.FullyRefunded
	}
	return s
}

// ask is the record of the payment before its first snapshot.
func ask(s payment.Snapshot) payment.Record {
	return payment.Record{Ref: s.Ref, Status: payment.Pending, RefundStatus: payment.NotRefunded, Amount: s.Amount, Currency: s.Currency}
}

// Promise 5: any order, any repetition, any subset that holds the newest.
func TestAnyDeliveryOrderLeadsToTheSameRecord(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		snapshots := history(t)
		newest := len(snapshots) - 1
		want := payment.Next(ask(snapshots[0]), snapshots[newest]).Record

		deliveries := rapid.SliceOfN(rapid.IntRange(0, newest), 0, 30).Draw(t, "deliveries")
		at := rapid.IntRange(0, len(deliveries)).Draw(t, "newest at")
		deliveries = append(deliveries[:at:at], append([]int{newest}, deliveries[at:]...)...)

		r := ask(snapshots[0])
		for _, i := range deliveries {
			d := payment.Next(r, snapshots[i])
			wantVerdict := [3]payment.Verdict{payment.Stale, payment.Unchanged, payment.Applied}[1+snapshots[i].Revision.Cmp(r.Revision)]
			if d.Verdict != wantVerdict {
				t.Fatalf("revision %s on %s: %s %s", snapshots[i].Revision, r.Revision, d.Verdict, d.Reason)
			}
			r = d.Record
		}
		if diff := cmp.Diff(want, r); diff != "" {
			t.Fatal(diff)
		}
	})
}

// The same without a counter: in order, but repeated and with gaps.
func TestWithoutRevisionsGapsAndRepeatsLeadToTheSameRecord(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		snapshots := history(t)
		r := ask(snapshots[0])
		for i, s := range snapshots {
			s.Revision = payment.Amount{}
			times := rapid.IntRange(0, 2).Draw(t, "times")
			if i == len(snapshots)-1 {
				times++
			}
			for range times {
				d := payment.Next(r, s)
				if d.Verdict != payment.Applied && d.Verdict != payment.Unchanged {
					t.Fatalf("step %d: %s %s", i, d.Verdict, d.Reason)
				}
				r = d.Record
			}
		}
		newest := snapshots[len(snapshots)-1]
		if r.Status != newest.Status || r.RefundStatus != newest.RefundStatus ||
			!r.Received.Equal(newest.Received) || !r.Refunded.Equal(newest.Refunded) || r.Risk.Decision != newest.Risk.Decision ||
			!r.Reversed.Equal(newest.Reversed) || !r.TakenBack.Equal(newest.TakenBack) || cmp.Diff(newest.Disputes, r.Disputes, cmpopts.EquateEmpty()) != "" {
			t.Fatalf("the provider says\n%+v\nwe have\n%+v", newest, r)
		}
	})
}

// Every order of pending, confirming, paid, partial and full refund, each
// delivered twice: 10! / 2^5 = 113,400 sequences.
func TestEveryOrderOfFiveSnapshotsTwiceEachEndsRefunded(t *testing.T) {
	t.Parallel()
	five := []payment.Snapshot{
		report(1, payment.Pending), report(2, payment.Confirming), report(3, payment.Paid),
		report(4, payment.Paid, refunded(payment.PartiallyRefunded, 20000)),
		report(5, payment.Paid, refunded(payment.FullyRefunded, 50000)),
	}
	want := payment.Next(asked(), five[4]).Record
	sequences := 0
	var deliver func(r payment.Record, left [5]int)
	deliver = func(r payment.Record, left [5]int) {
		if left == [5]int{} {
			sequences++
			if r.Status != want.Status || r.RefundStatus != want.RefundStatus || !r.Refunded.Equal(want.Refunded) || !r.Revision.Equal(want.Revision) {
				t.Errorf("ends with %+v", r)
			}
			return
		}
		for i, n := range left {
			if n > 0 {
				left[i]--
				deliver(payment.Next(r, five[i]).Record, left)
				left[i]++
			}
		}
	}
	deliver(asked(), [5]int{2, 2, 2, 2, 2})
	if sequences != 113400 {
		t.Errorf("%d sequences", sequences)
	}
}

// nonsense draws snapshots from a provider that may say anything.
func nonsense(t *rapid.T) payment.Snapshot {
	small := rapid.Int64Range(-1, 6)
	status := rapid.SampledFrom([]payment.Status{payment.Pending, payment.Confirming, payment.Paid, payment.Paid, payment.Failed, payment.Expired, payment.Cancelled, ""})
	refund := rapid.SampledFrom([]payment.RefundStatus{payment.NotRefunded, payment.NotRefunded, payment.PartiallyRefunded, payment.FullyRefunded, "lost"})
	assessed := time.Unix(small.Draw(t, "assessed"), 0)
	return payment.Snapshot{
		Ref:           rapid.SampledFrom([]string{"pay_1", "pay_1", "pay_1", "pay_2"}).Draw(t, "ref"),
		Revision:      payment.NewAmount(small.Draw(t, "revision")),
		Status:        status.Draw(t, "status"),
		RefundStatus:  refund.Draw(t, "refund status"),
		Amount:        payment.NewAmount(rapid.SampledFrom([]int64{4, 4, 4, 3}).Draw(t, "amount")),
		Received:      payment.NewAmount(small.Draw(t, "received")),
		Refunded:      payment.NewAmount(small.Draw(t, "refunded")),
		Currency:      rapid.SampledFrom([]string{"DAI", "DAI", "DAI", "dai"}).Draw(t, "currency"),
		Confirmations: int(small.Draw(t, "confirmations")),
		Risk: payment.Risk{
			Decision:   rapid.SampledFrom([]string{"allow", "deny"}).Draw(t, "decision"),
			AssessedAt: rapid.SampledFrom([]*time.Time{nil, &assessed}).Draw(t, "assessment"),
		},
	}
}

// Promise 5 again, against a provider that isn't honest.
func TestNoSnapshotLowersWhatIsRecorded(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := payment.Record{Ref: "pay_1", Status: payment.Pending, RefundStatus: payment.NotRefunded, Amount: payment.NewAmount(4), Currency: "DAI"}
		for range rapid.IntRange(1, 40).Draw(t, "snapshots") {
			s := nonsense(t)
			d := payment.Next(r, s)
			n := d.Record
			switch {
			case r.Status == payment.Paid && n.Status != payment.Paid:
				t.Fatalf("paid became %s", n.Status)
			case r.RefundStatus == payment.FullyRefunded && n.RefundStatus != payment.FullyRefunded:
				t.Fatalf("a full refund became %s", n.RefundStatus)
			case n.Refunded.Cmp(r.Refunded) < 0, n.Received.Cmp(r.Received) < 0, n.Revision.Cmp(r.Revision) < 0:
				t.Fatalf("%+v became %+v", r, n)
			case n.Ref != "pay_1", n.Amount.String() != "4", n.Currency != "DAI":
				t.Fatalf("what we asked for became %+v", n)
			case n.Status == payment.Paid && n.Received.Cmp(n.Amount) < 0:
				t.Fatalf("paid with %s of %s", n.Received, n.Amount)
			case n.Refunded.Cmp(n.Received) > 0:
				t.Fatalf("%s of %s refunded", n.Refunded, n.Received)
			case n.Confirmations < 0:
				t.Fatalf("%d confirmations", n.Confirmations)
			}
			agrees(t, r, d)

			again := payment.Next(n, s)
			if d.Verdict == payment.Applied {
				if again.Verdict != payment.Unchanged {
					t.Fatalf("applied, and the same again is %s %v", again.Verdict, again.Changes)
				}
			} else if diff := cmp.Diff(d, again); diff != "" {
				t.Fatalf("decided otherwise the second time:\n%s", diff)
			}
			r = n
		}
	})
}

// agrees checks that the parts of a decision fit its verdict.
func agrees(t *rapid.T, before payment.Record, d payment.Decision) {
	same := cmp.Equal(before, d.Record)
	switch d.Verdict {
	case payment.Applied:
		if same || len(d.Changes) == 0 || d.Reason != "" || d.Refused != nil {
			t.Fatalf("applied: %+v", d)
		}
	case payment.NeedsReview:
		switch d.Reason {
		case payment.AmountMismatch, payment.CurrencyMismatch, payment.RefundExceedsPayment, payment.ImpossibleChange, payment.UnknownStatus:
		default:
			t.Fatalf("reason %q", d.Reason)
		}
		if !same || d.Changes != nil {
			t.Fatalf("refused: %+v", d)
		}
	case payment.Stale, payment.Unchanged:
		if !same || d.Changes != nil || d.Refused != nil || d.Reason != "" {
			t.Fatalf("%s: %+v", d.Verdict, d)
		}
	default:
		t.Fatalf("verdict %q", d.Verdict)
	}
}

// draw returns an amount from low to high, both included.
func draw(t *rapid.T, label string, low, high payment.Amount) payment.Amount {
	span := new(big.Int)
	span.SetString(high.Sub(low).String(), 10)
	span.Add(span, big.NewInt(1))
	n := new(big.Int).SetBytes(rapid.SliceOfN(rapid.Byte(), 1, 28).Draw(t, label))
	return low.Add(amount(t, n.Mod(n, span).String()))
}
