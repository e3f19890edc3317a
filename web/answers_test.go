package web_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"onceshop/fulfillment"
	"onceshop/shoptest"
	"onceshop/web"
)

// everyPage is the address of each kind of page, with orders behind them.
func everyPage(s *shoptest.Pages, b *shoptest.Browser) map[string]string {
	s.Helper()
	s.Mails.Sender = fulfillment.Mailbox{DB: s.DB}
	o, _ := delivered(s)
	waiting, _ := s.Buy(1)
	b.Post("/cart/lines", map[string][]string{"product": {"product"}})
	page := pathOf(s, o.Number)
	return map[string]string{
		"home": "/", "product": "/products/product", "cart": "/cart", "empty cart": "/cart?nothing=1",
		"return": "/checkout/return?order=" + o.Number, "order": page, "key": page + "?show=" + s.Licenses(o.ID)[0].ID,
		"waiting": pathOf(s, waiting.Number), "back": pathOf(s, waiting.Number) + "?returned=1",
		"licenses": "/licenses", "mailbox": "/mailbox", "mail": "/mailbox/1", "not found": "/nowhere", "no order": "/orders/nobody",
		"no product": "/products/nothing", "wrong method": "/checkout",
	}
}

func TestPagesHoldNoInlineScriptOrStyle(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	b := s.Browser()
	for name, address := range everyPage(s, b) {
		page := b.Get(address)
		policy := page.Header.Get("Content-Security-Policy")
		for _, want := range []string{"default-src 'none'", "script-src 'self'", "style-src 'self'", "base-uri 'none'", "frame-ancestors 'none'", "form-action 'self' " + s.PlatformURL()} {
			if !strings.Contains(policy, want) {
				t.Errorf("%s: the policy %q lacks %s", name, policy, want)
			}
		}
		if strings.Contains(policy, "unsafe") || strings.Contains(policy, "*") {
			t.Errorf("%s: the policy is %q", name, policy)
		}
		doc := parse(t, page)
		doc.Find("*").Each(func(_ int, e *goquery.Selection) {
			tag := goquery.NodeName(e)
			if src, ok := e.Attr("src"); tag == "script" && (!ok || strings.TrimSpace(e.Text()) != "" || !strings.HasPrefix(src, "/assets/")) || tag == "style" || tag == "base" {
				t.Errorf("%s: <%s> in the page", name, tag)
			}
			for _, a := range e.Nodes[0].Attr {
				if a.Key == "style" || strings.HasPrefix(a.Key, "on") {
					t.Errorf("%s: <%s %s> in the page", name, tag, a.Key)
				}
				foreign := strings.Contains(a.Val, "//") && !strings.HasPrefix(a.Val, s.URL) && !strings.HasPrefix(a.Val, s.PlatformURL()+"/pay/")
				if (a.Key == "src" || a.Key == "href" || a.Key == "action") && (foreign || strings.HasPrefix(a.Val, "javascript:")) {
					t.Errorf("%s: <%s %s=%q> leads elsewhere", name, tag, a.Key, a.Val)
				}
			}
		})
	}
}

// A mail brings its own styles, so its page has a policy of its own: it may do
// nothing but look.
func TestAMailsHTMLMayDoNothing(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	b := s.Browser()
	everyPage(s, b)
	page := b.Get("/mailbox/1/html")
	wantStatus(t, page, http.StatusOK)
	policy := page.Header.Get("Content-Security-Policy")
	if !strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, "sandbox") || strings.Contains(policy, "script-src") || strings.Contains(policy, "allow-scripts") {
		t.Errorf("the policy is %q", policy)
	}
	if page.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("Cache-Control is %q", page.Header.Get("Cache-Control"))
	}
}

func TestHeadAnswersLikeGetWithoutABody(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	b := s.Browser()
	addresses := everyPage(s, b)
	delete(addresses, "wrong method")
	addresses["robots"], addresses["key"] = "/robots.txt", "/licenses/public-key.pem"
	addresses["asset"] = parse(t, b.Get("/")).Find("link[rel=stylesheet]").AttrOr("href", "")
	for name, address := range addresses {
		get, head := b.Get(address), b.Head(address)
		if head.Status != get.Status || head.Body != "" {
			t.Errorf("%s: HEAD answers %d with %d bytes, GET answers %d", name, head.Status, len(head.Body), get.Status)
		}
		for _, h := range []string{"Content-Type", "Cache-Control", "Content-Security-Policy"} {
			if head.Header.Get(h) != get.Header.Get(h) {
				t.Errorf("%s: HEAD says %s %q, GET says %q", name, h, head.Header.Get(h), get.Header.Get(h))
			}
		}
	}
	// The stream of an order answers HEAD at once instead of streaming nothing.
	stream := b.Head(strings.TrimSuffix(addresses["order"], "/") + "/events")
	wantStatus(t, stream, http.StatusOK)
	if got := stream.Header.Get("Content-Type"); got != "text/event-stream" {
		t.Errorf("the stream is %q", got)
	}
	wantStatus(t, b.Get("/robots.txt"), http.StatusOK) // the same connection
}

