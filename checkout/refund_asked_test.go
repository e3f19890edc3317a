package checkout_test

import (
	"strings"
	"testing"

	"onceshop/checkout"
	"onceshop/payment"
	"onceshop/problem"
	"onceshop/shoptest"
	"onceshop/store/db"
)

// returnable is what can still be given back of an order's first payment.
func returnable(t *testing.T, s *shoptest.Shop, o db.Order) checkout.Returnable {
	t.Helper()
	payments, err := s.DB.ListPaymentsOfOrder(t.Context(), &o.ID)
	if err != nil {
		t.Fatal(err)
	}
	can, err := checkout.ReturnableOf(t.Context(), s.DB.Queries, payments[0])
	if err != nil {
		t.Fatal(err)
	}
	return can
}

// wantAsked checks how much can still be given back, and what is on its way.
func wantAsked(t *testing.T, can checkout.Returnable, left string, taken bool, asked ...string) {
	t.Helper()
	var got []string
	for _, a := range can.Asked {
		got = append(got, a.Amount.String())
		if a.Taken != taken || a.Since.IsZero() {
			t.Errorf("%+v, want taken %t", a, taken)
		}
	}
	if can.Left.Amount.String() != left || strings.Join(got, " ") != strings.Join(asked, " ") {
		t.Errorf("%s left, on their way %q; want %s and %q", can.Left, got, left, asked)
	}
}

func TestWhatIsOnItsWayIsNotAskedForOnceMore(t *testing.T) {
	t.Parallel()
	s, l, order, ref := lossyShop(t)
	l.fetch = payment.ErrLater // it is told by webhook
	decide := func(amount int64, again bool) {
		t.Helper()
		done, err := s.Shop.Refund(t.Context(), shoptest.RefundOf(order.ID, amount))
		if err != nil || done.Since.IsZero() == again {
			t.Errorf("%d: since %v, %v", amount, done.Since, err)
		}
	}
	wantAsked(t, returnable(t, s, order), "20000", true)
	decide(5000, false)
	wantAsked(t, returnable(t, s, order), "15000", true, "5000")
	err := refund(s, order.ID, 15001)
	if problem.KindOf(err) != problem.Invalid || !strings.Contains(err.Error(), "Only 150.00 EUR of this payment can be given back: 50.00 EUR were asked for at ") {
		t.Error(err)
	}
	decide(15000, false)
	can := returnable(t, s, order)
	wantAsked(t, can, "0", true, "5000", "15000")
	if amount, ok := can.Again(); !ok || amount.String() != "15000" {
		t.Errorf("again %s, %t", amount, ok)
	}
	decide(5000, true)
	decide(15000, true)

	// The oldest is told of first, and in part.
	record, err := l.Plain.Fetch(t.Context(), ref)
	if err != nil || record.Refunded.String() != "20000" {
		t.Fatalf("the provider gave back %s, %v", record.Refunded, err)
	}
	l.fetch = nil
	change(s, l.Plain, ref, "a part", func(p *payment.Snapshot) { p.Refunded, p.Refunds = payment.NewAmount(7000), nil })
	wantAsked(t, returnable(t, s, order), "0", true, "13000")
	change(s, l.Plain, ref, "the rest", func(p *payment.Snapshot) { *p = record })
	can = returnable(t, s, order)
	wantAsked(t, can, "0", true)
	if _, ok := can.Again(); ok {
		t.Error("what is told of may be decided again")
	}
	if err := refund(s, order.ID, 5000); problem.KindOf(err) != problem.Invalid || !strings.Contains(err.Error(), "holds nothing") {
		t.Error(err)
	}
}

func TestARefundWithoutAnAnswerIsOnItsWayUntilItIsToldOf(t *testing.T) {
	t.Parallel()
	s, l, order, ref := lossyShop(t)
	l.refund = payment.ErrLater
	if err := refund(s, order.ID, 20000); err == nil {
		t.Fatal("nobody noticed that the answer was lost")
	}
	can := returnable(t, s, order)
	wantAsked(t, can, "0", false, "20000")
	if why := can.Why(); !strings.Contains(why, "200.00 EUR were asked for at ") || !strings.Contains(why, " without an answer: decide the same once more") {
		t.Error(why)
	}
	l.refund = nil
	done, err := s.Shop.Refund(t.Context(), shoptest.RefundOf(order.ID, 20000))
	if err != nil || done.Since.IsZero() {
		t.Errorf("since %v, %v", done.Since, err)
	}
	wantAsked(t, returnable(t, s, order), "0", true)
	change(s, l.Plain, ref, "told", func(*payment.Snapshot) {})
	wantRefunded(t, s, order.ID, "20000")
}

func TestARefundThatWasRefusedOrFailedIsNotOnItsWay(t *testing.T) {
	t.Parallel()
	s, l, order, ref := lossyShop(t)
	l.fetch, l.refund = payment.ErrLater, payment.ErrRefused
	wantRefusal(t, refund(s, order.ID, 700))
	wantAsked(t, returnable(t, s, order), "20000", true)
	l.refund = nil
	if err := refund(s, order.ID, 500); err != nil {
		t.Fatal(err)
	}
	wantAsked(t, returnable(t, s, order), "19500", true, "500")
	// It came to nothing, and never counted: no total tells of it.
	l.fetch = nil
	change(s, l.Plain, ref, "declined", func(p *payment.Snapshot) {
		p.Refunded = payment.Amount{}
		p.Refunds = []payment.Refund{{Ref: "re_1", Amount: payment.NewAmount(500), Status: payment.RefundFailed}}
	})
	wantAsked(t, returnable(t, s, order), "20000", true)
	done, err := s.Shop.Refund(t.Context(), shoptest.RefundOf(order.ID, 500))
	if err != nil || !done.Since.IsZero() {
		t.Errorf("since %v, %v", done.Since, err)
	}
}
