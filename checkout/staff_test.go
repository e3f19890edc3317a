package checkout_test

import (
	"testing"

	"onceshop/checkout"
	"onceshop/payment"
	"onceshop/shoptest"
	"onceshop/store"
)

func TestAnOrderThatWasPaidAfterItsCancellationIsDeliveredWhenItIsReopened(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	order, ref := s.Buy(1)
	s.Cancel(order.ID)
	s.Report("payment.paid", shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "paid"})
	s.Settle()
	if o := s.Order(order.ID); store.Deref(o.ReviewReason) != checkout.PaidAfterCancellation || len(s.Licenses(order.ID)) != 0 {
		t.Fatalf("review %q, %d licenses", store.Deref(o.ReviewReason), len(s.Licenses(order.ID)))
	}
	s.Reopen(order.ID)
	s.Settle()
	o := s.Order(order.ID)
	if o.PaymentStatus != payment.Paid || o.ReviewReason != nil || o.FulfillmentStatus != store.DeliveryDone || len(s.Licenses(order.ID)) != 1 {
		t.Errorf("%s, review %q, %s, %d licenses", o.PaymentStatus, store.Deref(o.ReviewReason), o.FulfillmentStatus, len(s.Licenses(order.ID)))
	}
}

func TestTheReviewOfACancelledOrderEndsWhenItsMoneyHasGoneBack(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	order, ref := s.Buy(1)
	s.Cancel(order.ID)
	s.Report("payment.paid", shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "paid"})
	s.Report("refund.completed", shoptest.Order{ID: ref, Revision: "3", PaymentStatus: "paid", RefundStatus: "full", RefundedAmount: "50000"})
	s.Settle()
	if o := s.Order(order.ID); o.ReviewReason != nil || o.PaymentStatus != payment.Cancelled || len(s.Licenses(order.ID)) != 0 {
		t.Errorf("review %q, %s, %d licenses", store.Deref(o.ReviewReason), o.PaymentStatus, len(s.Licenses(order.ID)))
	}
}

func TestAnOrderWhoseMoneyIsOnlyReservedCanBeEnded(t *testing.T) {
	t.Parallel()
	s, plain := plainShop(t)
	order, ref := s.BuyWith(shoptest.PlainName, "plain", 2)
	change(s, plain, ref, "a part captured", func(p *payment.Snapshot) { p.Status, p.Received = payment.Authorised, payment.NewAmount(5000) })
	s.Cancel(order.ID)
	if o := s.Order(order.ID); o.PaymentStatus != payment.Cancelled || store.Deref(o.ReviewReason) != checkout.PaidAfterCancellation {
		t.Errorf("%s, review %q while we hold the part", o.PaymentStatus, store.Deref(o.ReviewReason))
	}
	back := shoptest.RefundOf(order.ID, 5000)
	back.Attempt = 1
	if _, err := s.Shop.Refund(t.Context(), back); err != nil {
		t.Fatal(err)
	}
	if o := s.Order(order.ID); o.PaymentStatus != payment.Cancelled || o.ReviewReason != nil || len(s.Licenses(order.ID)) != 0 {
		t.Errorf("%s, review %q, %d licenses after it went back", o.PaymentStatus, store.Deref(o.ReviewReason), len(s.Licenses(order.ID)))
	}
}

func TestARenewedLinkReplacesTheOldOne(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	order, _ := s.Buy(1)
	old := checkout.HashToken(s.Shop.OrderToken(order.ID, 1))
	var url string
	err := s.DB.InTx(t.Context(), func(tx *store.Tx) (err error) {
		url, err = s.Shop.RenewLinkTx(t.Context(), tx, order.ID)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if url != s.Shop.OrderURL(s.Order(order.ID)) {
		t.Errorf("the new address %s isn't the order's", url)
	}
	if _, err := s.DB.FindOrderByToken(t.Context(), old); !store.IsNotFound(err) {
		t.Errorf("the old link still opens the order: %v", err)
	}
	if _, err := s.DB.FindOrderByToken(t.Context(), checkout.HashToken(s.Shop.OrderToken(order.ID, 2))); err != nil {
		t.Errorf("the new link opens nothing: %v", err)
	}
}

func TestPayPressedTwentyTimesIsOneOrderAndOnePayment(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	s.Product("product", "Product", "50000", "USDC")
	token, err := s.Shop.AddToCart(t.Context(), "", "product", 1)
	if err != nil {
		t.Fatal(err)
	}
	shoptest.Together(20, func(int) {
		if _, err := s.Shop.Begin(t.Context(), token, shoptest.Buyer, ""); err != nil {
			t.Error(err)
		}
	})
	if n := s.Count("SELECT COUNT(*) FROM shop_orders"); n != 1 {
		t.Errorf("%d orders", n)
	}
	if n := s.Platform.Creates(); n != 1 {
		t.Errorf("%d payments at the platform", n)
	}
}
