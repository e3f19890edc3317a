package checkout_test

import (
	"testing"

	"onceshop/payment"
	"onceshop/shoptest"
	"onceshop/store"
)

func TestARefundThatCameBackGivesTheSameLicensesBack(t *testing.T) {
	t.Parallel()
	s, plain := plainShop(t)
	order, ref := sold(t, s, plain)
	change(s, plain, ref, "refunded", func(p *payment.Snapshot) {
		p.Refunded = p.Amount
		p.Refunds = []payment.Refund{{Ref: "re_1", Amount: p.Amount, Status: payment.RefundDone}}
	})
	holds(t, s, order.ID, payment.Paid, store.DeliveryRevoked, "revoked", "refunded")
	if o := s.Order(order.ID); o.RefundStatus != payment.FullyRefunded {
		t.Errorf("refund %s", o.RefundStatus)
	}

	change(s, plain, ref, "refund.failed", func(p *payment.Snapshot) {
		p.Refunded, p.Reversed = payment.Amount{}, p.Amount
		p.Refunds = []payment.Refund{{Ref: "re_1", Amount: p.Amount, Status: payment.RefundFailed}}
	})
	holds(t, s, order.ID, payment.Paid, store.DeliveryDone, "active", "")
	if o := s.Order(order.ID); o.RefundStatus != payment.NotRefunded || o.RefundedAmount.Sign() != 0 {
		t.Errorf("refund %s of %s after it came back", o.RefundStatus, o.RefundedAmount)
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_refunds WHERE provider_ref = 're_1' AND status = 'failed'"); n != 1 {
		t.Errorf("%d rows of the refund as failed", n)
	}
}

func TestARefundedAmountThatShrinksWithoutAReversalIsReviewed(t *testing.T) {
	t.Parallel()
	s, plain := plainShop(t)
	order, ref := sold(t, s, plain)
	change(s, plain, ref, "refunded", func(p *payment.Snapshot) { p.Refunded = payment.NewAmount(3000) })
	change(s, plain, ref, "shrunk", func(p *payment.Snapshot) { p.Refunded = payment.NewAmount(2000) })
	o := s.Order(order.ID)
	if store.Deref(o.ReviewReason) != payment.ImpossibleChange || o.RefundedAmount.String() != "3000" {
		t.Errorf("review %q, refunded %s", store.Deref(o.ReviewReason), o.RefundedAmount)
	}
}

func TestAPaymentThatIsTakenBackEndsTheLicensesAndAnotherOneRevivesThem(t *testing.T) {
	t.Parallel()
	s, plain := plainShop(t)
	order, ref := sold(t, s, plain)
	change(s, plain, ref, "capture.failed", func(p *payment.Snapshot) {
		p.Status, p.Received, p.TakenBack = payment.Failed, payment.Amount{}, p.Amount
	})
	holds(t, s, order.ID, payment.Failed, store.DeliveryRevoked, "revoked", "payment_taken_back")

	if _, err := s.Shop.PayAgain(t.Context(), order.ID, ""); err != nil {
		t.Fatal(err)
	}
	change(s, plain, "plain-"+order.ID+"/2", "paid again", shoptest.Paid)
	holds(t, s, order.ID, payment.Paid, store.DeliveryDone, "active", "")
}

func TestAPaymentThatIsTakenBackBeforeItsDeliveryIsNotTheEndOfIt(t *testing.T) {
	t.Parallel()
	s, plain := plainShop(t)
	order, ref := s.BuyWith(shoptest.PlainName, "plain", 2)
	for _, f := range []func(*payment.Snapshot){shoptest.Paid, func(p *payment.Snapshot) {
		p.Status, p.Received, p.TakenBack = payment.Failed, payment.Amount{}, p.Amount
	}} {
		plain.Change(ref, f)
		s.Tell(shoptest.PlainName, shoptest.Told{ID: store.NewID(), Type: "changed", Payment: ref})
		if _, err := s.Processor.RunOnce(t.Context()); err != nil { // and no worker
			t.Fatal(err)
		}
	}
	s.Settle()
	if o := s.Order(order.ID); o.PaymentStatus != payment.Failed || o.FulfillmentStatus != store.DeliveryNotDue || len(s.Licenses(order.ID)) != 0 {
		t.Fatalf("%s, delivery %s, %d licenses", o.PaymentStatus, o.FulfillmentStatus, len(s.Licenses(order.ID)))
	}
	change(s, plain, payAgain(s, order.ID), "paid again", shoptest.Paid)
	holds(t, s, order.ID, payment.Paid, store.DeliveryDone, "active", "")
}

func TestARefundOfNothingIsNone(t *testing.T) {
	t.Parallel()
	s, plain := plainShop(t)
	order, ref := sold(t, s, plain)
	for _, event := range []string{"refunded", "told again"} {
		change(s, plain, ref, event, func(p *payment.Snapshot) {
			p.Refunded = payment.NewAmount(3000)
			p.Refunds = []payment.Refund{{Ref: "re_0", Status: payment.RefundFailed}, {Ref: "re_1", Amount: p.Refunded, Status: payment.RefundDone}}
		})
	}
	if o := s.Order(order.ID); o.RefundedAmount.String() != "3000" {
		t.Errorf("refunded %s, want 3000", o.RefundedAmount)
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_refunds"); n != 1 {
		t.Errorf("%d refunds are recorded, want 1", n)
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_order_revisions WHERE order_id = ? AND kind IN ('refunded', 'payment')", order.ID); n != 1 {
		t.Errorf("%d rows in the history, want 1", n)
	}
}

func TestAPaymentThatStopsBeingPaidWithoutAWordIsReviewed(t *testing.T) {
	t.Parallel()
	s, plain := plainShop(t)
	order, ref := sold(t, s, plain)
	change(s, plain, ref, "failed", func(p *payment.Snapshot) { p.Status, p.Received = payment.Failed, payment.Amount{} })
	o := s.Order(order.ID)
	if o.PaymentStatus != payment.Paid || store.Deref(o.ReviewReason) != payment.ImpossibleChange {
		t.Errorf("%s, review %q", o.PaymentStatus, store.Deref(o.ReviewReason))
	}
}

func TestAReservedPaymentDeliversNothingAndKeepsTheOrderOpen(t *testing.T) {
	t.Parallel()
	s, plain := plainShop(t)
	order, ref := s.BuyWith(shoptest.PlainName, "plain", 1)
	change(s, plain, ref, "authorised", func(p *payment.Snapshot) { p.Status = payment.Authorised })
	s.Exec("UPDATE shop_orders SET expires_at = NOW(6) - INTERVAL 1 SECOND")
	if _, err := s.Shop.ExpireOnce(t.Context()); err != nil {
		t.Fatal(err)
	}
	if o := s.Order(order.ID); o.PaymentStatus != payment.Authorised || len(s.Licenses(order.ID)) != 0 {
		t.Errorf("%s with %d licenses", o.PaymentStatus, len(s.Licenses(order.ID)))
	}
	change(s, plain, ref, "captured", shoptest.Paid)
	if o := s.Order(order.ID); o.FulfillmentStatus != store.DeliveryDone {
		t.Errorf("delivery %s after the capture", o.FulfillmentStatus)
	}
}
