package sandbox_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"onceshop/payment"
	"onceshop/sandbox"
)

func amount(text string) payment.Amount {
	a, err := payment.ParseAmount(text)
	if err != nil {
		panic(err)
	}
	return a
}

// pageOf is a sandbox with echo, and the hosted page of an order of it.
func pageOf(t *testing.T, d sandbox.Dialect) (*bench, string) {
	t.Helper()
	b := setup(t, func(c *sandbox.Config) { c.Dialects = []sandbox.Dialect{d} })
	r, err := b.Create(t.Context(), sandbox.NewOrder{
		Dialect: "echo", MerchantRef: "order-1", Amount: amount("4900"), Currency: "EUR", Description: "A license",
		ReturnURL: "https://shop.example/back?page={PAGE}",
	})
	if err != nil {
		t.Fatal(err)
	}
	return b, "/pay/" + r.ID
}

func buttonsOf(page *goquery.Document) string {
	return strings.Join(page.Find(`button[name="do"]`).Map(func(_ int, s *goquery.Selection) string { return s.AttrOr("value", "") }), " ")
}

func TestThePageSaysWhoseStandInItIs(t *testing.T) {
	t.Parallel()
	b, path := pageOf(t, echo{})
	page := b.visit(path, http.StatusOK)
	if got := page.Find(".practice").Text(); !strings.Contains(got, "Practice stand-in for Echo Payments") {
		t.Errorf("says %q", got)
	}
	if got := page.Find("footer").Text(); !strings.Contains(got, "not Echo Payments itself") {
		t.Errorf("the foot says %q", got)
	}
	if got := b.visit("/pay/"+b.order(), http.StatusOK).Find(".practice").Text(); !strings.Contains(got, "Practice stand-in for StableIn") {
		t.Errorf("StableIn's says %q", got)
	}
}

func TestThePageOffersWhatTheProviderHas(t *testing.T) {
	t.Parallel()
	b, path := pageOf(t, echo{without: []string{"authorise"}})
	page := b.visit(path, http.StatusOK)
	if got := buttonsOf(page); got != "pay debit attempt_fail underpay late fail expire" {
		t.Errorf("offers %s", got)
	}
	if page.Find("#risk").Length() != 0 {
		t.Error("offers to assess a risk")
	}
	if got := buttonsOf(b.visit("/pay/"+b.order(), http.StatusOK)); got != "pay pay3 underpay overpay late fail expire risk" {
		t.Errorf("StableIn offers %s", got)
	}
	// A button that isn't there isn't pressed by hand either.
	response, err := http.PostForm(b.URL+path, url.Values{"do": {"authorise"}, "revision": {"1"}})
	if err != nil {
		t.Fatal(err)
	}
	b.read(response, http.StatusConflict)
}

func TestMoneyIsReservedAndTakenOnThePage(t *testing.T) {
	t.Parallel()
	b, path := pageOf(t, echo{})
	page := b.press(b.visit(path, http.StatusOK), "authorise", http.StatusOK, nil)
	if got := page.Find(".state .pill").Text(); got != "Reserved" {
		t.Errorf("state %q", got)
	}
	if got := buttonsOf(page); got != "capture capture_half fail expire" {
		t.Errorf("offers %s", got)
	}
	page = b.press(page, "capture_half", http.StatusOK, nil)
	if got := page.Find(`button[value="capture"]`).Text(); got != "Capture €24.50" {
		t.Errorf("offers %q", got)
	}
	page = b.press(page, "capture", http.StatusOK, nil)
	if got := page.Find(".state .pill").Text(); got != "Paid" {
		t.Errorf("state %q", got)
	}
	page = b.press(page, "capture_fail", http.StatusOK, nil)
	if got := page.Find(".state .pill").Text(); got != "Taken back" {
		t.Errorf("state %q", got)
	}
}

func TestABankConfirmsOnce(t *testing.T) {
	t.Parallel()
	b, path := pageOf(t, echo{})
	page := b.press(b.visit(path, http.StatusOK), "debit", http.StatusOK, nil)
	if page.Find(".blocks").Length() != 0 || !strings.Contains(page.Find(".state").Text(), "when the bank confirms") {
		t.Errorf("waits as on a chain: %q", page.Find(".state").Text())
	}
	page = b.press(page, "confirm", http.StatusOK, nil)
	if got := page.Find(".state .pill").Text(); got != "Paid" {
		t.Errorf("state %q", got)
	}
}

func TestDisputesAndRefundsThatComeBackOnThePage(t *testing.T) {
	t.Parallel()
	b, path := pageOf(t, echo{})
	page := b.press(b.visit(path, http.StatusOK), "attempt_fail", http.StatusOK, nil)
	page = b.press(page, "pay", http.StatusOK, nil)
	page = b.press(page, "dispute", http.StatusOK, nil)
	if page.Find("details[open] #dispute").Length() != 1 {
		t.Error("the open dispute is out of sight")
	}
	page = b.press(page, "dispute_lose", http.StatusOK, nil)
	if !strings.Contains(page.Find(".slip .facts").Text(), "€49.00, lost") {
		t.Errorf("tells %q", page.Find(".slip .facts").Text())
	}
	page = b.press(page, "refund_all", http.StatusOK, nil)
	page = b.press(page, "refund_fail", http.StatusOK, nil)
	if !strings.Contains(page.Find(".slip .facts").Text(), "Refunds that came back€49.00") {
		t.Errorf("tells %q", page.Find(".slip .facts").Text())
	}
	desk := b.visit("/", http.StatusOK)
	if got := desk.Find("tbody .pills").First().Text(); !strings.Contains(got, "dispute lost") || !strings.Contains(desk.Find("tbody").Text(), "Echo Payments") {
		t.Errorf("the desk tells %q", got)
	}
	order := b.visit(strings.Replace(path, "/pay/", "/orders/", 1), http.StatusOK)
	events := order.Find(".events > li")
	if events.Length() != 9 { // seven revisions: one untold, two told by two events
		t.Errorf("%d entries", events.Length())
	}
	if got := events.Last().Text(); !strings.Contains(got, "Echo Payments has no event for this") {
		t.Errorf("the first revision: %q", got)
	}
	if !strings.Contains(order.Find(".facts").Text(), "Attempt 2") {
		t.Error("the attempts aren't told")
	}
}
