package checkout_test

import (
	"testing"

	"onceshop/payment"
)

func TestWhatStandsAsItStoodIsNotWrittenAgain(t *testing.T) {
	t.Parallel()
	s, plain := plainShop(t)
	_, ref := sold(t, s, plain)
	first := payment.Refund{Ref: "re_1", Amount: payment.NewAmount(100), Status: payment.RefundDone}
	second := payment.Refund{Ref: "re_2", Amount: payment.NewAmount(50), Status: payment.RefundPending}
	refunds := func(total int64, list ...payment.Refund) func(*payment.Snapshot) {
		return func(p *payment.Snapshot) { p.Refunded, p.Refunds = payment.NewAmount(total), list }
	}
	change(s, plain, ref, "first", refunds(100, first))
	change(s, plain, ref, "disputed", dispute(payment.DisputeOpen))
	s.Exec("UPDATE shop_refunds SET updated_at = '2020-01-01'")
	s.Exec("UPDATE shop_disputes SET updated_at = '2020-01-01'")
	change(s, plain, ref, "second", refunds(150, first, second))
	if n := s.Count("SELECT COUNT(*) FROM shop_refunds WHERE provider_ref = 're_1' AND updated_at = '2020-01-01'"); n != 1 {
		t.Error("the first refund was written again")
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_disputes WHERE updated_at = '2020-01-01'"); n != 1 {
		t.Error("the dispute was written again")
	}
	second.Status = payment.RefundDone
	s.Exec("UPDATE shop_refunds SET updated_at = '2020-01-01'")
	change(s, plain, ref, "second done", refunds(150, first, second))
	if n := s.Count("SELECT COUNT(*) FROM shop_refunds WHERE provider_ref = 're_2' AND status = 'done' AND updated_at > '2020-01-01'"); n != 1 {
		t.Error("the second refund wasn't written although it stands differently")
	}
}
