package crashtest_test

import (
	"context"
	"testing"

	"onceshop/fulfillment"
	"onceshop/payment"
	"onceshop/shoptest"
	"onceshop/store"
)

func fullRefund(ref string) shoptest.Order {
	return shoptest.Order{ID: ref, Revision: "4", PaymentStatus: "paid", RefundStatus: "full", RefundedAmount: "50000"}
}

// jobs are the statuses of an order's jobs, by kind.
func jobs(s *shoptest.Shop, orderID string) map[string]string {
	s.Helper()
	list, err := s.DB.ListJobsOfOrder(s.Context(), orderID)
	if err != nil {
		s.Fatal(err)
	}
	statuses := map[string]string{}
	for _, j := range list {
		statuses[j.Kind] = j.Status
	}
	return statuses
}

func TestAFullRefundBeforeTheDeliveryCancelsItsJob(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	order, ref := s.Buy(1)
	acknowledged(t, s.Report("payment.paid", shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "paid"}))
	if n, err := s.Processor.RunOnce(t.Context()); n != 1 || err != nil {
		t.Fatalf("%d events processed: %v", n, err)
	}
	if got := jobs(s, order.ID); got[fulfillment.IssueLicense] != "pending" {
		t.Fatalf("jobs %v", got)
	}
	report(s, "refund.completed", fullRefund(ref))
	if got := jobs(s, order.ID); len(got) != 1 || got[fulfillment.IssueLicense] != "cancelled" {
		t.Errorf("jobs %v, want the one cancelled", got)
	}
	if n := len(s.Licenses(order.ID)) + len(s.Sent.All()); n != 0 {
		t.Errorf("%d licenses and mails", n)
	}
	if o := s.Order(order.ID); o.FulfillmentStatus != store.DeliveryWithheld || o.RefundStatus != payment.FullyRefunded {
		t.Errorf("order is %s, refund %s", o.FulfillmentStatus, o.RefundStatus)
	}
}

func TestAFullRefundBetweenLicenseAndMailRevokesAndSendsNothing(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	order, ref := s.Buy(1)
	acknowledged(t, s.Report("payment.paid", shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "paid"}))
	for _, run := range []func(context.Context) (int, error){s.Processor.RunOnce, s.Worker.RunOnce} {
		if n, err := run(t.Context()); n != 1 || err != nil {
			t.Fatalf("%d rows: %v", n, err)
		}
	}
	report(s, "refund.completed", fullRefund(ref))
	if l := s.Licenses(order.ID); len(l) != 1 || l[0].Status != "revoked" || store.Deref(l[0].Reason) != "refunded" {
		t.Errorf("licenses %+v", l)
	}
	if got := jobs(s, order.ID); got[fulfillment.SendLicensesMail] != "cancelled" || len(s.Sent.All()) != 0 {
		t.Errorf("jobs %v, %d mails", got, len(s.Sent.All()))
	}
}

func TestAFullRefundWhileAWorkerHoldsTheJobLeavesNoLicense(t *testing.T) {
	t.Parallel()
	s, slow := shopWithHeldStatement(t, "LockOrder")
	order, ref := s.Buy(1)
	acknowledged(t, s.Report("payment.paid", shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "paid"}))
	if n, err := s.Processor.RunOnce(t.Context()); n != 1 || err != nil {
		t.Fatalf("%d events processed: %v", n, err)
	}
	w := &fulfillment.Worker{DB: slow.db, Queue: slow.db.Jobs("slow", fulfillment.IssueLicense), Keys: s.Keys}
	w.Queue.Log = s.Processor.Log
	ended := make(chan error)
	go func() { _, err := w.RunOnce(t.Context()); ended <- err }()
	wait(t, slow.reached, "the worker holds the job")
	report(s, "refund.completed", fullRefund(ref))
	close(slow.open)
	if err := <-ended; err != nil {
		t.Error(err)
	}
	s.Settle()
	if got := jobs(s, order.ID); len(got) != 1 || got[fulfillment.IssueLicense] != "cancelled" {
		t.Errorf("jobs %v, want the one cancelled", got)
	}
	if n := len(s.Licenses(order.ID)) + len(s.Sent.All()); n != 0 {
		t.Errorf("%d licenses and mails", n)
	}
}

func TestAPartialRefundKeepsTheLicenseAndAFullOneEndsItForGood(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	order, ref := s.Buy(1)
	report(s, "payment.paid", shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "paid"})
	report(s, "refund.completed", shoptest.Order{ID: ref, Revision: "3", PaymentStatus: "paid", RefundStatus: "partial", RefundedAmount: "20000"})
	if o, l := s.Order(order.ID), s.Licenses(order.ID); o.RefundStatus != payment.PartiallyRefunded || l[0].Status != "active" {
		t.Errorf("after the partial refund: %s, license %s", o.RefundStatus, l[0].Status)
	}
	report(s, "refund.completed", fullRefund(ref))

	// The license ends in the revision of the refund, not some time after it.
	history, err := s.DB.ListOrderRevisions(t.Context(), order.ID)
	if err != nil || history[0].Kind != "refunded" {
		t.Fatalf("history %v: %v", historyKinds(s, order.ID), err)
	}
	ended := dumpOrder(t, s.DB.Pool(), order.ID, ref)
	for _, late := range []shoptest.Order{
		{ID: ref, Revision: "2", PaymentStatus: "paid"},
		{ID: ref, Revision: "4", PaymentStatus: "paid"},
	} {
		// The event is old; the platform's record is what it is.
		acknowledged(t, s.Deliver(shoptest.Event{Type: "payment.paid", Order: late}))
		s.Settle()
	}
	same(t, ended, dumpOrder(t, s.DB.Pool(), order.ID, ref))

	// Even a record that takes the refund back brings nothing back.
	report(s, "payment.paid", shoptest.Order{ID: ref, Revision: "5", PaymentStatus: "paid"})
	o, l := s.Order(order.ID), s.Licenses(order.ID)
	if o.RefundStatus != payment.FullyRefunded || o.RefundedAmount.String() != "50000" || len(l) != 1 || l[0].Status != "revoked" ||
		store.Deref(o.ReviewReason) != payment.ImpossibleChange {
		t.Errorf("refund %s of %s, license %s, review %q", o.RefundStatus, o.RefundedAmount, l[0].Status, store.Deref(o.ReviewReason))
	}
	if n := len(s.Sent.All()); n != 1 {
		t.Errorf("%d mails, want 1", n)
	}
}
