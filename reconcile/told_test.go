package reconcile_test

import (
	"fmt"
	"testing"
	"time"

	"onceshop/payment"
	"onceshop/shoptest"
)

// refunded sells an order of 10000 through a provider without revisions and tells of
// refunds of 1000 each, of which its record shows the first.
func refunded(t *testing.T, told int) (s *shoptest.Shop, plain *shoptest.Plain, orderID, ref string) {
	t.Helper()
	plain = &shoptest.Plain{}
	s = shoptest.New(t, shoptest.Options{Others: map[string]any{shoptest.PlainName: plain}})
	s.Checker.Quiet = 5 * time.Minute
	s.Product("plain", "Plain product", "10000", "EUR")
	order, ref := s.BuyWith(shoptest.PlainName, "plain", 1)
	plain.Change(ref, shoptest.Paid)
	s.Tell(shoptest.PlainName, shoptest.Told{ID: "paid", Type: "paid", Payment: ref, Status: payment.Paid})
	s.Settle()
	plain.Change(ref, func(p *payment.Snapshot) { p.Refunded = payment.NewAmount(1000) })
	for i := range told {
		s.Tell(shoptest.PlainName, shoptest.Told{ID: fmt.Sprint("refund", i), Type: "refunded", Payment: ref, Effect: payment.EffectRefund})
		s.Settle()
	}
	return s, plain, order.ID, ref
}

// later lets what was told grow old.
func later(s *shoptest.Shop, age string) {
	s.Exec("UPDATE shop_payments SET told_at = told_at - INTERVAL " + age + ", checked_at = checked_at - INTERVAL " + age)
}

func TestAfterARefundThePaymentIsAskedAboutOnceMore(t *testing.T) {
	t.Parallel()
	s, plain, order, ref := refunded(t, 2)
	plain.Change(ref, func(p *payment.Snapshot) { p.Refunded = payment.NewAmount(2000) })
	if n := check(s); n != 0 {
		t.Errorf("%d payments asked about at once", n)
	}
	later(s, "6 MINUTE")
	if n := check(s); n != 1 {
		t.Errorf("%d payments asked about, want the one", n)
	}
	if o := s.Order(order); o.RefundedAmount.String() != "2000" {
		t.Errorf("refunded %s, want both", o.RefundedAmount)
	}
	later(s, "6 MINUTE")
	if n := check(s); n != 0 {
		t.Errorf("%d payments asked about again", n)
	}
}

func TestWhatIsToldWhileAPaymentIsAskedAboutIsLookedAtToo(t *testing.T) {
	t.Parallel()
	s, plain, _, ref := refunded(t, 1)
	later(s, "6 MINUTE")
	plain.Before(func(string) {
		plain.Before(nil)
		s.Tell(shoptest.PlainName, shoptest.Told{ID: "meanwhile", Type: "refunded", Payment: ref, Effect: payment.EffectRefund})
		s.Settle()
	})
	check(s)
	later(s, "6 MINUTE")
	if n := check(s); n != 1 {
		t.Errorf("%d payments asked about, want one more for the event in between", n)
	}
}

func TestWhoCannotAnswerIsAskedLaterAboutWhatWasTold(t *testing.T) {
	t.Parallel()
	s, plain, _, _ := refunded(t, 1)
	delete(s.Checker.Providers, shoptest.PlainName) // as good as one that doesn't answer
	later(s, "6 MINUTE")
	check(s)
	s.Checker.Providers[shoptest.PlainName] = plain
	if n := check(s); n != 0 {
		t.Errorf("%d payments asked about at once", n)
	}
	later(s, "6 MINUTE")
	if n, fetches := check(s), plain.Fetches(); n != 1 || fetches == 0 {
		t.Errorf("%d payments asked about, want the one", n)
	}
}
