package webhooks_test

import (
	"testing"

	"onceshop/payment"
	"onceshop/shoptest"
	"onceshop/store"
)

func TestTwentyIdenticalDeliveriesAreOneEventAndOneLicense(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	order, ref := s.Buy(1)
	e := shoptest.Event{Type: "payment.paid", Order: s.Platform.Set(shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "paid"})}
	body := e.Encode()

	shoptest.Together(20, func(int) {
		if a := s.Do(shoptest.Signed(s.URL(), e.ID, shoptest.Secret, body)); a.Status != 200 {
			t.Errorf("answer %d %s", a.Status, a.Body)
		}
	})
	shoptest.Together(4, func(int) { s.Settle() })

	if n := s.Count("SELECT COUNT(*) FROM shop_events"); n != 1 {
		t.Errorf("%d event rows, want 1", n)
	}
	if got := s.Event(e.ID); got.Deliveries != 20 || store.Deref(got.Verdict) != string(payment.Applied) {
		t.Errorf("deliveries %d, verdict %q, status %s, last error %q", got.Deliveries, store.Deref(got.Verdict), got.Status, store.Deref(got.LastError))
	}
	if n := len(s.Licenses(order.ID)); n != 1 {
		t.Errorf("%d licenses, want 1", n)
	}
	if n := len(s.Sent.All()); n != 1 {
		t.Errorf("%d mails, want 1", n)
	}
	// placed, paid, delivered
	if o := s.Order(order.ID); o.PaymentStatus != payment.Paid || o.Revision != 3 {
		t.Errorf("order is %s at revision %d", o.PaymentStatus, o.Revision)
	}
}