func TestAnUnknownAddressIsAPageThatSaysSo(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	b := s.Browser()
	for _, address := range []string{"/nowhere", "/orders/", "/orders", "/products/", "/products/nothing", "/products/product/more", "/cart/", "/assets/nothing.css/x", "/webhooks/stablein", "/.env", "//", "/%2e%2e/etc/passwd"} {
		page := b.Get(address)
		if page.Status != http.StatusNotFound {
			t.Errorf("%s answers %d, want 404", address, page.Status)
			continue
		}
		if strings.HasPrefix(address, "/assets/") {
			continue
		}
		wantWords(t, words(parse(t, page), "main h1"), "Page not found")
		if doc := parse(t, page); doc.Find("main a[href='/']").Length() == 0 {
			t.Errorf("%s leads nowhere", address)
		}
		if id := page.Header.Get("X-Request-Id"); id == "" || !strings.Contains(page.Body, id) {
			t.Errorf("%s doesn't name its request", address)
		}
	}
	if page := b.Get("/checkout"); page.Status != http.StatusMethodNotAllowed || page.Header.Get("Allow") == "" {
		t.Errorf("GET /checkout answers %d and allows %q", page.Status, page.Header.Get("Allow"))
	}
}

func TestWithoutItsDatabaseTheShopSaysTryAgain(t *testing.T) {
	t.Parallel()
	usual := shoptest.New(t)
	faulty := shoptest.NewFaulty(t, usual.DSN)
	s := shoptest.New(t, shoptest.Options{Pool: faulty.Open(t)}).Pages()
	b := s.Browser()
	addresses := everyPage(s, b)
	form := map[string][]string{"product": {"product"}, "email": {shoptest.Buyer}}

	faulty.Arm(shoptest.Fault{At: 1, How: shoptest.NotSent, Down: true})
	delete(addresses, "wrong method")
	delete(addresses, "not found") // needs no database
	delete(addresses, "licenses")  // nor does this
	for name, address := range addresses {
		away(t, name, b.Get(address))
	}
	away(t, "add", b.Post("/cart/lines", form))
	away(t, "pay", b.Post("/checkout", form))
	for _, address := range []string{"/licenses", "/licenses/public-key.pem", "/robots.txt"} {
		wantStatus(t, b.Get(address), http.StatusOK)
	}
	wantStatus(t, b.Get("/nowhere"), http.StatusNotFound)

	faulty.Mend()
	wantStatus(t, b.Get("/"), http.StatusOK)
	wantStatus(t, b.Post("/checkout", form), http.StatusSeeOther) // the cart is still there
}

func away(t *testing.T, name string, page shoptest.Page) {
	t.Helper()
	if page.Status != http.StatusServiceUnavailable || page.Header.Get("Retry-After") == "" || page.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%s: %d with %v, want 503 and Retry-After", name, page.Status, page.Header)
	}
	wantWords(t, words(parse(t, page), "main"), "Back in a moment", "Nothing is lost")
}

// Only pages that show nobody's secrets are compressed: what a page reflects of
// its address must not be measurable beside a key (BREACH).
func TestOnlyPublicPagesAreCompressed(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	b := s.Browser()
	addresses := everyPage(s, b)
	public := map[string]bool{"home": true, "product": true, "licenses": true}
	for name, address := range addresses {
		r, err := http.NewRequest(http.MethodGet, s.URL+address, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept-Encoding", "gzip, br")
		page := b.Do(r)
		if zipped := page.Header.Get("Content-Encoding") == "gzip"; zipped != public[name] {
			t.Errorf("%s: Content-Encoding %q", name, page.Header.Get("Content-Encoding"))
		}
		if public[name] && !strings.Contains(page.Header.Get("Vary"), "Accept-Encoding") {
			t.Errorf("%s: Vary is %q", name, page.Header.Get("Vary"))
		}
	}
}

// The count of a visitor's cart stands on public pages too, so none of them may be
// kept for somebody else.
func TestNoPageIsKeptForSomebodyElse(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	b := s.Browser()
	for name, address := range everyPage(s, b) {
		kept := b.Get(address).Header.Get("Cache-Control")
		if kept != "no-store" && kept != "private, no-cache" {
			t.Errorf("%s: Cache-Control is %q", name, kept)
		}
	}
}

var cookiePattern = regexp.MustCompile(`^cart=[A-Z2-7]{26,}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax$`)

func TestTheCartsCookieIsBound(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	s.Product("inkwell", "Inkwell", "49000000", "USDC")
	got := s.Browser().Post("/cart/lines", map[string][]string{"product": {"inkwell"}}).Header.Get("Set-Cookie")
	if !cookiePattern.MatchString(got) {
		t.Errorf("the cookie is %q", got)
	}
	if s.Browser().Get("/").Header.Get("Set-Cookie") != "" {
		t.Error("looking sets a cookie")
	}
}

func TestAShopUnderHTTPSBindsItsCookieToItAndStaysThere(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages(func(c *web.Config) { c.Shop.BaseURL = "https://shop.test" })
	s.Product("inkwell", "Inkwell", "49000000", "USDC")
	page := s.Browser().Post("/cart/lines", map[string][]string{"product": {"inkwell"}})
	if got := page.Header.Get("Set-Cookie"); !strings.HasPrefix(got, "__Host-cart=") || !strings.Contains(got, "; Secure") {
		t.Errorf("the cookie is %q", got)
	}
	if got := page.Header.Get("Strict-Transport-Security"); !strings.HasPrefix(got, "max-age=") {
		t.Errorf("Strict-Transport-Security is %q", got)
	}
}
