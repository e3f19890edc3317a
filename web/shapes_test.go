package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"onceshop/shoptest"
)

func TestOnlyTheFormsOwnBodyCounts(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	s.Product("inkwell", "Inkwell", "49000000", "USDC")
	b := s.Browser()
	post := func(address, contentType, body string) int {
		t.Helper()
		r, err := http.NewRequest(http.MethodPost, s.URL+address, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", contentType)
		return b.Do(r).Status
	}
	if got := post("/cart/lines", "application/json", `{"product":"inkwell"}`); got != http.StatusUnsupportedMediaType {
		t.Errorf("JSON is answered %d, want 415", got)
	}
	if got := post("/cart/lines", "multipart/form-data; boundary=x", "--x--"); got != http.StatusUnsupportedMediaType {
		t.Errorf("multipart is answered %d, want 415", got)
	}
	if got := post("/cart/lines?product=inkwell&quantity=2", "application/x-www-form-urlencoded", ""); got == http.StatusSeeOther {
		t.Error("a product named in the address was put into the cart")
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_cart_lines"); n != 0 {
		t.Errorf("%d lines in carts", n)
	}
}

func TestACartSaysWhenItTakesNoMore(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	s.Product("inkwell", "Inkwell", "49000000", "USDC")
	b := s.Browser()
	add := func(n string) shoptest.Page {
		return b.Post("/cart/lines", url.Values{"product": {"inkwell"}, "quantity": {n}})
	}
	wantStatus(t, add("90"), http.StatusSeeOther)
	got := add("10")
	wantStatus(t, got, http.StatusUnprocessableEntity)
	wantWords(t, words(parse(t, got), "main"), "holds 90 of these already")
	if n := s.Count("SELECT SUM(quantity) FROM shop_cart_lines"); n != 90 {
		t.Errorf("%d units in the cart, want 90", n)
	}
}

func TestALinkThatAMailProgramRewroteOpensTheOrder(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	order, _ := s.Buy(1)
	address := strings.TrimPrefix(s.Shop.Shop.OrderURL(s.Order(order.ID)), s.URL)
	token := strings.TrimPrefix(address, "/orders/")
	rewritten := "/orders/%" + strings.ToUpper(hex(token[0])) + token[1:]
	wantStatus(t, s.Browser().Get(rewritten), http.StatusOK)
	wantStatus(t, s.Browser().Get("/orders/%2e%2e%2f"+token), http.StatusNotFound)
}

func hex(b byte) string {
	const digits = "0123456789abcdef"
	return string([]byte{digits[b>>4], digits[b&15]})
}

func TestAddressesThatMisleadOrReachNobodyAreRefused(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	s.Product("inkwell", "Inkwell", "49000000", "USDC")
	b := s.Browser()
	b.Post("/cart/lines", url.Values{"product": {"inkwell"}})
	for _, typed := range []string{"\u202ea@x.example", "a@x\u202e.example", "a\u200b@x.example", "a\u00a0@x.example", "a@[127.0.0.1]",
		"a@-b.example", strings.Repeat("a", 65) + "@x.example", "=cmd|calc!A1@x.example", "a@x..example"} {
		if got := b.Post("/checkout", url.Values{"email": {typed}}); got.Status != http.StatusUnprocessableEntity {
			t.Errorf("%q is answered %d, want 422", typed, got.Status)
		}
	}
	for _, typed := range []string{"o'hara+shop@sub.example.com", "jürgen@bücher.example"} {
		if got := b.Post("/checkout", url.Values{"email": {typed}}); got.Status != http.StatusSeeOther {
			t.Errorf("%q is answered %d, want 303", typed, got.Status)
		}
	}
}

func TestTheMailboxIsShownUnderTheShopsOwnNameOnly(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	b := s.Browser()
	for host, want := range map[string]int{
		strings.TrimPrefix(s.URL, "http://"): http.StatusOK, "localhost:8080": http.StatusOK, "[::1]:8080": http.StatusOK,
		"rebound.example": http.StatusNotFound, "rebound.example:8080": http.StatusNotFound, "127.0.0.1.rebound.example": http.StatusNotFound,
	} {
		r, err := http.NewRequest(http.MethodGet, s.URL+"/mailbox", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		if got := b.Do(r).Status; got != want {
			t.Errorf("under %s the mailbox answers %d, want %d", host, got, want)
		}
	}
}

func TestAPaymentThatCouldNotBeAskedForIsNotPaidAgain(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	s.Product("inkwell", "Inkwell", "49000000", "USDC")
	s.Platform.Fail(http.StatusServiceUnavailable)
	b := s.Browser()
	b.Post("/cart/lines", url.Values{"product": {"inkwell"}})
	placed := b.Post("/checkout", url.Values{"email": {shoptest.Buyer}})
	wantStatus(t, placed, http.StatusSeeOther)
	page := b.Get(strings.TrimPrefix(placed.Header.Get("Location"), s.URL))
	if got := words(parse(t, page), "#pay-again"); got != "Pay now" {
		t.Errorf("the button says %q", got)
	}
}
