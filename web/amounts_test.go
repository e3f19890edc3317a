package web_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"onceshop/fulfillment"
	"onceshop/shoptest"
)

func TestPricesOfEveryCurrencyAreShownRight(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	for slug, c := range map[string]struct{ price, currency, shown, two string }{
		"fude":    {"5800", "JPY", "¥5,800", "¥11,600"},
		"qalam":   {"2950", "KWD", "2.950 KWD", "5.900 KWD"},
		"inkwell": {"4905", "EUR", "€49.05", "€98.10"},
		"tally":   {"49000000", "USDC", "49.00 USDC", "98.00 USDC"},
		"million": {"1234567890000000000000000", "DAI", "1,234,567.89 DAI", "2,469,135.78 DAI"},
		"huge":    {"1000000000000000000000000000000000000000001", "DAI", "1000000000000000000000000.000000000000000001 DAI", "2000000000000000000000000.000000000000000002 DAI"},
	} {
		s.Product(slug, "Name of "+slug, c.price, c.currency)
		b := s.Browser()
		show := func(where string, text string, want string) {
			t.Helper()
			text = strings.Join(strings.Fields(text), " ") // a no-break space is as good
			if want = strings.Join(strings.Fields(want), " "); !strings.Contains(text, want) {
				t.Errorf("%s %s: %s says %q, want %q", c.price, c.currency, where, text, want)
			}
		}
		show("the product's page", words(parse(t, b.Get("/products/"+slug)), ".price"), c.shown)
		cart := parse(t, b.Follow(b.Post("/cart/lines", map[string][]string{"product": {slug}, "quantity": {"2"}})))
		show("the cart's line", words(cart, ".lines .soft"), c.shown)
		show("the cart's total", words(cart, ".checkout .value"), c.two)
		number := orderIn(t, s, b)
		o := parse(t, b.Get(pathOf(s, number)))
		show("the order's line", words(o, ".receipt tbody"), c.shown)
		show("the order's total", words(o, ".receipt .grand td"), c.two)
	}
}

// 10^24 minor units and more go from the provider to the page without losing one.
func TestAmountsOfAnySizeReachThePageWhole(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	b := s.Browser()
	const total, short = "1000000000000000000000001", "1000000000000000000000000"
	s.Product("huge", "Huge", total, "DAI")
	o, id := s.BuyProduct("huge", 1)
	if got := s.Platform.Order(id).Amount; got != total {
		t.Fatalf("the provider was asked for %s, want %s", got, total)
	}
	report(s, id, "payment.pending", func(o *shoptest.Order) { o.Revision, o.ReceivedAmount = "2", short })
	text := words(parse(t, b.Get(pathOf(s, o.Number))), "main")
	wantWords(t, text, "Partly paid: 1,000,000.00 DAI of 1,000,000.000000000000000001 DAI received")
	lackWords(t, text, "Show key")
	report(s, id, "payment.paid", func(o *shoptest.Order) { o.Revision, o.PaymentStatus, o.ReceivedAmount = "3", "paid", total })
	text = words(parse(t, b.Get(pathOf(s, o.Number))), "main")
	wantWords(t, text, "Delivered", "Received 1,000,000.000000000000000001 DAI")
}

const oddName = "Pro 🚀 Édition <b>\"x\"</b> & عربى"

