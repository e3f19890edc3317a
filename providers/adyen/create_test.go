package adyen_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"onceshop/payment"
	"onceshop/providers/adyen"
)

// serving is an adapter that asks a real server.
func serving(t testing.TB, change func(*adyen.Config), h http.HandlerFunc) *adyen.Adapter {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	c := config()
	c.BaseURL, c.Told = server.URL, paidOnce
	if change != nil {
		change(&c)
	}
	return adapter(t, c)
}

// silent is a server that isn't asked.
func silent(t testing.TB) http.HandlerFunc {
	return func(_ http.ResponseWriter, r *http.Request) { t.Errorf("%s %s was asked", r.Method, r.URL) }
}

func creation() payment.Creation {
	return payment.Creation{
		IdempotencyKey: "pay:" + order + ":1", OrderRef: order, Amount: amount(2500), Currency: "EUR", Description: "Pro 🚀 Édition",
		ReturnURL: "https://shop.example/return", CancelURL: "https://shop.example/cancel", ExpiresAt: time.Date(2026, 1, 1, 1, 30, 0, 123, time.FixedZone("", 3600)),
	}
}

func readBody(t testing.TB, r *http.Request) (body map[string]any) {
	t.Helper()
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		t.Error(err)
	}
	return body
}

func TestCreateAsksForAPaymentLink(t *testing.T) {
	t.Parallel()
	a := serving(t, nil, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != "POST" || r.URL.Path != "/paymentLinks" || r.Header.Get("X-API-Key") != apiKey || r.Header.Get("Authorization") != "" ||
			r.Header.Get("Idempotency-Key") != "pay:"+order+":1" || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s %s %v", r.Method, r.URL, r.Header)
		}
		want := map[string]any{
			"amount": map[string]any{"currency": "EUR", "value": 2500.0}, "description": "Pro 🚀 Édition", "expiresAt": "2026-01-01T00:30:00Z",
			"merchantAccount": account, "reference": order, "returnUrl": "https://shop.example/return",
		}
		if d := cmp.Diff(want, readBody(t, r)); d != "" {
			t.Error(d)
		}
		w.WriteHeader(http.StatusCreated)
		fmt.Fprintf(w, `{"id":"PL1","amount":{"value":2500,"currency":"EUR"},"merchantAccount":%q,"reference":%q,"url":"https://test.adyen.link/PL1","status":"active"}`, account, order)
	})
	got, err := a.Create(t.Context(), creation())
	if err != nil || got != (payment.Created{Ref: order, URL: "https://test.adyen.link/PL1"}) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestCreateForSomethingElseIsNotPassedOn(t *testing.T) {
	t.Parallel()
	right := `{"amount":{"value":2500,"currency":"EUR"},"merchantAccount":"` + account + `","reference":"` + order + `","url":"https://test.adyen.link/PL1"}`
	for _, c := range [][2]string{
		{order, "other"}, {"2500", "2501"}, {"2500", `"2500"`}, {"2500", "2500.0"}, {"EUR", "USD"}, {account, "ShopMerchant"},
		{`"reference"`, `"x"`}, {`"amount"`, `"x"`}, {`"value"`, `"x"`}, {`"url"`, `"x"`}, {"https://test.adyen.link/PL1", "javascript:canary"}, {"https://test.adyen.link", "/canary"},
		{`{"amount"`, `{"url":"https://canary.example","amount"`}, {right, "[]"}, {right, "canary"}, {right, ""},
	} {
		a := serving(t, nil, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, strings.Replace(right, c[0], c[1], 1)) })
		got, err := a.Create(t.Context(), creation())
		if !errors.Is(err, payment.ErrLater) || got != (payment.Created{}) || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: %+v, %v", c[1], got, err)
		}
	}
}

