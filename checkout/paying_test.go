package checkout_test

import (
	"testing"

	"onceshop/payment"
	"onceshop/problem"
	"onceshop/shoptest"
	"onceshop/store"
)

// withPlain is a shop that is paid through StableIn or the plain provider.
func withPlain(t *testing.T) *shoptest.Shop {
	t.Helper()
	return shoptest.New(t, shoptest.Options{Others: map[string]any{shoptest.PlainName: &shoptest.Plain{}}})
}

func TestWhileAPartHasArrivedTheRestIsPaidWhereItIs(t *testing.T) {
	t.Parallel()
	s := withPlain(t)
	order, ref := s.Buy(1)
	s.Report("payment.pending", shoptest.Order{ID: ref, Revision: "2", ReceivedAmount: "20000"})
	s.Settle()

	if _, err := s.Shop.PayAgain(t.Context(), order.ID, shoptest.PlainName); problem.KindOf(err) != problem.Conflict {
		t.Errorf("another provider: %v, want a conflict", err)
	}
	for _, way := range []string{"", "stablein"} {
		if _, err := s.Shop.PayAgain(t.Context(), order.ID, way); err != nil {
			t.Errorf("%q: %v", way, err)
		}
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_payments"); n != 1 {
		t.Errorf("%d payments, want the first alone", n)
	}

	// Over without the rest, the order may be paid anywhere again.
	s.Report("payment.expired", shoptest.Order{ID: ref, Revision: "3", PaymentStatus: "expired", ReceivedAmount: "20000"})
	s.Settle()
	if _, err := s.Shop.PayAgain(t.Context(), order.ID, shoptest.PlainName); err != nil {
		t.Error(err)
	}
}

func TestOfTwoOpenPaymentsTheOneWithAPartIsGoneOnWith(t *testing.T) {
	t.Parallel()
	s := withPlain(t)
	order, ref := s.Buy(1)
	other, err := s.Shop.PayAgain(t.Context(), order.ID, shoptest.PlainName)
	if err != nil {
		t.Fatal(err)
	}
	s.Report("payment.pending", shoptest.Order{ID: ref, Revision: "2", ReceivedAmount: "20000"})
	s.Settle()
	first, err := s.Shop.PayAgain(t.Context(), order.ID, "")
	if err != nil || first.PayURL == other.PayURL {
		t.Errorf("led to %q, %v; want the page where a part has arrived", first.PayURL, err)
	}
	if _, err := s.Shop.PayAgain(t.Context(), order.ID, shoptest.PlainName); problem.KindOf(err) != problem.Conflict {
		t.Errorf("the other, still open: %v, want a conflict", err)
	}
}

func TestAPaymentUnderReviewIsNotPaidElsewhereMeanwhile(t *testing.T) {
	t.Parallel()
	s := withPlain(t)
	order, ref := s.Buy(1)
	s.Report("payment.paid", shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "paid", Amount: "10"})
	s.Settle()
	if o := s.Order(order.ID); store.Deref(o.ReviewReason) != payment.AmountMismatch {
		t.Fatalf("review %q", store.Deref(o.ReviewReason))
	}
	if _, err := s.Shop.PayAgain(t.Context(), order.ID, shoptest.PlainName); problem.KindOf(err) != problem.Conflict {
		t.Errorf("%v, want a conflict", err)
	}
}
