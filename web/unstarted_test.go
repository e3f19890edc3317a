package web_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"onceshop/shoptest"
	"onceshop/web"
)

const couldNotStart = "The payment could not be started right now. Your order is kept and nothing was charged."

// told is what the order's page says about a payment that couldn't begin.
func told(doc *goquery.Document) string { return words(doc, "[data-order] [role=alert]") }

func TestAPaymentThatCannotBeginIsToldAtTheFirstTry(t *testing.T) {
	t.Parallel()
	s := open(t)
	b := s.Browser()
	s.Platform.Fail(http.StatusUnauthorized)
	begun := choose(b, "inkwell", "stablein")
	wantStatus(t, begun, http.StatusSeeOther)
	marked := strings.TrimPrefix(begun.Header.Get("Location"), s.URL)
	page := b.Get(marked)
	wantStatus(t, page, http.StatusOK)
	doc := parse(t, page)
	if got := told(doc); got != couldNotStart+" Try again, or pay another way." {
		t.Errorf("the page says %q", got)
	}
	wantWords(t, words(doc, ".state"), "Waiting for payment", "Pay now", "or pay with", "Card")
	if strings.Contains(page.Body, `http-equiv="refresh"`) {
		t.Error("the page reloads itself although nothing is on its way")
	}
	if events := doc.Find("[data-events-url]").AttrOr("data-events-url", ""); told(parse(t, b.Get(marked))) == "" || !strings.Contains(events, "?") {
		t.Errorf("a reload or the stream %s takes the message away", events)
	}

	// It is true only as long as there is no page to pay on.
	s.Platform.Fail(0)
	order, _, _ := strings.Cut(marked, "?")
	wantStatus(t, b.Post(order+"/pay", url.Values{"way": {"stablein"}}), http.StatusSeeOther)
	doc = parse(t, b.Get(marked))
	if got := told(doc); got != "" || doc.Find("a#pay").Length() != 1 {
		t.Errorf("the payment has a page, and the order's says %q", got)
	}
	tell(s, onlyOrder(s), arrived)
	doc = parse(t, b.Get(marked))
	wantWords(t, words(doc, "main"), "Delivered: your license is below")
	lackWords(t, words(doc, "main"), "could not be started")
}

func TestAnAddressAloneDoesNotTellOfAPaymentThatCouldNotBegin(t *testing.T) {
	t.Parallel()
	s := open(t)
	b := s.Browser()
	for name, happen := range map[string]func(id, ref string){
		"waiting": func(string, string) {},
		"failed": func(_, ref string) {
			report(s, ref, "payment.failed", func(o *shoptest.Order) { o.Revision, o.PaymentStatus = "2", "failed" })
		},
		"partly paid": func(_, ref string) {
			report(s, ref, "payment.pending", func(o *shoptest.Order) { o.Revision, o.ReceivedAmount = "2", "20000" })
		},
		"cancelled": func(id, _ string) { s.Shop.Cancel(id) },
		"paid":      func(_, ref string) { report(s, ref, "payment.paid", paid) },
	} {
		o, ref := s.Buy(1)
		happen(o.ID, ref)
		doc := parse(t, b.Get(pathOf(s, o.Number)+"?unstarted=1"))
		if strings.Contains(words(doc, "main"), "could not be started") {
			t.Errorf("%s: the page says %q", name, told(doc))
		}
	}
}

func TestWithoutAnotherWayToPayNoneIsPromised(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	s.Product("inkwell", "Inkwell", "49000000", "USDC")
	b := s.Browser()
	s.Platform.Fail(http.StatusServiceUnavailable)
	doc := parse(t, b.Follow(choose(b, "inkwell", "")))
	if got := told(doc); got != couldNotStart+" Try again in a moment." {
		t.Errorf("the page says %q", got)
	}
}

func TestARefusalOfOurCredentialsIsLoggedAsAnError(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer // its handler writes a line at a time
	s := shoptest.New(t).Pages(func(c *web.Config) { c.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	s.Product("inkwell", "Inkwell", "49000000", "USDC")
	for status, want := range map[int]string{http.StatusUnauthorized: "level=ERROR", http.StatusServiceUnavailable: "level=WARN"} {
		log.Reset()
		b := s.Browser()
		s.Platform.Fail(status)
		begun := choose(b, "inkwell", "")
		wantStatus(t, begun, http.StatusSeeOther)
		order, _, _ := strings.Cut(begun.Header.Get("Location"), "?")
		wantStatus(t, b.Post(order+"/pay", nil), http.StatusServiceUnavailable)
		lines := 0
		for line := range strings.Lines(log.String()) {
			if strings.Contains(line, "payment not created") {
				lines++
				if !strings.Contains(line, want) {
					t.Errorf("%d: %s", status, line)
				}
			}
		}
		if lines != 2 {
			t.Errorf("%d: %d lines", status, lines)
		}
	}
}
