package web_test

import (
	"net/http"
	"strings"
	"testing"

	"onceshop/shoptest"
)

func TestAFullRefundEndsTheFileAndAPartialOneDoesnt(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	b := s.Browser()
	o, id := delivered(s)
	file := pathOf(s, o.Number) + "/licenses/" + s.Licenses(o.ID)[0].ID + ".license"
	report(s, id, "refund.completed", func(o *shoptest.Order) { o.Revision, o.RefundStatus, o.RefundedAmount = "3", "partial", "20000" })
	wantStatus(t, b.Get(file), http.StatusOK)
	report(s, id, "refund.completed", func(o *shoptest.Order) { o.Revision, o.RefundStatus, o.RefundedAmount = "4", "full", "50000" })
	gone := b.Get(file)
	wantStatus(t, gone, http.StatusGone)
	wantWords(t, words(parse(t, gone), "main"), "This license has ended", "revoked")
	if strings.Contains(gone.Body, "BEGIN ONCESHOP LICENSE") {
		t.Error("the file is given all the same")
	}
	// A later "paid" brings it back as little as the page's own address does.
	report(s, id, "payment.paid", func(o *shoptest.Order) { o.Revision = "5" })
	wantStatus(t, b.Get(file), http.StatusGone)
	wantWords(t, words(parse(t, b.Get(pathOf(s, o.Number)+"?status=success")), "main"), "Refunded")
}

func TestAnOrderThatEndedUnpaidIsPaidAgainAsTheSameOrder(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	b := s.Browser()
	o, id := s.Buy(1)
	report(s, id, "payment.failed", func(o *shoptest.Order) { o.Revision, o.PaymentStatus = "2", "failed" })
	action := parse(t, b.Get(pathOf(s, o.Number))).Find("form:has(#pay-again)").AttrOr("action", "")
	again := b.Post(action, nil)
	wantStatus(t, again, http.StatusSeeOther)
	second := again.Header.Get("Location")[len(s.PlatformURL()+"/pay/"):]
	if second == id {
		t.Fatal("the failed payment is to be paid again")
	}
	wantWords(t, words(parse(t, b.Get(pathOf(s, o.Number))), "main"), "Waiting for payment", "A new payment was started.")
	report(s, second, "payment.paid", paid)
	wantWords(t, words(parse(t, b.Get(pathOf(s, o.Number))), "main"), "Delivered")
	refused := b.Post(action, nil)
	wantStatus(t, refused, http.StatusConflict)
	if n := len(s.Licenses(o.ID)); n != 1 {
		t.Errorf("%d licenses, want one", n)
	}
}
