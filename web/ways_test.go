package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"

	"onceshop/payment"
	"onceshop/shoptest"
	"onceshop/web"
	"onceshop/web/view"
)

// open serves the pages of a shop that is paid through StableIn, or by card where the
// second provider takes the currency: EUR and USDC. It is the same platform under
// another name.
func open(t *testing.T) *shoptest.Pages {
	t.Helper()
	s := shoptest.New(t).Pages(func(c *web.Config) {
		c.Ways = append(c.Ways, view.Way{Name: "card", Label: "Card", Hint: "On the bank's page"})
	})
	s.Shop.Shop.Providers["card"] = taker{s.Adapter, []string{"EUR", "USDC"}}
	s.Shop.Shop.Offered = append(s.Shop.Shop.Offered, "card")
	s.Handler.Providers["card"], s.Processor.Providers["card"] = s.Adapter, s.Adapter
	s.Product("inkwell", "Inkwell", "49000000", "USDC")
	return s
}

// taker takes some currencies only.
type taker struct {
	payment.Creator
	currencies []string
}

func (k taker) Takes(m payment.Money) bool {
	for _, c := range k.currencies {
		if m.Currency == c {
			return k.Creator.Takes(m)
		}
	}
	return false
}

// choose puts a product into the browser's cart and sends the form.
func choose(b *shoptest.Browser, slug, way string) shoptest.Page {
	b.Post("/cart/lines", url.Values{"product": {slug}})
	return b.Post("/checkout", url.Values{"email": {shoptest.Buyer}, "way": {way}})
}

// paidWith lists the providers of all payments of an order, in their order.
func paidWith(s *shoptest.Pages, orderID string) []string {
	s.Helper()
	payments, err := s.DB.ListPaymentsOfOrder(s.Context(), &orderID)
	if err != nil {
		s.Fatal(err)
	}
	var names []string
	for _, p := range payments {
		names = append(names, p.Provider)
	}
	return names
}

// onlyOrder is the one order that there is.
func onlyOrder(s *shoptest.Pages) (id string) {
	s.Helper()
	if err := s.DB.Pool().QueryRowContext(s.Context(), "SELECT id FROM shop_orders").Scan(&id); err != nil {
		s.Fatal(err)
	}
	return id
}

// offered are the values of the cart's radio buttons, the chosen one marked.
func offered(doc *goquery.Document) []string {
	return doc.Find(".checkout input[type=radio][name=way]").Map(func(_ int, e *goquery.Selection) string {
		if _, checked := e.Attr("checked"); checked {
			return "[" + e.AttrOr("value", "") + "]"
		}
		return e.AttrOr("value", "")
	})
}

func TestTheBuyerPaysWithTheProviderThatWasChosen(t *testing.T) {
	t.Parallel()
	s := open(t)
	b := s.Browser()
	b.Post("/cart/lines", url.Values{"product": {"inkwell"}})
	doc := parse(t, b.Get("/cart"))
	if diff := cmp.Diff([]string{"[stablein]", "card"}, offered(doc)); diff != "" {
		t.Error(diff)
	}
	group := doc.Find(".checkout form fieldset")
	if got := words(doc, ".checkout fieldset legend"); got != "How do you want to pay?" || group.AttrOr("role", "") != "radiogroup" {
		t.Errorf("the choice is %q, %s", got, group.AttrOr("role", ""))
	}
	wantWords(t, words(doc, ".ways"), "StableIn Stablecoins, from your own wallet", "Card On the bank's page")

	pay := b.Post("/checkout", url.Values{"email": {shoptest.Buyer}, "way": {"card"}})
	wantStatus(t, pay, http.StatusSeeOther)
	order := onlyOrder(s)
	if got := paidWith(s, order); !cmp.Equal(got, []string{"card"}) {
		t.Errorf("the payments are %q", got)
	}
	id := pay.Header.Get("Location")[len(s.PlatformURL()+"/pay/"):]
	e := shoptest.Event{Type: "payment.paid", Order: s.Platform.Set(s.Platform.Order(id).With(paid))}
	body := e.Encode()
	s.Do(shoptest.Signed(s.Server.URL+"/webhooks/card", e.ID, shoptest.Secret, body))
	s.Settle()
	text := words(parse(t, b.Get(pathOf(s, s.Order(order).Number))), "main")
	wantWords(t, text, "Delivered: your license is below")
	lackWords(t, text, "or pay with", "webhook Card") // of a single provider nobody needs the name
}

