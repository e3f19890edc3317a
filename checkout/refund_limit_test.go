package checkout_test

import (
	"strings"
	"testing"

	"onceshop/payment"
	"onceshop/problem"
	"onceshop/shoptest"
)

// disputes are some of a payment, with the rest of it paid.
func disputes(all ...payment.Dispute) func(*payment.Snapshot) {
	return func(s *payment.Snapshot) { s.Disputes = all }
}

func about(ref string, amount int64, status payment.DisputeStatus) payment.Dispute {
	return payment.Dispute{Ref: ref, Amount: payment.NewAmount(amount), Status: status}
}

// wantLimit checks that not a cent more than limit can be given back, and why.
func wantLimit(t *testing.T, s *shoptest.Shop, id string, limit int64, kind problem.Kind, words ...string) {
	t.Helper()
	err := refund(s, id, limit+1)
	if problem.KindOf(err) != kind {
		t.Errorf("%d more than nothing: %v, want kind %d", limit+1, err, kind)
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("no %q in %q", w, err)
		}
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_order_revisions WHERE kind = 'refund_requested'"); n != 0 {
		t.Errorf("%d refunds were asked for", n)
	}
}

func TestWhatIsDisputedIsNotGivenBackBesides(t *testing.T) {
	t.Parallel()
	const lost, open, won = payment.DisputeLost, payment.DisputeOpen, payment.DisputeWon
	const settle = "accept the dispute at the provider, or wait until it is settled"
	for name, c := range map[string]struct {
		disputes []payment.Dispute
		refunded int64
		limit    int64
		kind     problem.Kind
		words    []string
	}{
		"all of it is open":       {[]payment.Dispute{about("dp_1", 20000, open)}, 0, 0, problem.Conflict, []string{"holds nothing", "200.00 EUR are disputed (dp_1)", settle}},
		"a part is open":          {[]payment.Dispute{about("dp_1", 5000, open)}, 0, 15000, problem.Conflict, []string{"Only 150.00 EUR", "50.00 EUR are disputed (dp_1)", settle}},
		"how much isn't known":    {[]payment.Dispute{about("dp_1", 0, open)}, 0, 0, problem.Conflict, []string{"200.00 EUR are disputed"}},
		"more than there is left": {[]payment.Dispute{about("dp_1", 20000, open)}, 3000, 0, problem.Conflict, []string{"170.00 EUR are disputed"}},
		"all of it is lost":       {[]payment.Dispute{about("dp_1", 20000, lost)}, 0, 0, problem.Invalid, []string{"holds nothing", "200.00 EUR were taken back by the buyer's bank (dispute dp_1)"}},
		"a part is lost":          {[]payment.Dispute{about("dp_1", 5000, lost)}, 1000, 14000, problem.Invalid, []string{"Only 140.00 EUR", "50.00 EUR were taken back"}},
		"one is open, one lost":   {[]payment.Dispute{about("dp_1", 5000, open), about("dp_2", 6000, lost)}, 0, 9000, problem.Conflict, []string{"Only 90.00 EUR", "60.00 EUR were taken back", "50.00 EUR are disputed (dp_1)"}},
		"it is won":               {[]payment.Dispute{about("dp_1", 20000, won)}, 0, 20000, problem.Invalid, []string{"Only 200.00 EUR of this payment can be given back."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, plain := plainShop(t)
			order, ref := sold(t, s, plain)
			change(s, plain, ref, "disputed", func(p *payment.Snapshot) {
				p.Refunded = payment.NewAmount(c.refunded)
				disputes(c.disputes...)(p)
			})
			wantLimit(t, s, order.ID, c.limit, c.kind, c.words...)
			if c.limit == 0 {
				return
			}
			if err := refund(s, order.ID, c.limit); err != nil {
				t.Errorf("what isn't disputed: %v", err)
			}
		})
	}
}

func TestADisputeThatIsWonGivesTheMoneyFree(t *testing.T) {
	t.Parallel()
	s, plain := plainShop(t)
	order, ref := sold(t, s, plain)
	change(s, plain, ref, "opened", dispute(payment.DisputeOpen))
	wantLimit(t, s, order.ID, 0, problem.Conflict)
	change(s, plain, ref, "won", dispute(payment.DisputeWon))
	if err := refund(s, order.ID, 20000); err != nil {
		t.Error(err)
	}
}
