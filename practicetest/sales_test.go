package practicetest

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"onceshop/payment"
	"onceshop/shoptest"
	"onceshop/store"
)

// each runs a test for every provider, side by side.
func each(t *testing.T, test func(t *testing.T, c *counter)) {
	t.Parallel()
	for _, p := range providers() {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			test(t, open(t, p))
		})
	}
}

// through hands on what the provider has sent, in order, and lets the shop work.
func (s sale) through(steps ...step) {
	s.Helper()
	for _, step := range steps {
		s.act(step)
		s.catchUp()
	}
}

func TestASaleIsPaidDeliveredAndRefundedInPartsThroughEveryProvider(t *testing.T) {
	each(t, func(t *testing.T, c *counter) {
		s := c.sell(2)
		half := s.order.Total.Sub(payment.NewAmount(1000))
		s.through(pay)
		if o := s.now(); o.PaymentStatus != payment.Paid || o.FulfillmentStatus != store.DeliveryDone || len(c.Licenses(o.ID)) != 2 {
			t.Fatalf("%+v", s.outcome())
		}
		s.through(refundOf(half))
		if o := s.now(); o.RefundStatus != payment.PartiallyRefunded || !o.RefundedAmount.Equal(half) || c.Licenses(o.ID)[0].Status != "active" {
			t.Errorf("after a part went back: %+v", s.outcome())
		}
		s.through(refundOf(payment.NewAmount(1000)))
		if o := s.now(); o.RefundStatus != payment.FullyRefunded || c.Licenses(o.ID)[0].Status != "revoked" || o.ReviewReason != nil {
			t.Errorf("after all went back: %+v", s.outcome())
		}
		if n := c.Count("SELECT COUNT(*) FROM shop_licenses"); n != 2 {
			t.Errorf("%d licenses were ever issued, want 2", n)
		}
	})
}

func TestADisputeIsOpenedAndWonThroughEveryProvider(t *testing.T) {
	each(t, func(t *testing.T, c *counter) {
		s := c.sell(1)
		s.through(pay, disputeOpens)
		if o := s.now(); o.DisputeStatus != payment.DisputeOpen || o.FulfillmentStatus != store.DeliverySuspended {
			t.Errorf("while it is open: %+v", s.outcome())
		}
		s.through(disputeWon)
		if o := s.now(); o.DisputeStatus == payment.DisputeOpen || o.FulfillmentStatus != store.DeliveryDone || c.Licenses(o.ID)[0].Status != "active" {
			t.Errorf("after it was won: %+v", s.outcome())
		}
	})
}

func TestAStaffRefundAndItsWebhookCountOnceThroughEveryProvider(t *testing.T) {
	each(t, func(t *testing.T, c *counter) {
		s := c.sell(1)
		s.through(pay)
		for _, want := range []string{"980", "1960"} {
			c.refund(s, 980)
			c.bench.Deliver()
			for _, l := range c.post.Take() {
				c.hand(l)
				c.hand(l)
			}
			c.work()
			if o := s.now(); o.RefundedAmount.String() != want || o.RefundStatus != payment.PartiallyRefunded {
				t.Errorf("refunded %s, want %s", o.RefundedAmount, want)
			}
		}
	})
}

func TestEveryWebhookTwiceBackwardsAndLateMakesOneDelivery(t *testing.T) {
	each(t, func(t *testing.T, c *counter) {
		s := c.sell(1)
		s.act(attemptFails)
		s.act(pay)
		s.act(refundOf(payment.NewAmount(500)))
		mail := c.post.Take()
		slices.Reverse(mail)
		for _, l := range append(mail, mail...) {
			c.hand(l)
		}
		c.work()
		want := outcome{Payment: "paid", Refund: "partial", Dispute: "none", Delivery: "delivered", Refunded: "500",
			Received: s.order.Total.String(), Licenses: []string{"active "}, Mails: 1}
		if d := cmp.Diff(want, s.outcome()); d != "" {
			t.Error(d)
		}
		// An hour later somebody sends it all again.
		for _, l := range mail {
			c.hand(l)
		}
		c.work()
		if d := cmp.Diff(want, s.outcome()); d != "" {
			t.Error(d)
		}
	})
}

func TestMoneyThatComesAfterTheOrderExpiredIsDeliveredThroughEveryProvider(t *testing.T) {
	each(t, func(t *testing.T, c *counter) {
		s := c.sell(1)
		s.act(pay)
		late := c.post.Take()
		c.Exec("UPDATE shop_orders SET expires_at = NOW(6) - INTERVAL 1 SECOND")
		if _, err := c.Shop.Shop.ExpireOnce(t.Context()); err != nil {
			t.Fatal(err)
		}
		if o := s.now(); o.PaymentStatus != payment.Expired {
			t.Fatalf("the order is %s before the money is known", o.PaymentStatus)
		}
		for _, l := range late {
			c.hand(l)
		}
		c.work()
		if o := s.now(); o.PaymentStatus != payment.Paid || o.FulfillmentStatus != store.DeliveryDone {
			t.Errorf("%+v", s.outcome())
		}
	})
}

// TestAHundredInterleavingsOfEachProviderEndAsInOrder lets what happens at the provider,
// what is delivered (shuffled, with duplicates) and the shop's own work take turns by
// chance.
func TestAHundredInterleavingsOfEachProviderEndAsInOrder(t *testing.T) {
	each(t, func(t *testing.T, c *counter) {
		inOrder := map[int]outcome{}
		tales := stories(c.provider)
		for i, tale := range tales {
			s := c.sell(1)
			s.through(tale...)
			inOrder[i] = s.outcome().settled()
			if inOrder[i].Review != "" {
				t.Fatalf("story %v in order needs a review: %+v", tale, inOrder[i])
			}
		}
		for seed := range 100 {
			random := rand.New(rand.NewPCG(uint64(seed), 7))
			i := random.IntN(len(tales))
			s := c.sell(1)
			c.interleave(s, tales[i], random)
			if d := cmp.Diff(inOrder[i], s.outcome().settled(), cmpopts.EquateEmpty()); d != "" {
				t.Errorf("seed %d, story %v:\n%s", seed, tales[i], d)
			}
		}
	})
}

func (c *counter) interleave(s sale, tale []step, random *rand.Rand) {
	c.Helper()
	var bag, all []letter
	for len(tale) > 0 || len(bag) > 0 {
		switch pick := random.IntN(4); {
		case pick == 0 && len(tale) > 0:
			s.act(tale[0])
			tale = tale[1:]
			mail := c.post.Take()
			bag, all = append(bag, mail...), append(all, mail...)
		case pick == 1 && len(bag) > 0:
			n := random.IntN(len(bag))
			c.hand(bag[n])
			bag = slices.Delete(bag, n, n+1)
		case pick == 2 && len(all) > 0 && random.IntN(3) == 0:
			c.hand(all[random.IntN(len(all))]) // once more, or for the first time
		case pick == 3:
			c.Settle()
		}
	}
	c.work()
}

func (c *counter) refund(s sale, amount int64) {
	c.Helper()
	if _, err := c.Shop.Shop.Refund(c.Context(), shoptest.RefundOf(s.order.ID, amount)); err != nil {
		c.Fatal(err)
	}
}