func TestAWayThatIsNotOfferedIsRefusedAtItsFieldAndNothingIsLost(t *testing.T) {
	t.Parallel()
	s := open(t)
	b := s.Browser()
	for _, typed := range []string{"cash", "STABLEIN", "card\x00", "stablein card", " card"} {
		got := choose(b, "inkwell", typed)
		wantStatus(t, got, http.StatusUnprocessableEntity)
		doc := parse(t, got)
		if kept := doc.Find("#email").AttrOr("value", ""); kept != shoptest.Buyer {
			t.Errorf("%q: the address is %q", typed, kept)
		}
		if diff := cmp.Diff([]string{"[stablein]", "card"}, offered(doc)); diff != "" {
			t.Errorf("%q: %s", typed, diff)
		}
		describes(t, got, "fieldset.ways")
		to := doc.Find("[role=alert] a").AttrOr("href", "")
		if to == "" || doc.Find(to+"[type=radio]").Length() != 1 || !strings.HasPrefix(words(doc, "title"), "Error: ") {
			t.Errorf("%q: the way to the field is %q, the title %q", typed, to, words(doc, "title"))
		}
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_orders"); n != 0 || s.Platform.Creates() != 0 {
		t.Errorf("%d orders and %d payments came of it", n, s.Platform.Creates())
	}
}

func TestTheChosenWayIsKeptWhenSomethingElseIsWrong(t *testing.T) {
	t.Parallel()
	s := open(t)
	b := s.Browser()
	b.Post("/cart/lines", url.Values{"product": {"inkwell"}})
	got := b.Post("/checkout", url.Values{"email": {"nobody"}, "way": {"card"}})
	wantStatus(t, got, http.StatusUnprocessableEntity)
	if diff := cmp.Diff([]string{"stablein", "[card]"}, offered(parse(t, got))); diff != "" {
		t.Error(diff)
	}
	if _, wrong := parse(t, got).Find("fieldset.ways").Attr("aria-invalid"); wrong {
		t.Error("the choice is marked as wrong")
	}
}

func TestOnlyWaysThatTakeTheCurrencyAreOffered(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.Shop.Shop.Providers["stablein"] = taker{s.Adapter, []string{"USDC", "DAI"}}
	for slug, currency := range map[string]string{"dai": "DAI", "eur": "EUR", "jpy": "JPY"} {
		s.Product(slug, "In "+currency, "5000", currency)
	}
	cart := func(slug string) (*shoptest.Browser, *goquery.Document) {
		b := s.Browser()
		b.Post("/cart/lines", url.Values{"product": {slug}})
		return b, parse(t, b.Get("/cart"))
	}
	for slug, want := range map[string]struct{ name, label string }{"dai": {"stablein", "StableIn"}, "eur": {"card", "Card"}} {
		_, doc := cart(slug)
		if hidden := doc.Find(`.checkout input[type=hidden][name=way]`); doc.Find(".ways").Length() != 0 || hidden.AttrOr("value", "") != want.name {
			t.Errorf("%s: the only way is %q", slug, hidden.AttrOr("value", ""))
		}
		wantWords(t, words(doc, ".checkout"), "on the provider’s own page, "+want.label)
	}

	for slug, buyable := range map[string]bool{"dai": true, "eur": true, "jpy": false} {
		doc := parse(t, s.Browser().Get("/products/"+slug))
		said := strings.Contains(words(doc, ".offer"), "This can’t be bought at the moment. No payment provider takes ¥5,000 here.")
		if said == buyable || (doc.Find("form.buy").Length() == 1) != buyable {
			t.Errorf("%s: the product's page says %q", slug, words(doc, ".offer"))
		}
	}

	b, doc := cart("jpy")
	if doc.Find(".checkout form").Length() != 0 {
		t.Error("a currency that nobody takes can be paid")
	}
	wantWords(t, words(doc, ".checkout"), "¥5,000 can’t be paid here at the moment")
	if got := doc.Find(".lines li").Length(); got != 1 {
		t.Errorf("%d lines are shown", got)
	}
	for _, way := range []string{"", "card"} {
		got := b.Post("/checkout", url.Values{"email": {shoptest.Buyer}, "way": {way}})
		wantStatus(t, got, http.StatusConflict)
		wantWords(t, words(parse(t, got), ".checkout"), "¥5,000 can’t be paid here at the moment")
	}

	// The way is gone that the page offered a moment ago.
	b, _ = cart("eur")
	got := b.Post("/checkout", url.Values{"email": {shoptest.Buyer}, "way": {"stablein"}})
	wantStatus(t, got, http.StatusUnprocessableEntity)
	wantWords(t, words(parse(t, got), "[role=alert]"), "no longer offered", "Card")
}
