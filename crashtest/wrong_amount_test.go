package crashtest_test

import (
	"testing"

	"onceshop/payment"
	"onceshop/shoptest"
	"onceshop/store"
	"onceshop/store/db"
)

// underReview demands that money which can't be right has bought nothing, and that
// a person is told.
func underReview(s *shoptest.Shop, orderID, reason string) {
	s.Helper()
	o := s.Order(orderID)
	if o.PaymentStatus == payment.Paid || o.PaidAt != nil || store.Deref(o.ReviewReason) != reason {
		s.Errorf("order is %s, review %q, want %q", o.PaymentStatus, store.Deref(o.ReviewReason), reason)
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_fulfillment_outbox") + len(s.Licenses(orderID)) + len(s.Sent.All()); n != 0 {
		s.Errorf("%d jobs, licenses and mails", n)
	}
	listed, err := s.DB.ListOrders(s.Context(), db.ListOrdersParams{Review: 1, Limit: 10})
	if err != nil || len(listed) != 1 {
		s.Errorf("the review list holds %d orders: %v", len(listed), err)
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_events WHERE verdict = 'needs_review'"); n != 1 {
		s.Errorf("%d events need a review, want 1", n)
	}
	if kinds := historyKinds(s, orderID); kinds[0] != "review" {
		s.Errorf("history, newest first: %v", kinds)
	}
}

func TestMoneyThatIsNotWhatWasAskedForIsReviewed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*shoptest.Order)
		reason string
	}{
		"ten of fifty thousand":    {func(o *shoptest.Order) { o.Amount = "10" }, payment.AmountMismatch},
		"another currency":         {func(o *shoptest.Order) { o.Currency = "USDT" }, payment.CurrencyMismatch},
		"one unit short":           {func(o *shoptest.Order) { o.ReceivedAmount = "49999" }, payment.AmountMismatch},
		"one unit less asked for":  {func(o *shoptest.Order) { o.Amount, o.ReceivedAmount = "49999", "49999" }, payment.AmountMismatch},
		"one unit more asked for":  {func(o *shoptest.Order) { o.Amount, o.ReceivedAmount = "50001", "50001" }, payment.AmountMismatch},
		"paid with nothing":        {func(o *shoptest.Order) { o.ReceivedAmount = "0" }, payment.AmountMismatch},
		"a word without a meaning": {func(o *shoptest.Order) { o.PaymentStatus = "settled" }, payment.UnknownStatus},
		"more given back than came": {func(o *shoptest.Order) {
			o.RefundStatus, o.RefundedAmount = "full", "50001"
		}, payment.RefundExceedsPayment},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := shoptest.New(t)
			order, ref := s.Buy(1)
			wrong := shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "paid"}.With(c.change)
			report(s, "payment.paid", wrong)
			underReview(s, order.ID, c.reason)

			// The same again is no news, and the right amount mends it.
			before := s.Order(order.ID).Revision
			report(s, "payment.paid", wrong)
			if o := s.Order(order.ID); o.Revision != before {
				t.Errorf("the same again made revision %d of %d", o.Revision, before)
			}
			report(s, "payment.paid", shoptest.Order{ID: ref, Revision: "3", PaymentStatus: "paid"})
			if o := s.Order(order.ID); o.PaymentStatus != payment.Paid || o.ReviewReason != nil || o.FulfillmentStatus != store.DeliveryDone {
				t.Errorf("after the right amount: %s, review %q, %s", o.PaymentStatus, store.Deref(o.ReviewReason), o.FulfillmentStatus)
			}
		})
	}
}

func TestAPriceThatChangesAfterTheCheckoutChangesNoOrder(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	order, ref := s.Buy(1)
	s.Exec("UPDATE shop_products SET price = 99000, name = 'Product, new edition'")
	report(s, "payment.paid", shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "paid"})
	sold(s, order.ID)
	if o := s.Order(order.ID); o.Total.String() != "50000" {
		t.Errorf("the total became %s", o.Total)
	}
}

func TestAmountsFarBeyondAnIntegerSurviveFromEndToEnd(t *testing.T) {
	t.Parallel()
	const (
		price = "1000000000000000000000000" // 10^24: a stablecoin's base units pass int64
		short = "999999999999999999999999"
	)
	s := shoptest.New(t)
	s.Product("whale", "Whale", price, "WEI")
	order, ref := s.BuyProduct("whale", 1)
	if asked := s.Platform.Order(ref); asked.Amount != price || order.Total.String() != price {
		t.Fatalf("asked for %s of %s", asked.Amount, order.Total)
	}
	record := func(revision, received string) shoptest.Order {
		return shoptest.Order{ID: ref, MerchantOrderID: order.ID, Revision: revision, PaymentStatus: "paid", Amount: price, ReceivedAmount: received, Currency: "WEI"}
	}
	report(s, "payment.paid", record("2", short))
	underReview(s, order.ID, payment.AmountMismatch)

	report(s, "payment.paid", record("3", price))
	refund := record("4", price)
	refund.RefundStatus, refund.RefundedAmount = "partial", short
	report(s, "refund.completed", refund)
	o, p := s.Order(order.ID), paymentOf(s, ref)
	if o.PaymentStatus != payment.Paid || o.ReceivedAmount.String() != price || o.RefundedAmount.String() != short || o.FulfillmentStatus != store.DeliveryDone {
		t.Errorf("order is %s, received %s, refunded %s, %s", o.PaymentStatus, o.ReceivedAmount, o.RefundedAmount, o.FulfillmentStatus)
	}
	if p.Amount.String() != price || p.Received.String() != price || p.Refunded.String() != short {
		t.Errorf("payment of %s, received %s, refunded %s", p.Amount, p.Received, p.Refunded)
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_orders WHERE total = " + price + " AND refunded_amount = " + short); n != 1 {
		t.Error("the stored row holds another number")
	}
}
