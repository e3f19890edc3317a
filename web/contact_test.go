package web_test

import (
	"testing"

	"onceshop/payment"
	"onceshop/shoptest"
	"onceshop/web"
)

func TestEveryPageNamesWhomToAsk(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages(func(c *web.Config) { c.Contact = "help+a?b@shop.example" })
	b := s.Browser()
	for name, address := range everyPage(s, b) {
		link := parse(t, b.Get(address)).Find(".site-footer a[href^='mailto:']")
		if got := link.AttrOr("href", ""); got != "mailto:help+a%3Fb@shop.example" || link.Text() != "help+a?b@shop.example" {
			t.Errorf("%s: the footer leads to %q, and says %q", name, got, link.Text())
		}
	}
}

func TestAShopWithoutAnAddressForQuestionsInvitesNone(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	b := s.Browser()
	for name, address := range everyPage(s, b) {
		if doc := parse(t, b.Get(address)); doc.Find("a[href^='mailto:']").Length() != 0 {
			t.Errorf("%s: there is a link to a mail to nobody", name)
		}
	}
}

func TestWhoIsToGetInTouchHasTheAddressAndTheOrderAtHand(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages(func(c *web.Config) { c.Contact = "help@shop.example" })
	b := s.Browser()
	o, _ := s.Buy(1)
	for _, change := range (snapshots{arrived, refunded(payment.PartiallyRefunded, refund("re_1", 20000, payment.RefundPending)), returned}) {
		tell(s, o.ID, change)
	}
	doc := parse(t, b.Get(pathOf(s, o.Number)))
	wantWords(t, words(doc, ".movements"), "We will get in touch. You can write to us as well: help@shop.example")
	if got := doc.Find(".movements a").AttrOr("href", ""); got != "mailto:help@shop.example?subject=Order%20"+o.Number {
		t.Errorf("it leads to %q", got)
	}
	doc = parse(t, b.Get("/nowhere"))
	wantWords(t, words(doc, ".problem"), "If you need help, write to help@shop.example and name this request:")
}
