package payment_test

import (
	"testing"

	"onceshop/payment"
)

// TestWhatIsTakenBackHasToBeSaid holds records of 50000 that were paid, with 20000
// refunded, against snapshots in which something became less.
func TestWhatIsTakenBackHasToBeSaid(t *testing.T) {
	t.Parallel()
	before := payment.Next(asked(), report(1, payment.Paid, refunded(payment.PartiallyRefunded, 20000))).Record
	less := func(f func(*payment.Snapshot)) payment.Snapshot {
		s := report(2, payment.Paid, refunded(payment.PartiallyRefunded, 20000))
		f(&s)
		return s
	}
	none := func(s *payment.Snapshot) { s.Refunded, s.RefundStatus = payment.Amount{}, payment.NotRefunded }
	for name, c := range map[string]struct {
		snapshot payment.Snapshot
		want     payment.Verdict
	}{
		"the refund came back": {less(func(s *payment.Snapshot) { none(s); s.Reversed = payment.NewAmount(20000) }), payment.Applied},
		"a part of it came back": {less(func(s *payment.Snapshot) {
			s.Refunded, s.Reversed = payment.NewAmount(15000), payment.NewAmount(5000)
		}), payment.Applied},
		"it shrank":                       {less(func(s *payment.Snapshot) { s.Refunded = payment.NewAmount(15000) }), payment.NeedsReview},
		"it shrank by more than was said": {less(func(s *payment.Snapshot) { none(s); s.Reversed = payment.NewAmount(19999) }), payment.NeedsReview},
		"the money was taken back": {less(func(s *payment.Snapshot) {
			none(s)
			s.Status, s.Received, s.TakenBack, s.Reversed = payment.Failed, payment.Amount{}, payment.NewAmount(50000), payment.NewAmount(20000)
		}), payment.Applied},
		"it failed without a word": {less(func(s *payment.Snapshot) {
			none(s)
			s.Status, s.Received, s.Reversed = payment.Failed, payment.Amount{}, payment.NewAmount(20000)
		}), payment.NeedsReview},
	} {
		if d := payment.Next(before, c.snapshot); d.Verdict != c.want {
			t.Errorf("%s: %s %s, want %s", name, d.Verdict, d.Reason, c.want)
		}
	}
}

func TestATotalOfWhatWasTakenBackNeverShrinks(t *testing.T) {
	t.Parallel()
	before := report(1, payment.Paid)
	before.Reversed, before.TakenBack = payment.NewAmount(5), payment.NewAmount(7)
	r := payment.Next(asked(), before).Record
	for _, change := range []func(*payment.Snapshot){
		func(s *payment.Snapshot) { s.Reversed = payment.NewAmount(4) },
		func(s *payment.Snapshot) { s.TakenBack = payment.NewAmount(6) },
	} {
		after := before
		after.Revision = payment.NewAmount(2)
		change(&after)
		if d := payment.Next(r, after); d.Verdict != payment.NeedsReview {
			t.Errorf("%s for %+v", d.Verdict, after)
		}
	}
}

func TestDisputesTogetherMeanTheWorstOfThem(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		disputes []payment.DisputeStatus
		want     payment.DisputeStatus
	}{
		{[]payment.DisputeStatus{payment.DisputeWon, payment.DisputeOpen}, payment.DisputeOpen},
		{[]payment.DisputeStatus{payment.DisputeOpen, payment.DisputeWon}, payment.DisputeOpen},
		{[]payment.DisputeStatus{payment.DisputeLost, payment.DisputeOpen}, payment.DisputeLost},
		{[]payment.DisputeStatus{payment.DisputeWon, payment.DisputeLost, payment.DisputeOpen}, payment.DisputeLost},
		{[]payment.DisputeStatus{payment.DisputeWon, payment.DisputeWon}, payment.DisputeWon},
	} {
		s := report(1, payment.Paid)
		for i, status := range c.disputes {
			s.Disputes = append(s.Disputes, payment.Dispute{Ref: string(rune('a' + i)), Amount: s.Amount, Status: status})
		}
		if got := payment.Next(asked(), s).Record.DisputeStatus; got != c.want {
			t.Errorf("%v together are %s, want %s", c.disputes, got, c.want)
		}
	}
}

func TestADisputeThatASnapshotDoesNotMentionStays(t *testing.T) {
	t.Parallel()
	first := report(1, payment.Paid)
	first.Disputes = []payment.Dispute{{Ref: "a", Amount: first.Amount, Status: payment.DisputeOpen}}
	r := payment.Next(asked(), first).Record
	r = payment.Next(r, report(2, payment.Paid)).Record
	if r.DisputeStatus != payment.DisputeOpen || len(r.Disputes) != 1 {
		t.Errorf("%s of %v", r.DisputeStatus, r.Disputes)
	}
}
