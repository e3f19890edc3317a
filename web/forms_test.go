package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"onceshop/shoptest"
)

func TestEveryFormThatSucceedsIsAnswered303(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	s.Product("inkwell", "Inkwell", "49000000", "USDC")
	b := s.Browser()
	posted := func(address string, form url.Values, to string) {
		t.Helper()
		got := b.Post(address, form)
		if got.Status != http.StatusSeeOther || !strings.HasPrefix(got.Header.Get("Location"), to) {
			t.Errorf("POST %s answers %d to %q, want 303 to %s:\n%s", address, got.Status, got.Header.Get("Location"), to, got.Body)
		}
	}
	posted("/cart/lines", url.Values{"product": {"inkwell"}, "quantity": {"3"}}, "/cart")
	posted("/cart/lines/inkwell", url.Values{"quantity": {"1"}}, "/cart")
	posted("/cart/lines/inkwell", url.Values{"quantity": {"0"}}, "/cart")
	posted("/cart/lines", url.Values{"product": {"inkwell"}}, "/cart")
	posted("/checkout", url.Values{"email": {shoptest.Buyer}}, s.PlatformURL()+"/pay/")
	posted("/checkout", url.Values{"email": {shoptest.Buyer}}, s.PlatformURL()+"/pay/") // pressed twice: the same page
	if n := s.Count("SELECT COUNT(*) FROM shop_orders"); n != 1 || s.Platform.Creates() != 1 {
		t.Errorf("%d orders and %d payments came of pressing Pay twice, want one each", n, s.Platform.Creates())
	}

	o, id := s.Buy(1)
	s.Report("payment.failed", s.Platform.Order(id).With(func(p *shoptest.Order) { p.Revision, p.PaymentStatus = "2", "failed" }))
	s.Settle()
	posted(pathOf(s, o.Number)+"/pay", nil, s.PlatformURL()+"/pay/")

	// The provider is away: the order stands, and its page offers to try again.
	s.Platform.Fail(http.StatusInternalServerError)
	b.Post("/cart/lines", url.Values{"product": {"inkwell"}})
	posted("/checkout", url.Values{"email": {shoptest.Buyer}}, s.URL+"/orders/")
}

func TestAFormOfAnotherSiteIsRefusedWithAPage(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	s.Product("inkwell", "Inkwell", "49000000", "USDC")
	o, _ := s.Buy(1)
	b := s.Browser()
	for _, headers := range []map[string]string{
		{"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"},
		{"Sec-Fetch-Site": "same-site", "Origin": "http://127.0.0.1:1"},
		{"Origin": "https://evil.example"},
		{"Origin": "null"},
	} {
		for _, address := range []string{"/cart/lines", "/cart/lines/inkwell", "/checkout", pathOf(s, o.Number) + "/pay"} {
			r, err := http.NewRequest(http.MethodPost, s.URL+address, strings.NewReader("product=inkwell&quantity=1&email=a%40example.com"))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			for name, value := range headers {
				r.Header.Set(name, value)
			}
			got := b.Do(r)
			if got.Status != http.StatusForbidden || got.Header.Get("Content-Security-Policy") == "" || got.Header.Get("Set-Cookie") != "" {
				t.Errorf("POST %s with %v answers %d with %v", address, headers, got.Status, got.Header)
			}
			wantWords(t, words(parse(t, got), "main"), "another site")
		}
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_carts WHERE token_hash IS NOT NULL"); n != 1 {
		t.Errorf("%d carts, want only that of the order", n)
	}
}

func TestAFormThatIsTooLargeIsRefusedWithAPage(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	s.Product("inkwell", "Inkwell", "49000000", "USDC")
	b := s.Browser()
	b.Post("/cart/lines", url.Values{"product": {"inkwell"}})
	much := strings.Repeat("x", 70<<10)
	for _, address := range []string{"/cart/lines", "/cart/lines/inkwell", "/checkout"} {
		got := b.Post(address, url.Values{"product": {"inkwell"}, "quantity": {"1"}, "email": {shoptest.Buyer}, "more": {much}})
		if got.Status != http.StatusRequestEntityTooLarge {
			t.Errorf("POST %s of %d kB answers %d, want 413", address, len(much)>>10, got.Status)
			continue
		}
		wantWords(t, words(parse(t, got), "main h1"), "Too much to read")
	}
	if n := s.Count("SELECT SUM(quantity) FROM shop_cart_lines"); n != 1 {
		t.Errorf("a refused form made the cart's units %d", n)
	}
}

