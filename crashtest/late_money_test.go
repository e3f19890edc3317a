package crashtest_test

import (
	"testing"

	"onceshop/checkout"
	"onceshop/payment"
	"onceshop/shoptest"
	"onceshop/store"
	"onceshop/store/db"
)

// expire lets the timer end an order.
func expire(s *shoptest.Shop, orderID string) (ended int) {
	s.Helper()
	overdue(s, orderID)
	ended, err := s.Shop.ExpireOnce(s.Context())
	if err != nil {
		s.Fatal(err)
	}
	return ended
}

func historyKinds(s *shoptest.Shop, orderID string) (kinds []string) {
	s.Helper()
	history, err := s.DB.ListOrderRevisions(s.Context(), orderID)
	if err != nil {
		s.Fatal(err)
	}
	for _, h := range history {
		kinds = append(kinds, h.Kind)
	}
	return kinds
}

func TestMoneyThatComesAfterTheTimerStillBuys(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	order, ref := s.Buy(1)
	if n := expire(s, order.ID); n != 1 {
		t.Fatalf("%d orders expired", n)
	}
	if o := s.Order(order.ID); o.PaymentStatus != payment.Expired {
		t.Fatalf("order is %s", o.PaymentStatus)
	}
	report(s, "payment.paid", shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "paid"})
	o, l := s.Order(order.ID), s.Licenses(order.ID)
	if o.PaymentStatus != payment.Paid || o.FulfillmentStatus != store.DeliveryDone || len(l) != 1 || len(s.Sent.All()) != 1 {
		t.Errorf("order is %s, %s with %d licenses and %d mails", o.PaymentStatus, o.FulfillmentStatus, len(l), len(s.Sent.All()))
	}
	if n := expire(s, order.ID); n != 0 {
		t.Error("the timer ended a paid order")
	}
}

func TestMoneyForACancelledOrderGoesToAPersonAndBuysNothing(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	order, ref := s.Buy(1)
	s.Cancel(order.ID)
	report(s, "payment.paid", shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "paid"})

	o := s.Order(order.ID)
	if o.PaymentStatus != payment.Cancelled || store.Deref(o.ReviewReason) != checkout.PaidAfterCancellation || o.ReceivedAmount.String() != "50000" {
		t.Errorf("order is %s, review %q, received %s", o.PaymentStatus, store.Deref(o.ReviewReason), o.ReceivedAmount)
	}
	if p := paymentOf(s, ref); p.Status != payment.Paid || p.Received.String() != "50000" {
		t.Errorf("the payment is %s with %s: the fact is lost", p.Status, p.Received)
	}
	if n := len(s.Licenses(order.ID)) + len(s.Sent.All()); n != 0 {
		t.Errorf("%d licenses and mails", n)
	}
	listed, err := s.DB.ListOrders(t.Context(), db.ListOrdersParams{Review: 1, Limit: 10})
	if err != nil || len(listed) != 1 || listed[0].ID != order.ID {
		t.Errorf("the review list holds %d orders: %v", len(listed), err)
	}
	if kinds := historyKinds(s, order.ID); kinds[0] != "review" {
		t.Errorf("history, newest first: %v", kinds)
	}
}

func TestTheTimerLeavesAPaymentAloneThatIsConfirming(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	order, ref := s.Buy(1)
	report(s, "payment.confirming", shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "confirming"})
	if n := expire(s, order.ID); n != 0 {
		t.Errorf("%d orders expired", n)
	}
	if o := s.Order(order.ID); o.PaymentStatus != payment.Confirming {
		t.Errorf("order is %s, want confirming", o.PaymentStatus)
	}
	report(s, "payment.paid", shoptest.Order{ID: ref, Revision: "3", PaymentStatus: "paid"})
	if o := s.Order(order.ID); o.PaymentStatus != payment.Paid || o.FulfillmentStatus != store.DeliveryDone {
		t.Errorf("order is %s, %s", o.PaymentStatus, o.FulfillmentStatus)
	}
}

func TestTheTimerAndThePaymentAtTheSameMomentEndInASale(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	var orders []db.Order
	for range 20 {
		order, ref := s.Buy(1)
		orders = append(orders, order)
		acknowledged(t, s.Report("payment.paid", shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "paid"}))
		overdue(s, order.ID)
	}
	processing(s, func() {
		shoptest.Together(4, func(int) {
			if _, err := s.Shop.ExpireOnce(t.Context()); err != nil {
				t.Errorf("expire: %v", err)
			}
		})
	})
	for _, order := range orders {
		o, l := s.Order(order.ID), s.Licenses(order.ID)
		if o.PaymentStatus != payment.Paid || o.FulfillmentStatus != store.DeliveryDone || len(l) != 1 {
			t.Errorf("order %s is %s, %s with %d licenses: %v", o.Number, o.PaymentStatus, o.FulfillmentStatus, len(l), historyKinds(s, o.ID))
		}
	}
}

func TestAPaymentInTwoPartsLateAndTooMuchIsOneSaleAndASurplus(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	s.Product("parts", "Parts", "13790", "EUR")
	order, ref := s.BuyProduct("parts", 1)
	record := func(revision, status, received string) shoptest.Order {
		return shoptest.Order{ID: ref, MerchantOrderID: order.ID, Revision: revision, PaymentStatus: status, Amount: "13790", Currency: "EUR", ReceivedAmount: received}
	}
	report(s, "payment.pending", record("2", "pending", "10790"))
	o := s.Order(order.ID)
	if o.PaymentStatus != payment.Pending || o.ReceivedAmount.String() != "10790" || len(s.Licenses(order.ID)) != 0 {
		t.Errorf("after the first part: order is %s, received %s, %d licenses", o.PaymentStatus, o.ReceivedAmount, len(s.Licenses(order.ID)))
	}
	expire(s, order.ID)
	report(s, "payment.paid", record("3", "paid", "20890"))
	check := func() {
		t.Helper()
		o := s.Order(order.ID)
		if o.PaymentStatus != payment.Paid || o.ReceivedAmount.String() != "20890" || o.SurplusAmount.String() != "7100" || o.FulfillmentStatus != store.DeliveryDone {
			t.Errorf("order is %s, received %s, surplus %s, %s", o.PaymentStatus, o.ReceivedAmount, o.SurplusAmount, o.FulfillmentStatus)
		}
		if l, m := len(s.Licenses(order.ID)), len(s.Sent.All()); l != 1 || m != 1 {
			t.Errorf("%d licenses and %d mails, want 1 and 1", l, m)
		}
	}
	check()

	// The platform goes on telling it, with new events and with the same one.
	before := dumpOrder(t, s.DB.Pool(), order.ID, ref)
	again := shoptest.Event{Type: "payment.paid", Order: record("3", "paid", "20890")}
	for range 5 {
		report(s, "payment.paid", record("3", "paid", "20890"))
		acknowledged(t, s.Deliver(again))
		s.Settle()
	}
	same(t, before, dumpOrder(t, s.DB.Pool(), order.ID, ref))
	check()
}
