package checkout_test

import (
	"testing"

	"onceshop/payment"
	"onceshop/shoptest"
	"onceshop/store"
	"onceshop/store/db"
)

// wantKept checks an order whose buyer keeps the license.
func wantKept(t *testing.T, s *shoptest.Shop, o db.Order, surplus string) {
	t.Helper()
	o = s.Order(o.ID)
	if l := s.Licenses(o.ID); len(l) != 1 || l[0].Status != "active" || o.FulfillmentStatus != store.DeliveryDone {
		t.Errorf("%s, licenses %+v", o.FulfillmentStatus, l)
	}
	if o.PaymentStatus != payment.Paid || o.RefundStatus != payment.NotRefunded || o.SurplusAmount.String() != surplus {
		t.Errorf("%s, refund %s, surplus %s; want paid, none, %s", o.PaymentStatus, o.RefundStatus, o.SurplusAmount, surplus)
	}
}

func TestGivingBackEitherOfTwoPaymentsLeavesTheLicense(t *testing.T) {
	t.Parallel()
	for name, back := range map[string]int{"the one that paid": 0, "the one too many": 1} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := shoptest.New(t)
			order, first := s.Buy(1)
			overdue(s, order.ID)
			refs := []string{first, payAgain(s, order.ID)}
			for _, ref := range refs {
				s.Report("payment.paid", shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "paid"})
				s.Settle()
			}
			wantKept(t, s, order, "50000")
			s.Report("refund.completed", shoptest.Order{ID: refs[back], Revision: "3", PaymentStatus: "paid", RefundStatus: "full", RefundedAmount: "50000"})
			s.Settle()
			wantKept(t, s, order, "0")
			s.Report("refund.completed", shoptest.Order{ID: refs[1-back], Revision: "3", PaymentStatus: "paid", RefundStatus: "full", RefundedAmount: "50000"})
			s.Settle()
			if l := s.Licenses(order.ID); l[0].Status != "revoked" {
				t.Errorf("all money has gone back and the license is %s", l[0].Status)
			}
		})
	}
}

func TestGivingBackWhatWasPaidTooMuchLeavesTheLicense(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	order, ref := s.Buy(1)
	twice := shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "paid", ReceivedAmount: "100000"}
	s.Report("payment.paid", twice)
	s.Settle()
	wantKept(t, s, order, "50000")
	// The platform counts against the price and calls it full.
	twice.Revision, twice.RefundStatus, twice.RefundedAmount = "3", "full", "50000"
	s.Report("refund.completed", twice)
	s.Settle()
	wantKept(t, s, order, "0")
	twice.Revision, twice.RefundedAmount = "4", "100000"
	s.Report("refund.completed", twice)
	s.Settle()
	if l, o := s.Licenses(order.ID), s.Order(order.ID); l[0].Status != "revoked" || o.RefundStatus != payment.FullyRefunded {
		t.Errorf("all money has gone back: license %s, refund %s", l[0].Status, o.RefundStatus)
	}
}
