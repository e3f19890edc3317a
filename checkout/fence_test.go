package checkout_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"onceshop/payment"
	"onceshop/shoptest"
	"onceshop/store"
	"onceshop/webhooks"
)

// TestASnapshotThatWasOvertakenIsAskedForAgain lets one processor hold an old record
// until another has applied a newer one.
func TestASnapshotThatWasOvertakenIsAskedForAgain(t *testing.T) {
	t.Parallel()
	s, plain := plainShop(t)
	order, ref := s.BuyWith(shoptest.PlainName, "plain", 1)
	plain.Change(ref, func(p *payment.Snapshot) { p.Status = payment.Confirming })
	first := true
	plain.Before(func(string) {
		if !first {
			return
		}
		first = false
		plain.Change(ref, shoptest.Paid)
		s.Tell(shoptest.PlainName, shoptest.Told{ID: "paid", Payment: ref})
		s.Settle()
	})
	s.Tell(shoptest.PlainName, shoptest.Told{ID: "confirming", Payment: ref})
	s.Settle()
	if o := s.Order(order.ID); o.PaymentStatus != payment.Paid || o.ReviewReason != nil || len(s.Licenses(order.ID)) != 1 {
		t.Errorf("%s, review %q, %d licenses", o.PaymentStatus, store.Deref(o.ReviewReason), len(s.Licenses(order.ID)))
	}
	for id, want := range map[string]string{"paid": "applied", "confirming": "unchanged"} {
		e, err := s.DB.FindEvent(t.Context(), shoptest.PlainName, id)
		if err != nil || store.Deref(e.Verdict) != want {
			t.Errorf("%s: verdict %q, want %s (%v)", id, store.Deref(e.Verdict), want, err)
		}
	}
}

// TestTwentyProcessorsOfOnePaymentEndAtItsNewestRecord changes the record under those
// who are just asking for it.
func TestTwentyProcessorsOfOnePaymentEndAtItsNewestRecord(t *testing.T) {
	t.Parallel()
	s, plain := plainShop(t)
	order, ref := s.BuyWith(shoptest.PlainName, "plain", 1)
	plain.Change(ref, shoptest.Paid)
	var asked atomic.Int64
	plain.Before(func(string) {
		if asked.Add(1) <= 20 {
			plain.Change(ref, func(p *payment.Snapshot) { p.Refunded = p.Refunded.Add(payment.NewAmount(10)) })
		}
	})
	shoptest.Together(20, func(i int) {
		s.Tell(shoptest.PlainName, shoptest.Told{ID: fmt.Sprint(i), Payment: ref})
		p := webhooks.Processor{DB: s.DB, Queue: s.DB.Events(fmt.Sprint("processor", i)), Providers: s.Processor.Providers, Log: s.Processor.Log}
		if _, err := p.RunOnce(t.Context()); err != nil {
			t.Error(err)
		}
	})
	plain.Before(nil)
	// Who was overtaken too often tries again later, like any failure.
	s.MakeDue()
	s.Settle()
	s.Tell(shoptest.PlainName, shoptest.Told{ID: "last", Payment: ref})
	s.Settle()
	o, record := s.Order(order.ID), plain.Change(ref, func(*payment.Snapshot) {})
	if o.ReviewReason != nil || !o.RefundedAmount.Equal(record.Refunded) || record.Refunded.Sign() == 0 || len(s.Licenses(order.ID)) != 1 {
		t.Errorf("review %q, refunded %s of %s, %d licenses", store.Deref(o.ReviewReason), o.RefundedAmount, record.Refunded, len(s.Licenses(order.ID)))
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_order_revisions WHERE kind = 'review'"); n != 0 {
		t.Errorf("%d times an older record was taken for the newer one", n)
	}
}