func TestRequestsThatCannotBeRightAreNotSent(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change func(*payment.Creation)
		says   string
	}{
		"a colon in the reference":     {func(c *payment.Creation) { c.OrderRef = "a:b" }, "our reference"},
		"no reference":                 {func(c *payment.Creation) { c.OrderRef = "" }, "our reference"},
		"a padded reference":           {func(c *payment.Creation) { c.OrderRef = " a" }, "our reference"},
		"a reference that is too long": {func(c *payment.Creation) { c.OrderRef = strings.Repeat("x", 81) }, "our reference"},
		"no key":                       {func(c *payment.Creation) { c.IdempotencyKey = "" }, "the idempotency key"},
		"a key with a newline":         {func(c *payment.Creation) { c.IdempotencyKey = "a\nb" }, "the idempotency key"},
		"no amount":                    {func(c *payment.Creation) { c.Amount = payment.Amount{} }, "the amount isn't positive"},
		"an amount that is too long":   {func(c *payment.Creation) { c.Amount = amount(1e18) }, "more than 18 digits"},
		"decimals that aren't counted": {func(c *payment.Creation) { c.Currency, c.Amount = "CVE", amount(101) }, "more decimals than can be counted"},
		"a currency that isn't taken":  {func(c *payment.Creation) { c.Currency = "USDC" }, "USDC isn't taken"},
		"a text that isn't UTF-8":      {func(c *payment.Creation) { c.Description = "\xff" }, "UTF-8"},
	} {
		c := creation()
		tt.change(&c)
		if _, err := serving(t, nil, silent(t)).Create(t.Context(), c); !errors.Is(err, payment.ErrRefused) || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	a := serving(t, func(c *adyen.Config) { c.APIKey = "" }, silent(t))
	if _, err := a.Create(t.Context(), creation()); !errors.Is(err, payment.ErrRefused) {
		t.Errorf("no API key: %v", err)
	}
}

func TestLongKeysAndTextsFitAdyen(t *testing.T) {
	t.Parallel()
	var keys []string
	a := serving(t, nil, func(w http.ResponseWriter, r *http.Request) {
		keys = append(keys, r.Header.Get("Idempotency-Key"))
		// The last emoji is joined from three and would end at byte 285.
		if d := readBody(t, r)["description"]; d != strings.Repeat("x", 270)+"…" {
			t.Errorf("description %q", d)
		}
		fmt.Fprintf(w, `{"amount":{"value":2500,"currency":"EUR"},"reference":%q,"url":"https://test.adyen.link/PL1"}`, order)
	})
	for _, key := range []string{strings.Repeat("k", 64), strings.Repeat("k", 65), strings.Repeat("k", 65), strings.Repeat("k", 66)} {
		c := creation()
		c.IdempotencyKey, c.Description = key, strings.Repeat("x", 270)+"👩‍💻 and more"
		if _, err := a.Create(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	if keys[0] != strings.Repeat("k", 64) || len(keys[1]) != 64 || keys[1] != keys[2] || keys[1] == keys[3] || keys[1] == keys[0] {
		t.Errorf("%q", keys)
	}
}

// recorder keeps the address that was asked. Its caller leaves before the answer.
type recorder struct {
	address string
	leave   context.CancelFunc
}

func (r *recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	r.address = req.URL.String()
	r.leave()
	return nil, io.ErrUnexpectedEOF
}

func TestEachPlatformHasAnAddressOfItsOwn(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*adyen.Config){
		"https://checkout-test.adyen.com/v71/paymentLinks":                                            func(*adyen.Config) {},
		"https://0123456789abcdef-OnceShop-checkout-live.adyenpayments.com/checkout/v71/paymentLinks": func(c *adyen.Config) { c.Live, c.LivePrefix = true, "0123456789abcdef-OnceShop" },
		"https://proxy.example/v72/paymentLinks":                                                      func(c *adyen.Config) { c.Live, c.BaseURL = true, "https://proxy.example/v72/" },
	} {
		ctx, leave := context.WithCancel(t.Context())
		r := &recorder{leave: leave}
		c := config()
		c.HTTP = &http.Client{Transport: r}
		change(&c)
		if _, err := adapter(t, c).Create(ctx, creation()); !errors.Is(err, payment.ErrLater) || r.address != want {
			t.Errorf("%s: %v, want %s", r.address, err, want)
		}
	}
}
