package web_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"onceshop/license"
	"onceshop/shoptest"
	"onceshop/store/db"
	"onceshop/web"
)

// delivered buys one product and lets it be paid and delivered.
func delivered(s *shoptest.Pages) (o db.Order, paymentID string) {
	s.Helper()
	o, paymentID = s.Buy(1)
	s.Report("payment.paid", s.Platform.Order(paymentID).With(func(p *shoptest.Order) { p.Revision, p.PaymentStatus = "2", "paid" }))
	s.Settle()
	return s.Order(o.ID), paymentID
}

func TestAnOrdersPagesOpenToItsTokenAndToNothingElse(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	mine, _ := delivered(s)
	other, _ := delivered(s)
	token := s.Shop.Shop.OrderToken(mine.ID, mine.TokenVersion)
	mineID, otherID := s.Licenses(mine.ID)[0].ID, s.Licenses(other.ID)[0].ID
	b := s.Browser()

	wantStatus(t, b.Get("/orders/"+token), http.StatusOK)
	wantStatus(t, b.Get("/orders/"+token+"/licenses/"+mineID+".license"), http.StatusOK)

	nothing := withoutRequestID(b.Get("/orders/no-such-token"))
	wantStatus(t, nothing, http.StatusNotFound)
	lackWords(t, words(parse(t, nothing), "main"), "thank", "paid", "success")
	strangers := []string{
		"/orders/" + mine.Number,
		"/orders/" + mine.ID,
		"/orders/" + strings.ToUpper(token),
		"/orders/" + token + "%20",
		"/orders/" + token + "=",
		"/orders/" + token[:len(token)-1],
		"/orders/" + s.Shop.Shop.OrderToken(mine.ID, mine.TokenVersion+1),
		"/orders/" + s.Shop.Shop.OrderToken(uuid.NewString(), 1),
		"/orders/" + mine.Number + "/events",
		"/orders/" + mine.ID + "/events",
		"/orders/" + mine.ID + "/licenses/" + mineID + ".license",
		"/orders/" + token + "/licenses/" + otherID + ".license",
		"/orders/" + token + "/licenses/" + mineID,
		"/orders/" + token + "/licenses/",
	}
	for _, address := range strangers {
		if got := withoutRequestID(b.Get(address)); got.Status != nothing.Status || got.Body != nothing.Body {
			t.Errorf("%s answers %d and differs from a page that isn't there:\n%s", address, got.Status, got.Body)
		}
	}
	for _, address := range []string{"/orders/" + mine.Number + "/pay", "/orders/" + mine.ID + "/pay"} {
		if got := withoutRequestID(b.Post(address, nil)); got.Status != nothing.Status || got.Body != nothing.Body {
			t.Errorf("POST %s answers %d and differs from a page that isn't there", address, got.Status)
		}
	}
	// What is asked to be shown has to belong to the order.
	if page := b.Get("/orders/" + token + "?show=" + otherID); strings.Contains(page.Body, license.Key(s.Keys.Secret, otherID)) {
		t.Error("another order's key is shown")
	}
}

func TestPrivatePagesAreNotKeptNamedOrIndexed(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	o, _ := delivered(s)
	page := pathOf(s, o.Number)
	b := s.Browser()
	b.Post("/cart/lines", map[string][]string{"product": {"product"}})
	for _, address := range []string{
		page, page + "?show=" + s.Licenses(o.ID)[0].ID, page + "/licenses/" + s.Licenses(o.ID)[0].ID + ".license",
		"/orders/nobody", "/cart", "/checkout/return?order=" + o.Number, "/mailbox",
	} {
		got := b.Get(address)
		for name, want := range map[string]string{
			"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex, nofollow",
			"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
		} {
			if got.Header.Get(name) != want {
				t.Errorf("%s: %s is %q, want %q", address, name, got.Header.Get(name), want)
			}
		}
		if strings.HasPrefix(got.Header.Get("Content-Type"), "text/html") && !strings.Contains(got.Body, `name="robots" content="noindex`) {
			t.Errorf("%s: the page itself doesn't ask to be left out of search results", address)
		}
	}
}

func TestTheKeyIsMaskedUntilAskedForAndTheMailAddressAlways(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	o, _ := delivered(s)
	id := s.Licenses(o.ID)[0].ID
	key := license.Key(s.Keys.Secret, id)
	page, b := pathOf(s, o.Number), s.Browser()

	masked, shown := b.Get(page), b.Get(page+"?show="+id)
	if strings.Contains(masked.Body, key) || !strings.Contains(masked.Body, license.Mask(key)) {
		t.Error("the key isn't masked")
	}
	if !strings.Contains(shown.Body, key) {
		t.Error("the key isn't shown to whom asks for it")
	}
	for _, p := range []shoptest.Page{masked, shown} {
		if strings.Contains(p.Body, shoptest.Buyer) || !strings.Contains(p.Body, "b•••@example.com") {
			t.Errorf("%s shows the mail address", p.URL)
		}
	}
	// Shown once isn't shown from now on.
	if strings.Contains(b.Get(page).Body, key) {
		t.Error("the key stays shown")
	}
}

