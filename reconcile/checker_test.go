package reconcile_test

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"onceshop/payment"
	"onceshop/shoptest"
	"onceshop/store"
)

func check(s *shoptest.Shop) int {
	s.Helper()
	n, err := s.Checker.RunOnce(s.Context())
	if err != nil {
		s.Fatal(err)
	}
	s.Settle()
	return n
}

// quietly moves what is known of a payment into the past.
func quietly(s *shoptest.Shop, age string) {
	s.Exec("UPDATE shop_payments SET updated_at = NOW(6) - INTERVAL " + age + ", checked_at = NULL")
}

func TestAWithheldEventIsMadeUpForAndItsLateArrivalChangesNothing(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	s.Checker.Quiet = 5 * time.Minute
	order, ref := s.Buy(1)
	paid := s.Platform.Set(shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "paid"})
	if n := check(s); n != 0 {
		t.Fatalf("%d payments asked about before they were silent for long", n)
	}
	quietly(s, "6 MINUTE")
	if n := check(s); n != 1 {
		t.Fatalf("%d payments asked about, want 1", n)
	}
	o := s.Order(order.ID)
	if o.PaymentStatus != payment.Paid || len(s.Licenses(order.ID)) != 1 {
		t.Fatalf("%s, %d licenses", o.PaymentStatus, len(s.Licenses(order.ID)))
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_order_revisions WHERE kind = 'payment_paid' AND source = 'reconcile'"); n != 1 {
		t.Error("the history doesn't name the read-back")
	}
	late := shoptest.Event{ID: "late", Type: "payment.paid", Order: paid}
	if a := s.Deliver(late); a.Status != 200 {
		t.Errorf("the late event is answered %d", a.Status)
	}
	s.Settle()
	if v := store.Deref(s.Event("late").Verdict); v != "unchanged" {
		t.Errorf("the late event is %s", v)
	}
	if after := s.Order(order.ID); after.Revision != o.Revision || len(s.Licenses(order.ID)) != 1 || len(s.Sent.All()) != 1 {
		t.Errorf("revision %d after %d, %d licenses, %d mails", after.Revision, o.Revision, len(s.Licenses(order.ID)), len(s.Sent.All()))
	}
}

func TestAProviderThatCannotAnswerChangesNothing(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	s.Checker.Quiet = time.Minute
	order, ref := s.Buy(1)
	s.Platform.Set(shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "paid"})
	before := s.Order(order.ID)
	for _, status := range []int{http.StatusInternalServerError, http.StatusTooManyRequests, http.StatusNotFound, http.StatusServiceUnavailable} {
		s.Platform.Fail(status)
		quietly(s, "2 MINUTE")
		check(s)
		if o := s.Order(order.ID); o.Revision != before.Revision {
			t.Errorf("%d moved the order to revision %d", status, o.Revision)
		}
	}
	s.Platform.Fail(http.StatusUnauthorized)
	quietly(s, "2 MINUTE")
	if _, err := s.Checker.RunOnce(t.Context()); err == nil {
		t.Error("refused credentials were not reported")
	}
	s.Platform.Fail(0)
	quietly(s, "2 MINUTE")
	check(s)
	if o := s.Order(order.ID); o.PaymentStatus != payment.Paid {
		t.Errorf("back again, the order is %s", o.PaymentStatus)
	}
}

func TestAProviderThatRefusesUsKeepsNobodyElsesPaymentsWaiting(t *testing.T) {
	t.Parallel()
	plain := &shoptest.Plain{}
	s := shoptest.New(t, shoptest.Options{Others: map[string]any{shoptest.PlainName: plain}})
	s.Checker.Quiet = time.Minute
	s.Product("plain", "Plain product", "10000", "EUR")
	for range 3 {
		s.Buy(1)
	}
	order, ref := s.BuyWith(shoptest.PlainName, "plain", 1)
	plain.Change(ref, shoptest.Paid)
	s.Platform.Fail(http.StatusUnauthorized)
	asked := 0
	s.Platform.Before(func(*http.Request) { asked++ })
	quietly(s, "2 MINUTE")
	if _, err := s.Checker.RunOnce(t.Context()); !errors.Is(err, payment.ErrUnauthorised) {
		t.Errorf("refused credentials were not reported: %v", err)
	}
	if o := s.Order(order.ID); o.PaymentStatus != payment.Paid {
		t.Errorf("the other provider's payment is %s", o.PaymentStatus)
	}
	if asked != 1 {
		t.Errorf("who refused us was asked %d times, want once", asked)
	}
}

func TestAnOutdatedAssessmentIsReadAgainAndTheDeliveryFollows(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	order, ref := s.Buy(1)
	until := func(d time.Duration) map[string]any {
		now, err := s.DB.Now(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return map[string]any{"serviceStatus": "enabled", "chainEnforcement": "allowed",
			"assessedAt": now.Add(-time.Hour).Format(time.RFC3339), "validUntil": now.Add(d).Format(time.RFC3339)}
	}
	s.Report("payment.paid", shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "paid", MerchantRisk: until(-time.Minute)})
	s.Settle()
	if o := s.Order(order.ID); o.FulfillmentStatus != store.DeliveryWithheld {
		t.Fatalf("with an outdated assessment the delivery is %s", o.FulfillmentStatus)
	}
	s.Platform.Set(shoptest.Order{ID: ref, Revision: "3", PaymentStatus: "paid", MerchantRisk: until(time.Hour)})
	if n := check(s); n != 1 {
		t.Errorf("%d payments asked about, want 1", n)
	}
	if o := s.Order(order.ID); o.FulfillmentStatus != store.DeliveryDone || len(s.Licenses(order.ID)) != 1 {
		t.Errorf("%s, %d licenses", o.FulfillmentStatus, len(s.Licenses(order.ID)))
	}
}

func TestAnOldPaymentIsAskedAboutEverMoreSeldom(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	s.Checker.Quiet = 5 * time.Minute
	s.Buy(1)
	due := func(age, checked string) int {
		s.Exec("UPDATE shop_payments SET updated_at = NOW(6) - INTERVAL " + age + ", checked_at = NOW(6) - INTERVAL " + checked)
		return check(s)
	}
	for _, tt := range []struct {
		age, checked string
		want         int
	}{{"20 MINUTE", "6 MINUTE", 1}, {"20 MINUTE", "4 MINUTE", 0}, {"8 HOUR", "30 MINUTE", 0}, {"8 HOUR", "61 MINUTE", 1}, {"31 DAY", "20 DAY", 0}} {
		if n := due(tt.age, tt.checked); n != tt.want {
			t.Errorf("silent for %s, asked %s ago: %d, want %d", tt.age, tt.checked, n, tt.want)
		}
	}
}