func TestARefusedQuantityIsKeptAndNamed(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	s.Product("inkwell", "Inkwell", "49000000", "USDC")
	b := s.Browser()
	b.Post("/cart/lines", url.Values{"product": {"inkwell"}, "quantity": {"2"}})
	for _, typed := range []string{"-1", "100", "2.5", "1e3", "many", "２", "\x00", "999999999999999999999", " 3"} {
		for address, field := range map[string]string{"/cart/lines": "#quantity", "/cart/lines/inkwell": "#quantity-inkwell"} {
			got := b.Post(address, url.Values{"product": {"inkwell"}, "quantity": {typed}})
			if got.Status != http.StatusUnprocessableEntity {
				t.Errorf("POST %s of %q answers %d, want 422", address, typed, got.Status)
				continue
			}
			in := parse(t, got).Find(field)
			if kept := in.AttrOr("value", ""); kept != clean(typed) {
				t.Errorf("POST %s of %q: the field holds %q", address, typed, kept)
			}
			describes(t, got, field)
		}
	}
	if got := b.Post("/cart/lines", url.Values{"product": {"inkwell"}, "quantity": {"0"}}); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("none of a product is added with %d", got.Status)
	}
	if n := s.Count("SELECT SUM(quantity) FROM shop_cart_lines"); n != 2 {
		t.Errorf("refused quantities made the cart's units %d", n)
	}
}

func TestARefusedMailAddressIsKeptAndNamed(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	s.Product("inkwell", "Inkwell", "49000000", "USDC")
	b := s.Browser()
	b.Post("/cart/lines", url.Values{"product": {"inkwell"}})
	for _, typed := range []string{
		"", "   ", "nobody", "a@b", "a@@example.com", "a b@example.com", "Ada <ada@example.com>", "a@example.com, b@example.com",
		"a@example.com\x00", "a@exam\x07ple.com", "a@example.com\r\nBcc: b@example.com", "a\u0085@example.com", "\u202ea@example.com",
		"a\xff@example.com", strings.Repeat("a", 250) + "@example.com", `"<b>"@`,
	} {
		got := b.Post("/checkout", url.Values{"email": {typed}})
		if got.Status != http.StatusUnprocessableEntity {
			t.Errorf("%q is answered %d, want 422", typed, got.Status)
			continue
		}
		if kept := parse(t, got).Find("#email").AttrOr("value", ""); clean(kept) != clean(typed) {
			t.Errorf("of %q the field holds %q", typed, kept)
		}
		if !strings.HasPrefix(words(parse(t, got), "title"), "Error: ") {
			t.Errorf("of %q the title says nothing", typed)
		}
		describes(t, got, "#email")
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_orders"); n != 0 {
		t.Errorf("%d orders came of refused addresses", n)
	}
}

func TestControlCharactersInAnyFieldAreRefused(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	s.Product("inkwell", "Inkwell", "49000000", "USDC")
	b := s.Browser()
	b.Post("/cart/lines", url.Values{"product": {"inkwell"}})
	for address, form := range map[string]url.Values{
		"/cart/lines":              {"product": {"inkwell\x00"}},
		"/cart/lines?":             {"product": {"🚀"}},
		"/cart/lines/inkwell%00":   {"quantity": {"1"}},
		"/cart/lines/ink%FFwell":   {"quantity": {"1"}},
		"/cart/lines?product=%00b": {},
	} {
		if got := b.Post(address, form); got.Status != http.StatusUnprocessableEntity && got.Status != http.StatusNotFound {
			t.Errorf("POST %s of %q answers %d, want 422 or 404", address, form, got.Status)
		}
	}
	for _, address := range []string{"/products/%00", "/products/ink%FFwell", "/products/inkwell%00", "/products/%F0%9F%9A%80", "/orders/%00", "/mailbox/%00", "/mailbox/-1", "/mailbox/99999999999999999999999"} {
		if got := b.Get(address); got.Status != http.StatusNotFound {
			t.Errorf("%s answers %d, want 404", address, got.Status)
		}
	}
	wantStatus(t, b.Get("/checkout/return?order=%00%FF"), http.StatusOK)
}

func TestTwoCurrenciesDontGoIntoOneCart(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	s.Product("inkwell", "Inkwell", "49000000", "USDC")
	s.Product("fude", "Fude", "5800", "JPY")
	b := s.Browser()
	b.Post("/cart/lines", url.Values{"product": {"inkwell"}})
	got := b.Post("/cart/lines", url.Values{"product": {"fude"}})
	wantStatus(t, got, http.StatusConflict)
	wantWords(t, words(parse(t, got), "form.buy"), "USDC", "JPY")
}

// describes checks that the field says that it is wrong, and where the reason
// stands.
func describes(t *testing.T, page shoptest.Page, field string) {
	t.Helper()
	doc := parse(t, page)
	in := doc.Find(field)
	if in.AttrOr("aria-invalid", "") != "true" {
		t.Errorf("%s: %s isn't marked as invalid", page.URL, field)
	}
	reason := ""
	for _, id := range strings.Fields(in.AttrOr("aria-describedby", "")) {
		if strings.HasSuffix(id, "error") || strings.Contains(id, "-error-") {
			reason = words(doc, "#"+id)
		}
	}
	if reason == "" {
		t.Errorf("%s: %s names no reason", page.URL, field)
	}
}

// clean is what HTML makes of a value in an attribute.
func clean(typed string) string {
	typed = strings.ToValidUTF8(typed, "\ufffd")
	return strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "\ufffd").Replace(typed)
}
