package checkout_test

import (
	"net/http"
	"testing"

	"onceshop/checkout"
	"onceshop/payment"
	"onceshop/shoptest"
	"onceshop/store"
)

// overdue lets the order's time for paying run out.
func overdue(s *shoptest.Shop, orderID string) {
	s.Helper()
	s.Exec("UPDATE shop_orders SET expires_at = NOW(6) - INTERVAL 1 SECOND WHERE id = ?", orderID)
	if _, err := s.Shop.ExpireOnce(s.Context()); err != nil {
		s.Fatal(err)
	}
}

// payAgain starts the next payment and returns the platform's id of it.
func payAgain(s *shoptest.Shop, orderID string) string {
	s.Helper()
	if _, err := s.Shop.PayAgain(s.Context(), orderID, ""); err != nil {
		s.Fatal(err)
	}
	payments, err := s.DB.ListPaymentsOfOrder(s.Context(), &orderID)
	if err != nil {
		s.Fatal(err)
	}
	return store.Deref(payments[len(payments)-1].ProviderRef)
}

func TestAPaymentThatWasRefusedDoesNotHoldBackAnotherThatPaid(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	order, first := s.Buy(1)
	s.Report("payment.paid", shoptest.Order{ID: first, Revision: "2", PaymentStatus: "paid", Amount: "10"})
	s.Settle()
	if o := s.Order(order.ID); store.Deref(o.ReviewReason) != payment.AmountMismatch {
		t.Fatalf("review %q", store.Deref(o.ReviewReason))
	}
	overdue(s, order.ID)
	second := payAgain(s, order.ID)
	s.Report("payment.paid", shoptest.Order{ID: second, Revision: "2", PaymentStatus: "paid"})
	s.Settle()
	if o := s.Order(order.ID); o.PaymentStatus != payment.Paid || o.ReviewReason != nil || len(s.Licenses(order.ID)) != 1 {
		t.Errorf("%s, review %q, %d licenses", o.PaymentStatus, store.Deref(o.ReviewReason), len(s.Licenses(order.ID)))
	}
}

func TestAPersonEndsAReviewUntilTheProviderReportsSomethingNew(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	order, ref := s.Buy(1)
	wrong := shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "paid", Amount: "10"}
	reviewed := func() error {
		return s.DB.InTx(t.Context(), func(tx *store.Tx) error { return checkout.ReviewedTx(t.Context(), tx, order.ID, "anna") })
	}
	if err := reviewed(); err == nil {
		t.Error("an order without a review was reviewed")
	}
	s.Report("payment.paid", wrong)
	s.Settle()
	if err := reviewed(); err != nil {
		t.Fatal(err)
	}
	s.Report("payment.paid", wrong)
	s.Settle()
	if o := s.Order(order.ID); o.ReviewReason != nil || len(s.Licenses(order.ID)) != 0 {
		t.Errorf("what was looked at is asked again: %q, %d licenses", store.Deref(o.ReviewReason), len(s.Licenses(order.ID)))
	}
	wrong.Revision = "3"
	s.Report("payment.paid", wrong)
	s.Settle()
	if o := s.Order(order.ID); store.Deref(o.ReviewReason) != payment.AmountMismatch {
		t.Errorf("a new report isn't asked about: %q", store.Deref(o.ReviewReason))
	}
}

func TestEachPaymentFindsItsOwnRowWhateverIsNotedFirst(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	s.Product("product", "Product", "50000", "USDC")
	token, err := s.Shop.AddToCart(t.Context(), "", "product", 1)
	if err != nil {
		t.Fatal(err)
	}
	s.Platform.Fail(http.StatusServiceUnavailable)
	started, err := s.Shop.Begin(t.Context(), token, shoptest.Buyer, "")
	if err == nil {
		t.Fatal("the provider was away, and nobody noticed")
	}
	orderID := started.Order.ID
	overdue(s, orderID)
	// Back again. The event of the second payment is processed before the answer to
	// our request for it.
	s.Platform.Fail(0)
	const second = "44444444-0000-4000-8000-000000000002"
	s.Platform.NextID(second)
	s.Platform.Before(func(r *http.Request) {
		if r.Method != http.MethodPost {
			return
		}
		err := s.DB.InTx(r.Context(), func(tx *store.Tx) error {
			_, err := checkout.ApplyTx(r.Context(), tx, checkout.Application{
				Provider: "stablein", Source: store.FromWebhook, Actor: "stablein",
				Snapshot: payment.Snapshot{Ref: second, OrderRef: orderID + "/2", Revision: payment.NewAmount(1), Status: payment.Pending,
					RefundStatus: payment.NotRefunded, Amount: payment.NewAmount(50000), Currency: "USDC"},
			})
			return err
		})
		if err != nil {
			t.Error(err)
		}
	})
	if got := payAgain(s, orderID); got != second {
		t.Errorf("the second payment is %s, want %s", got, second)
	}
	if _, err := s.Shop.PayAgain(t.Context(), orderID, ""); err != nil {
		t.Errorf("pressing Pay once more: %v", err)
	}
	s.Report("payment.paid", shoptest.Order{ID: second, MerchantOrderID: orderID + "/2", Revision: "2", PaymentStatus: "paid"})
	s.Settle()
	if o := s.Order(orderID); o.PaymentStatus != payment.Paid || len(s.Licenses(orderID)) != 1 {
		t.Errorf("%s, %d licenses", o.PaymentStatus, len(s.Licenses(orderID)))
	}
}

