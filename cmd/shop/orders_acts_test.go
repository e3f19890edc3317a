package main

import (
	"testing"

	"onceshop/payment"
	"onceshop/shoptest"
)

func TestWhatAPersonDoesToAnOrderIsDoneAndWrittenDown(t *testing.T) {
	t.Parallel()
	s, environ, paidNumber, _ := bought(t)

	cancelled, _ := s.Buy(1)
	s.Cancel(cancelled.ID)
	wantCode(t, shop(t, environ, "orders", "reopen", cancelled.Number, "--as", "ada"), exitDone, "is reopened")
	if now := s.Order(cancelled.ID); now.PaymentStatus != payment.Pending || now.CancelledAt != nil {
		t.Errorf("the reopened order is %s", now.PaymentStatus)
	}
	wantAudit(t, s, cancelled.Number, "ada", "reopen order", "reopened")
	wantCode(t, shop(t, environ, "orders", "reopen", paidNumber, "--as", "ada"), exitFailed, "isn't cancelled")
	wantAudit(t, s, paidNumber, "ada", "reopen order", "refused: This order isn't cancelled")

	refused, ref := s.Buy(1)
	s.Report("payment.paid", shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "paid", Amount: "10"})
	s.Settle()
	wantCode(t, shop(t, environ, "orders", "list", "--review"), exitDone, refused.Number)
	wantCode(t, shop(t, environ, "orders", "reviewed", refused.Number, "--as", "ada"), exitDone, "is reviewed")
	if now := s.Order(refused.ID); now.ReviewReason != nil {
		t.Errorf("still under review: %s", *now.ReviewReason)
	}
	wantAudit(t, s, refused.Number, "ada", "review order", "reviewed")

	linked, _ := s.Buy(1)
	out := shop(t, environ, "orders", "relink", linked.Number, "--as", "ada")
	wantCode(t, out, exitDone, "is relinked", "/orders/")
	if s.Order(linked.ID).TokenVersion != 2 {
		t.Error("the order's token is the old one")
	}
	wantAudit(t, s, linked.Number, "ada", "relink order", "relinked")
}

func TestAWordThatNoListKnowsIsRefused(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"events", "list", "--status", "zzz"}, {"events", "list", "--verdict", "zzz"}, {"orders", "list", "--status", "zzz"},
		{"orders", "list", "--delivery", "zzz"}, {"jobs", "list", "--status", "ded"}, {"jobs", "list", "--kind", "zzz"},
	} {
		wantCode(t, shop(t, nil, args...), exitUsage, "must be one of")
	}
}
