package crashtest_test

import (
	"fmt"
	"testing"

	"onceshop/payment"
	"onceshop/shoptest"
	"onceshop/store"
)

// foreign are payments that a platform may tell us about although they aren't ours:
// another application uses the same account.
func foreign(n int) shoptest.Order {
	o := shoptest.Order{ID: fmt.Sprintf("foreign-%03d", n), Revision: "2", Amount: "777", Currency: "EUR"}
	o.PaymentStatus = []string{"paid", "failed", "pending", "confirming"}[n%4]
	switch n / 4 % 5 {
	case 0: // names no order at all
	case 1:
		o.MerchantOrderID = fmt.Sprint(n)
	case 2:
		o.MerchantOrderID = "OTHER-SHOP-" + fmt.Sprint(n)
	case 3: // a UUID, but not in our form
		o.MerchantOrderID = fmt.Sprintf("01A22C6E-DF9F-7CD1-A1E0-%012X", n)
	case 4: // in our form, and nobody's here
		o.MerchantOrderID = fmt.Sprintf("01a22c6e-df9f-7cd1-a1e0-%012x", n)
	}
	return o
}

func TestAHundredForeignEventsAreKeptAndTheirMoneyIsListed(t *testing.T) {
	t.Parallel()
	const events = 100
	s := shoptest.New(t)
	order, ref := s.Buy(1)
	shoptest.Together(20, func(i int) {
		for n := i; n < events; n += 20 {
			o := foreign(n)
			kind := "payment." + o.PaymentStatus
			if n%10 == 9 {
				// The platform's API doesn't even know it.
				acknowledged(t, s.Deliver(shoptest.Event{Type: kind, Order: o}))
			} else {
				acknowledged(t, s.Report(kind, o))
			}
		}
	})
	for range 8 { // an order in our form might still turn up: such an event is tried again
		s.Settle()
		s.MakeDue()
	}

	if n := s.Count("SELECT COUNT(*) FROM shop_events WHERE status = 'done' AND verdict = 'unattributed'"); n != events {
		t.Errorf("%d of %d events are unattributed", n, events)
	}
	listed, err := s.DB.ListPaymentsWithoutOrder(t.Context(), 1000)
	if err != nil {
		t.Fatal(err)
	}
	paid := map[string]bool{}
	for _, p := range listed {
		paid[store.Deref(p.ProviderRef)] = true
		if p.Status != payment.Paid || p.OrderID != nil || p.Amount.String() != "777" || p.Currency != "EUR" || p.Received.String() != "777" {
			t.Errorf("listed: %s is %s with %s of %s %s", store.Deref(p.ProviderRef), p.Status, p.Received, p.Amount, p.Currency)
		}
	}
	for n := range events {
		o := foreign(n)
		if want := o.PaymentStatus == "paid" && n%10 != 9; paid[o.ID] != want {
			t.Errorf("%s (%s, order %q): listed %v, want %v", o.ID, o.PaymentStatus, o.MerchantOrderID, paid[o.ID], want)
		}
	}

	report(s, "payment.paid", shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "paid"})
	sold(s, order.ID)
}

func TestForeignMoneyThatIsGivenBackStaysOnRecord(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	o := foreign(0)
	report(s, "payment.paid", o)
	o.Revision, o.RefundStatus, o.RefundedAmount = "3", "full", "777"
	report(s, "refund.completed", o)
	if p := paymentOf(s, o.ID); p.RefundStatus != payment.FullyRefunded || p.Refunded.String() != "777" || p.ProviderRevision.String() != "3" {
		t.Errorf("refund %s of %s at revision %s", p.RefundStatus, p.Refunded, p.ProviderRevision)
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_payments"); n != 1 {
		t.Errorf("%d payments, want 1", n)
	}
}