func TestAnOrphanMakesRoomForThePaymentThatWasAskedFor(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	s.Product("product", "Product", "50000", "USDC")
	const ref = "44444444-0000-4000-8000-000000000009"
	// The platform's record names no order, and its event is faster than its answer.
	s.Report("payment.pending", shoptest.Order{ID: ref})
	s.Settle()
	s.Platform.NextID(ref)
	order, got := s.BuyProduct("product", 1)
	if got != ref {
		t.Fatalf("the payment's reference is %q", got)
	}
	s.Report("payment.paid", shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "paid"})
	s.Settle()
	if n := len(s.Licenses(order.ID)); n != 1 {
		t.Errorf("%d licenses, want 1", n)
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_payments"); n != 1 {
		t.Errorf("%d payments, want 1", n)
	}
}

func TestAPaymentOpenedByHandLeavesThePayButtonAlone(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	order, _ := s.Buy(1)
	byHand := shoptest.Order{ID: "55555555-0000-4000-8000-000000000001", MerchantOrderID: order.ID}
	s.Report("payment.pending", byHand)
	s.Settle()
	started, err := s.Shop.PayAgain(t.Context(), order.ID, "")
	if err != nil || started.PayURL == "" {
		t.Fatalf("pay: %q, %v", started.PayURL, err)
	}
	if n := s.Platform.Creates(); n != 1 {
		t.Errorf("%d payments created, want 1", n)
	}
	byHand.Revision, byHand.PaymentStatus = "2", "paid"
	s.Report("payment.paid", byHand)
	s.Settle()
	if o := s.Order(order.ID); o.PaymentStatus != payment.Paid || len(s.Licenses(order.ID)) != 1 {
		t.Errorf("%s, %d licenses", o.PaymentStatus, len(s.Licenses(order.ID)))
	}
}

func TestWhatMovesNoColumnOfTheOrderIsInItsHistoryToo(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	order, first := s.Buy(1)
	overdue(s, order.ID)
	second := payAgain(s, order.ID)
	s.Report("payment.paid", shoptest.Order{ID: second, Revision: "2", PaymentStatus: "paid"})
	s.Settle()
	before := s.Order(order.ID)
	s.Report("payment.expired", shoptest.Order{ID: first, Revision: "2", PaymentStatus: "expired"})
	s.Settle()
	o := s.Order(order.ID)
	if o.PaymentStatus != payment.Paid || o.FulfillmentStatus != store.DeliveryDone || o.Revision != before.Revision+1 {
		t.Errorf("%s, %s, revision %d after %d", o.PaymentStatus, o.FulfillmentStatus, o.Revision, before.Revision)
	}
	if n := len(s.Sent.All()); n != 1 {
		t.Errorf("%d mails", n)
	}
}

func TestARefundOfAnOrderThatWasNeverPaidIsBooked(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	order, ref := s.Buy(1)
	s.Report("payment.pending", shoptest.Order{ID: ref, Revision: "2", ReceivedAmount: "20000"})
	s.Report("payment.expired", shoptest.Order{ID: ref, Revision: "3", PaymentStatus: "expired", ReceivedAmount: "20000"})
	s.Report("refund.completed", shoptest.Order{ID: ref, Revision: "4", PaymentStatus: "expired", ReceivedAmount: "20000", RefundedAmount: "20000", RefundStatus: "full"})
	s.Settle()
	if o := s.Order(order.ID); o.RefundStatus != payment.FullyRefunded || o.RefundedAmount.String() != "20000" || o.PaymentStatus != payment.Expired {
		t.Errorf("%s, refund %s of %s", o.PaymentStatus, o.RefundStatus, o.RefundedAmount)
	}
}
