package checkout_test

import (
	"testing"

	"onceshop/payment"
	"onceshop/shoptest"
	"onceshop/store"
	"onceshop/store/db"
)

// twicePaid is an order of 20000 that two payments have paid; the first one counts.
func twicePaid(t *testing.T, s *shoptest.Shop, plain *shoptest.Plain) (order db.Order, first, second string) {
	t.Helper()
	order, first = s.BuyWith(shoptest.PlainName, "plain", 2)
	overdue(s, order.ID)
	second = payAgain(s, order.ID)
	change(s, plain, first, "first paid", shoptest.Paid)
	change(s, plain, second, "second paid", shoptest.Paid)
	wantSurplus(t, s, order.ID, "20000")
	return order, first, second
}

func wantSurplus(t *testing.T, s *shoptest.Shop, id, surplus string) {
	t.Helper()
	if o := s.Order(id); o.SurplusAmount.String() != surplus {
		t.Errorf("surplus %s, want %s", o.SurplusAmount, surplus)
	}
}

func TestWhatABankTookBackIsNoSurplusAndCannotBeGivenBackOnceMore(t *testing.T) {
	t.Parallel()
	s, plain := plainShop(t)
	order, _, second := twicePaid(t, s, plain)
	change(s, plain, second, "lost", func(p *payment.Snapshot) {
		p.Disputes = []payment.Dispute{{Ref: "dp_1", Amount: payment.NewAmount(15000), Status: payment.DisputeLost}}
	})
	wantSurplus(t, s, order.ID, "5000")
	holds(t, s, order.ID, payment.Paid, store.DeliveryDone, "active", "")
	back := shoptest.RefundOf(order.ID, 5001)
	back.Attempt = 2
	if _, err := s.Shop.Refund(t.Context(), back); err == nil {
		t.Error("more was given back than the bank has left")
	}
	back.Amount = payment.NewAmount(5000)
	if _, err := s.Shop.Refund(t.Context(), back); err != nil {
		t.Error(err)
	}
	wantSurplus(t, s, order.ID, "0")
}

func TestADisputeOfAnUnknownAmountIsAboutAllOfThePayment(t *testing.T) {
	t.Parallel()
	s, plain := plainShop(t)
	order, _, second := twicePaid(t, s, plain)
	change(s, plain, second, "lost", func(p *payment.Snapshot) {
		p.Disputes = []payment.Dispute{{Ref: "dp_1", Status: payment.DisputeLost}}
	})
	wantSurplus(t, s, order.ID, "0")
	change(s, plain, second, "won", func(p *payment.Snapshot) {
		p.Disputes = []payment.Dispute{{Ref: "dp_1", Status: payment.DisputeWon}}
	})
	wantSurplus(t, s, order.ID, "20000")
}

func TestAnotherPaymentThatHoldsThePriceStandsInForADisputedOne(t *testing.T) {
	t.Parallel()
	s, plain := plainShop(t)
	order, first, second := twicePaid(t, s, plain)
	for _, status := range []payment.DisputeStatus{payment.DisputeOpen, payment.DisputeLost} {
		change(s, plain, first, "first "+string(status), dispute(status))
		holds(t, s, order.ID, payment.Paid, store.DeliveryDone, "active", "")
	}
	wantSurplus(t, s, order.ID, "0")
	change(s, plain, second, "second lost", func(p *payment.Snapshot) {
		p.Disputes = []payment.Dispute{{Ref: "dp_2", Amount: p.Amount, Status: payment.DisputeLost}}
	})
	holds(t, s, order.ID, payment.Paid, store.DeliveryRevoked, "revoked", "dispute_lost")
	wantSurplus(t, s, order.ID, "0")
}

func TestMoneyOfACancelledOrderThatABankTookBackNeedsNobodyAnyMore(t *testing.T) {
	t.Parallel()
	s, plain := plainShop(t)
	order, ref := s.BuyWith(shoptest.PlainName, "plain", 2)
	s.Cancel(order.ID)
	change(s, plain, ref, "paid", shoptest.Paid)
	if o := s.Order(order.ID); o.ReviewReason == nil {
		t.Fatal("money for a cancelled order isn't under review")
	}
	change(s, plain, ref, "lost", dispute(payment.DisputeLost))
	if o := s.Order(order.ID); o.ReviewReason != nil || o.PaymentStatus != payment.Cancelled || len(s.Licenses(order.ID)) != 0 {
		t.Errorf("%s, review %q, %d licenses", o.PaymentStatus, store.Deref(o.ReviewReason), len(s.Licenses(order.ID)))
	}
}
