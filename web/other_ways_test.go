package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"onceshop/shoptest"
	"onceshop/store"
)

func TestAnotherProviderIsTriedFromTheOrdersPage(t *testing.T) {
	t.Parallel()
	s := open(t)
	b := s.Browser()
	wantStatus(t, choose(b, "inkwell", "stablein"), http.StatusSeeOther)
	order := onlyOrder(s)
	page := pathOf(s, s.Order(order).Number)
	doc := parse(t, b.Get(page))
	wantWords(t, words(doc, ".pay"), "Continue to payment", "StableIn.", "or pay with", "Card")
	form := doc.Find("form.others")
	card := b.Post(form.AttrOr("action", ""), url.Values{"way": {form.Find("button[name=way]").AttrOr("value", "")}})
	wantStatus(t, card, http.StatusSeeOther)

	doc = parse(t, b.Get(page))
	if got := doc.Find("a#pay").AttrOr("href", ""); got != card.Header.Get("Location") {
		t.Errorf("the page leads to %s, want %s", got, card.Header.Get("Location"))
	}
	wantWords(t, words(doc, ".history"), "A new payment was started: Card.")
	wantWords(t, entries(doc)[0].changes, "Pay with StableIn Card")
	if got := doc.Find("form.others button").AttrOr("value", ""); got != "stablein" {
		t.Errorf("the other way is %q", got)
	}
	// Back to the first: its page is still open, so no third payment is asked for.
	back := b.Post(form.AttrOr("action", ""), url.Values{"way": {"stablein"}})
	wantStatus(t, back, http.StatusSeeOther)
	if got := paidWith(s, order); !cmp.Equal(got, []string{"stablein", "card"}) || back.Header.Get("Location") == card.Header.Get("Location") {
		t.Errorf("the payments are %q", got)
	}

	// What happens then is told with the provider's name.
	id := strings.TrimPrefix(back.Header.Get("Location"), s.PlatformURL()+"/pay/")
	report(s, id, "payment.failed", func(o *shoptest.Order) { o.Revision, o.PaymentStatus = "2", "failed" })
	payments, err := s.DB.ListPaymentsOfOrder(t.Context(), &order)
	if err != nil {
		t.Fatal(err)
	}
	doc = parse(t, b.Get(page))
	told := false
	for _, e := range entries(doc) {
		told = told || strings.Contains(e.cause, "webhook StableIn payment.failed")
	}
	if !told {
		t.Errorf("the history doesn't name the provider: %+v", entries(doc))
	}
	if got := doc.Find("a#pay").AttrOr("href", ""); got != store.Deref(payments[1].PaymentURL) {
		t.Errorf("the page leads to %q, which isn't the payment that is still open", got)
	}
}

func TestAPaymentThatCannotBeginIsSaidOnTheOrdersPage(t *testing.T) {
	t.Parallel()
	s := open(t)
	b := s.Browser()
	wantStatus(t, choose(b, "inkwell", "stablein"), http.StatusSeeOther)
	page := pathOf(s, s.Order(onlyOrder(s)).Number)
	refused := func(way string, status int, sentence string) {
		t.Helper()
		got := b.Post(page+"/pay", url.Values{"way": {way}})
		wantStatus(t, got, status)
		doc := parse(t, got)
		wantWords(t, words(doc, "[role=alert]"), sentence)
		wantWords(t, words(doc, "h1"), "Waiting for payment")
		if strings.Contains(got.Body, `http-equiv="refresh"`) {
			t.Error("the page takes its message away by itself")
		}
		if doc.Find("[data-order] [role=alert]").Length() != 0 {
			t.Error("the stream takes the message away")
		}
	}
	refused("cash", http.StatusUnprocessableEntity, "Choose one of the ways to pay that are offered.")
	s.Platform.Fail(http.StatusServiceUnavailable)
	refused("card", http.StatusServiceUnavailable, "The payment could not be started right now.")
	s.Platform.Fail(0)
	// Whoever loads that address again sees the order.
	again := b.Get(page + "/pay")
	wantStatus(t, again, http.StatusSeeOther)
	wantWords(t, words(parse(t, b.Follow(again)), "main"), "Pay now", "Card. It stays one order", "or pay with", "StableIn")
	wantStatus(t, b.Get("/orders/nobody/pay"), http.StatusNotFound)
}

func TestWhoComesBackEarlyFindsTheOtherWaysFoldedAway(t *testing.T) {
	t.Parallel()
	s := open(t)
	b := s.Browser()
	wantStatus(t, choose(b, "inkwell", "stablein"), http.StatusSeeOther)
	doc := parse(t, b.Get(pathOf(s, s.Order(onlyOrder(s)).Number)+"?returned="+since(0)))
	fold := doc.Find("details#unfinished")
	if _, shown := fold.Attr("open"); shown || fold.Find("a#pay").Length() != 1 || fold.Find("form.others button").Length() != 1 {
		t.Errorf("the fold holds %q", words(doc, "details#unfinished"))
	}
	wantWords(t, words(doc, ".state"), "you do not need to pay again", "Payment not finished?")
}

func TestAnOrderThatNobodyTakesAnyMoreSaysSo(t *testing.T) {
	t.Parallel()
	s := open(t)
	b := s.Browser()
	o, id := s.Buy(1)
	report(s, id, "payment.failed", func(o *shoptest.Order) { o.Revision, o.PaymentStatus = "2", "failed" })
	s.Shop.Shop.Offered = nil
	page := b.Get(pathOf(s, o.Number))
	wantWords(t, words(parse(t, page), ".state"), "can’t be paid here at the moment")
	if parse(t, page).Find(".state form").Length() != 0 {
		t.Error("it can be paid all the same")
	}
	got := b.Post(pathOf(s, o.Number)+"/pay", nil)
	wantStatus(t, got, http.StatusConflict)
	wantWords(t, words(parse(t, got), "[role=alert]"), "no payment provider takes it")
}
