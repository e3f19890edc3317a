package checkout_test

import (
	"testing"

	"onceshop/checkout"
	"onceshop/payment"
	"onceshop/problem"
	"onceshop/shoptest"
	"onceshop/store"
)

func refund(s *shoptest.Shop, orderID string, amount int64) error {
	_, err := s.Shop.Refund(s.Context(), shoptest.RefundOf(orderID, amount))
	return err
}

func TestARefundCountsOnceWhoeverTellsFirst(t *testing.T) {
	t.Parallel()
	for name, inside := range map[string]bool{"told afterwards": false, "told while the provider is asked": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, plain := plainShop(t)
			order, ref := sold(t, s, plain)
			if inside {
				plain.Before(func(string) {
					plain.Before(nil)
					s.Tell(shoptest.PlainName, shoptest.Told{ID: "refunded", Payment: ref})
					if _, err := s.Processor.RunOnce(t.Context()); err != nil {
						t.Error(err)
					}
				})
			}
			if err := refund(s, order.ID, 98); err != nil {
				t.Fatal(err)
			}
			s.Tell(shoptest.PlainName, shoptest.Told{ID: "refunded", Payment: ref})
			s.Settle()
			if o := s.Order(order.ID); o.RefundedAmount.String() != "98" || o.RefundStatus != payment.PartiallyRefunded {
				t.Errorf("refunded %s (%s), want 98", o.RefundedAmount, o.RefundStatus)
			}
			if err := refund(s, order.ID, 98); err != nil {
				t.Fatal(err)
			}
			if o := s.Order(order.ID); o.RefundedAmount.String() != "196" {
				t.Errorf("two genuine refunds came to %s", o.RefundedAmount)
			}
			if n := s.Count("SELECT COUNT(*) FROM shop_refunds"); n != 2 {
				t.Errorf("%d refunds are recorded, want 2", n)
			}
		})
	}
}

func TestTwentyPeopleWhoDecideTheSameRefundGiveItBackOnce(t *testing.T) {
	t.Parallel()
	s, plain := plainShop(t)
	order, _ := sold(t, s, plain)
	shoptest.Together(20, func(int) {
		// Those who come after it was counted decide a second one, of which nothing is
		// left to give back.
		if err := refund(s, order.ID, 15000); err != nil && problem.KindOf(err) != problem.Invalid {
			t.Error(err)
		}
	})
	s.Settle()
	if o := s.Order(order.ID); o.RefundedAmount.String() != "15000" {
		t.Errorf("refunded %s, want 15000", o.RefundedAmount)
	}
}

func TestARefundOfNothingOrOfTooMuchIsRefusedAndAsksNobody(t *testing.T) {
	t.Parallel()
	s, plain := plainShop(t)
	order, _ := sold(t, s, plain)
	unpaid, _ := s.BuyWith(shoptest.PlainName, "plain", 1)
	for _, amount := range []int64{0, -1, 20001} {
		if err := refund(s, order.ID, amount); problem.KindOf(err) != problem.Invalid {
			t.Errorf("%d: %v", amount, err)
		}
	}
	if err := refund(s, unpaid.ID, 1); problem.KindOf(err) != problem.Conflict {
		t.Errorf("of an unpaid order: %v", err)
	}
	if o := s.Order(order.ID); o.RefundedAmount.Sign() != 0 || s.Count("SELECT COUNT(*) FROM shop_order_revisions WHERE kind = 'refund_requested'") != 0 {
		t.Errorf("refunded %s", o.RefundedAmount)
	}
}

func TestWhatAnotherPaymentHoldsTooMuchIsGivenBackWithoutEndingTheLicense(t *testing.T) {
	t.Parallel()
	s, plain := plainShop(t)
	order, _ := sold(t, s, plain)
	plain.Change("second", func(p *payment.Snapshot) {
		p.OrderRef, p.Amount, p.Currency = order.ID+"/2", payment.NewAmount(20000), "EUR"
		shoptest.Paid(p)
	})
	s.Tell(shoptest.PlainName, shoptest.Told{ID: "second paid", Payment: "second", Order: order.ID + "/2"})
	s.Settle()
	if o := s.Order(order.ID); o.SurplusAmount.String() != "20000" {
		t.Fatalf("surplus %s", o.SurplusAmount)
	}
	_, err := s.Shop.Refund(t.Context(), checkout.RefundRequest{OrderID: order.ID, Attempt: 2, Amount: payment.NewAmount(20000), Actor: "anna"})
	if err != nil {
		t.Fatal(err)
	}
	holds(t, s, order.ID, payment.Paid, store.DeliveryDone, "active", "")
	if o := s.Order(order.ID); o.SurplusAmount.Sign() != 0 || o.RefundStatus != payment.NotRefunded {
		t.Errorf("surplus %s, refund %s", o.SurplusAmount, o.RefundStatus)
	}
}