func TestAnOddNameIsTheSameEverywhereAndNeverMarkup(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	s.Mails.Sender = fulfillment.Mailbox{DB: s.DB}
	b := s.Browser()
	s.Product("odd", oddName, "50000", "USDC")
	asked := listen(s)
	b.Post("/cart/lines", map[string][]string{"product": {"odd"}})
	cart := b.Get("/cart")
	number := orderIn(t, s, b)
	o, err := s.DB.FindOrderByNumber(t.Context(), number)
	if err != nil {
		t.Fatal(err)
	}
	payments, err := s.DB.ListPaymentsOfOrder(t.Context(), &o.ID)
	if err != nil {
		t.Fatal(err)
	}
	if got := asked(); got != oddName {
		t.Errorf("the provider is told %q", got)
	}
	report(s, *payments[0].ProviderRef, "payment.paid", paid)

	order := b.Get(pathOf(s, number))
	for name, at := range map[string]struct {
		page     shoptest.Page
		selector string
	}{
		"home": {b.Get("/"), ".card h3"}, "product": {b.Get("/products/odd"), "h1"}, "cart": {cart, ".lines h3"},
		"receipt": {order, ".receipt tbody bdi"}, "license": {order, ".license h3 bdi"},
	} {
		if got := words(parse(t, at.page), at.selector); got != oddName {
			t.Errorf("%s: the name is %q", name, got)
		}
		if strings.Contains(at.page.Body, `<b>"`) || !strings.Contains(at.page.Body, "&lt;b&gt;") {
			t.Errorf("%s: the name became markup", name)
		}
	}
	if doc := parse(t, order); doc.Find(".receipt tbody b, .license h3 b").Length() != 0 {
		t.Error("the name became markup")
	}
	mail := b.Get("/mailbox/1")
	wantWords(t, words(parse(t, mail), "pre"), oddName)
	if html := b.Get("/mailbox/1/html"); strings.Contains(html.Body, `<b>"`) {
		t.Error("the name became markup in the mail")
	}
	file := b.Get(parse(t, order).Find(`a[id$="-file"]`).AttrOr("href", ""))
	wantStatus(t, file, http.StatusOK)
	wantWords(t, file.Body, "Pro 🚀 Édition")
}

func TestTheProvidersDescriptionIsCutBetweenCharacters(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	asked := listen(s)
	for slug, name := range map[string]string{
		"family": strings.Repeat("👨‍👩‍👧‍👦", 8), // 25 bytes each, joined from seven code points
		"flag":   strings.Repeat("a", 122) + "🇨🇭🇨🇭🇨🇭",
		"accent": strings.Repeat("é", 125),
		"short":  "Just a name",
		"edge":   strings.Repeat("a", 124) + "…",
	} {
		s.Product(slug, name, "50000", "USDC")
		b := s.Browser()
		b.Post("/cart/lines", map[string][]string{"product": {slug}})
		orderIn(t, s, b)
		got := asked()
		if len(got) > 127 || !utf8.ValidString(got) {
			t.Errorf("%s: told %d bytes: %q", slug, len(got), got)
		}
		kept, cut := strings.CutSuffix(got, "…")
		if len(name) <= 127 {
			if got != name {
				t.Errorf("%s: told %q instead of %q", slug, got, name)
			}
			continue
		}
		if !cut || !strings.HasPrefix(name, kept) || uniseg.GraphemeClusterCount(kept)+uniseg.GraphemeClusterCount(name[len(kept):]) != uniseg.GraphemeClusterCount(name) {
			t.Errorf("%s: cut to %q, which isn't between two characters of %q", slug, got, name)
		}
	}
}

// orderIn places the order of the browser's cart and returns its number.
func orderIn(t testing.TB, s *shoptest.Pages, b *shoptest.Browser) string {
	t.Helper()
	pay := b.Post("/checkout", map[string][]string{"email": {shoptest.Buyer}})
	wantStatus(t, pay, http.StatusSeeOther)
	to := pay.Header.Get("Location")
	return numberOf(s, s.Platform.Order(to[strings.LastIndex(to, "/")+1:]).MerchantOrderID)
}

// listen notes the description of each payment that the platform is asked for; the
// function returns the last.
func listen(s *shoptest.Pages) (last func() string) {
	heard := make(chan string, 100)
	s.Platform.Before(func(r *http.Request) {
		if r.Method != http.MethodPost {
			return
		}
		raw, err := io.ReadAll(r.Body)
		if err != nil {
			s.Error(err)
			return
		}
		r.Body = io.NopCloser(strings.NewReader(string(raw)))
		var body struct{ Description string }
		if err := json.Unmarshal(raw, &body); err != nil {
			s.Error(err)
		}
		heard <- body.Description
	})
	return func() string { return <-heard }
}
