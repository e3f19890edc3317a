package crashtest_test

import (
	"testing"

	"onceshop/payment"
	"onceshop/shoptest"
	"onceshop/store"
	"onceshop/store/db"
)

// secondSession is a payment that was opened at the platform for an order that has
// one already: a second window, or a link that staff made by hand.
func secondSession(s *shoptest.Shop, o db.Order, ref string) shoptest.Order {
	return shoptest.Order{ID: ref, MerchantOrderID: o.ID, Revision: "2", PaymentStatus: "paid"}
}

func paymentOf(s *shoptest.Shop, ref string) db.Payment {
	s.Helper()
	p, err := s.DB.FindPayment(s.Context(), "stablein", &ref)
	if err != nil {
		s.Fatalf("payment %s: %v", ref, err)
	}
	return p
}

// report reports a record of the platform and works it off.
func report(s *shoptest.Shop, kind string, o shoptest.Order) {
	s.Helper()
	acknowledged(s, s.Report(kind, o))
	s.Settle()
}

func TestAnOldSessionThatExpiresAfterAnotherOnePaidChangesNothingButItself(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	order, first := s.Buy(1)
	report(s, "payment.paid", secondSession(s, order, "second-session"))
	sold(s, order.ID)
	report(s, "payment.expired", shoptest.Order{ID: first, Revision: "2", PaymentStatus: "expired"})

	if p := paymentOf(s, first); p.Status != payment.Expired {
		t.Errorf("the old session is %s, want expired", p.Status)
	}
	if o, l := s.Order(order.ID), s.Licenses(order.ID); o.PaymentStatus != payment.Paid || len(l) != 1 || l[0].Status != "active" {
		t.Errorf("order is %s, licenses %+v", o.PaymentStatus, l)
	}
	if n := len(s.Sent.All()); n != 1 {
		t.Errorf("%d mails, want 1", n)
	}
}

func TestASessionThatExpiresWithoutMoneyEndsTheOrder(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	order, ref := s.Buy(1)
	report(s, "payment.expired", shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "expired"})
	if o := s.Order(order.ID); o.PaymentStatus != payment.Expired {
		t.Errorf("order is %s, want expired", o.PaymentStatus)
	}
	if n := len(s.Licenses(order.ID)) + len(s.Sent.All()); n != 0 {
		t.Errorf("%d licenses and mails", n)
	}
}

func TestAPaymentThatFailedIsFollowedByASecondOne(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	order, first := s.Buy(1)
	report(s, "payment.failed", shoptest.Order{ID: first, Revision: "2", PaymentStatus: "failed"})
	again, err := s.Shop.PayAgain(t.Context(), order.ID, "")
	if err != nil {
		t.Fatal(err)
	}
	twice, err := s.Shop.PayAgain(t.Context(), order.ID, "")
	if err != nil || twice.PayURL != again.PayURL {
		t.Errorf("pressed twice, the buyer is sent to %q and %q: %v", again.PayURL, twice.PayURL, err)
	}
	payments, err := s.DB.ListPaymentsOfOrder(t.Context(), &order.ID)
	if err != nil || len(payments) != 2 || s.Platform.Creates() != 2 {
		t.Fatalf("%d payments here, %d at the platform: %v", len(payments), s.Platform.Creates(), err)
	}
	report(s, "payment.paid", shoptest.Order{ID: store.Deref(payments[1].ProviderRef), MerchantOrderID: order.ID, Revision: "2", PaymentStatus: "paid"})
	report(s, "payment.expired", shoptest.Order{ID: first, Revision: "3", PaymentStatus: "expired"})
	if o, l := s.Order(order.ID), s.Licenses(order.ID); o.PaymentStatus != payment.Paid || o.FulfillmentStatus != store.DeliveryDone || len(l) != 1 {
		t.Errorf("order is %s, %s with %d licenses", o.PaymentStatus, o.FulfillmentStatus, len(l))
	}
	if _, err := s.Shop.PayAgain(t.Context(), order.ID, ""); err == nil {
		t.Error("a paid order can be paid again")
	}
}

func TestAnOrderPaidTwiceIsDeliveredOnceAndOwesTheSecondPayment(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	order, first := s.Buy(1)
	report(s, "payment.paid", shoptest.Order{ID: first, Revision: "2", PaymentStatus: "paid"})
	report(s, "payment.paid", secondSession(s, order, "second-payment"))

	o := s.Order(order.ID)
	if o.PaymentStatus != payment.Paid || o.SurplusAmount.String() != "50000" || o.ReceivedAmount.String() != "100000" {
		t.Errorf("order is %s, received %s, surplus %s", o.PaymentStatus, o.ReceivedAmount, o.SurplusAmount)
	}
	if p := paymentOf(s, "second-payment"); p.Status != payment.Paid || p.Received.String() != "50000" || store.Deref(p.OrderID) != order.ID {
		t.Errorf("the second payment is %s with %s", p.Status, p.Received)
	}
	if l, m := len(s.Licenses(order.ID)), len(s.Sent.All()); l != 1 || m != 1 {
		t.Errorf("%d licenses and %d mails, want 1 and 1", l, m)
	}

	// Giving the surplus back isn't a refund of the order.
	refund := secondSession(s, order, "second-payment")
	refund.Revision, refund.RefundStatus, refund.RefundedAmount = "3", "full", "50000"
	report(s, "refund.completed", refund)
	o, l := s.Order(order.ID), s.Licenses(order.ID)
	if o.RefundStatus != payment.NotRefunded || o.SurplusAmount.Sign() != 0 || o.FulfillmentStatus != store.DeliveryDone || l[0].Status != "active" {
		t.Errorf("after giving it back: refund %s, surplus %s, %s, license %s", o.RefundStatus, o.SurplusAmount, o.FulfillmentStatus, l[0].Status)
	}
	if p := paymentOf(s, "second-payment"); p.RefundStatus != payment.FullyRefunded {
		t.Errorf("the second payment's refund is %s", p.RefundStatus)
	}
}

func TestBothPaymentsOfAnOrderAtTheSameMomentAreOneSaleAndOneSurplus(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	order, first := s.Buy(1)
	records := []shoptest.Order{{ID: first, Revision: "2", PaymentStatus: "paid"}, secondSession(s, order, "second-payment")}
	processing(s, func() {
		shoptest.Together(2, func(i int) { acknowledged(t, s.Report("payment.paid", records[i])) })
	})
	o := s.Order(order.ID)
	if o.PaymentStatus != payment.Paid || o.SurplusAmount.String() != "50000" || len(s.Licenses(order.ID)) != 1 || len(s.Sent.All()) != 1 {
		t.Errorf("order is %s, surplus %s, %d licenses, %d mails", o.PaymentStatus, o.SurplusAmount, len(s.Licenses(order.ID)), len(s.Sent.All()))
	}
}