func TestTheReturnAddressOpensNothingWithoutTheCart(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	s.Product("inkwell", "Inkwell", "49000000", "USDC")
	buyer, stranger := s.Browser(), s.Browser()
	number := buy(t, s, buyer, "inkwell")
	back := "/checkout/return?order=" + number

	for name, b := range map[string]*shoptest.Browser{"a stranger": stranger, "a buyer of something else": func() *shoptest.Browser {
		b := s.Browser()
		buy(t, s, b, "inkwell")
		return b
	}()} {
		got := b.Get(back)
		wantStatus(t, got, http.StatusOK)
		lackWords(t, got.Body, number, "/orders/", "thank")
		lackWords(t, words(parse(t, got), "main"), "paid", "success")
		if got.Header.Get("Location") != "" {
			t.Errorf("%s is led to %s", name, got.Header.Get("Location"))
		}
	}
	for _, address := range []string{"/checkout/return", "/checkout/return?order=", "/checkout/return?order=" + number + "x", "/checkout/return?order=" + strings.ToLower(number)} {
		if got := buyer.Get(address); got.Header.Get("Location") != "" {
			t.Errorf("%s leads the buyer to %s", address, got.Header.Get("Location"))
		}
	}

	got := buyer.Get(back)
	wantStatus(t, got, http.StatusSeeOther)
	if want := s.URL + pathOf(s, number); !strings.HasPrefix(got.Header.Get("Location"), want+"?returned=") {
		t.Errorf("the buyer is led to %s, want %s", got.Header.Get("Location"), want)
	}
	// Who turned back before paying isn't told that the payment is being confirmed.
	cancelled := buyer.Follow(buyer.Get("/checkout/return?cancelled=1&order=" + number))
	wantWords(t, words(parse(t, cancelled), "main"), "Waiting for payment", "Continue to payment")
}

func TestARenewedTokenClosesTheOldAddress(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	o, _ := delivered(s)
	before, b := pathOf(s, o.Number), s.Browser()
	wantStatus(t, b.Get(before), http.StatusOK)
	next := s.Shop.Shop.OrderToken(o.ID, o.TokenVersion+1)
	s.Exec("UPDATE shop_orders SET token_hash = UNHEX(SHA2(?, 256)), token_version = token_version + 1 WHERE id = ?", next, o.ID)
	wantStatus(t, b.Get(before), http.StatusNotFound)
	wantStatus(t, b.Get("/orders/"+next), http.StatusOK)
	if after := pathOf(s, o.Number); after != "/orders/"+next {
		t.Errorf("the order's address is %s, want the one of the new token", after)
	}
}

func TestTheLogNamesNoTokenKeyOrMailAddress(t *testing.T) {
	t.Parallel()
	var lines bytes.Buffer
	s := shoptest.New(t).Pages(func(c *web.Config) {
		c.Log = slog.New(slog.NewTextHandler(&lines, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	o, _ := delivered(s)
	id, page, b := s.Licenses(o.ID)[0].ID, pathOf(s, o.Number), s.Browser()
	b.Get(page)
	b.Get(page + "?show=" + id)
	b.Get(page + "/licenses/" + id + ".license")
	b.Get(page + "/nowhere")
	b.Post(page+"/pay", nil)
	s.Platform.Fail(http.StatusInternalServerError)
	b.Post("/cart/lines", map[string][]string{"product": {"product"}})
	b.Post("/checkout", map[string][]string{"email": {shoptest.Buyer}})
	if n := strings.Count(lines.String(), "msg=request"); n < 7 {
		t.Fatalf("%d requests logged, want 7:\n%s", n, lines.String())
	}
	for what, secret := range map[string]string{
		"the token": page[len("/orders/"):], "the key": license.Key(s.Keys.Secret, id), "the mail address": shoptest.Buyer,
		"the mail's domain": "example.com",
	} {
		if strings.Contains(lines.String(), secret) {
			t.Errorf("the log names %s:\n%s", what, lines.String())
		}
	}
}

// withoutRequestID leaves out what differs between any two answers.
func withoutRequestID(p shoptest.Page) shoptest.Page {
	p.Body = strings.ReplaceAll(p.Body, p.Header.Get("X-Request-Id"), "ID")
	return p
}

// buy places an order in the browser and returns its number.
func buy(t testing.TB, s *shoptest.Pages, b *shoptest.Browser, slug string) string {
	t.Helper()
	b.Post("/cart/lines", map[string][]string{"product": {slug}})
	return orderIn(t, s, b)
}
