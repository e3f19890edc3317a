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
	for name, change := range map[string]func(*payment.Creation){
		"a colon in the reference":     func(c *payment.Creation) { c.OrderRef = "a:b" },
		"no reference":                 func(c *payment.Creation) { c.OrderRef = "" },
		"a padded reference":           func(c *payment.Creation) { c.OrderRef = " a" },
		"a reference that is too long": func(c *payment.Creation) { c.OrderRef = strings.Repeat("x", 81) },
		"no key":                       func(c *payment.Creation) { c.IdempotencyKey = "" },
		"a key with a newline":         func(c *payment.Creation) { c.IdempotencyKey = "a\nb" },
		"no amount":                    func(c *payment.Creation) { c.Amount = payment.Amount{} },
		"a currency that isn't taken":  func(c *payment.Creation) { c.Currency = "USDC" },
		"a text that isn't UTF-8":      func(c *payment.Creation) { c.Description = "\xff" },
	} {
		c := creation()
		change(&c)
		if _, err := serving(t, nil, silent(t)).Create(t.Context(), c); !errors.Is(err, payment.ErrRefused) {
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
		if d := readBody(t, r)["description"]; d != strings.Repeat("x", 270) {
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

func TestRefundNamesThePaymentAsAdyenDoes(t *testing.T) {
	t.Parallel()
	a := serving(t, nil, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != "POST" || r.URL.Path != "/payments/PSP1/refunds" || r.Header.Get("X-API-Key") != apiKey || r.Header.Get("Idempotency-Key") != "refund-1" {
			t.Errorf("%s %s %v", r.Method, r.URL, r.Header)
		}
		want := map[string]any{"amount": map[string]any{"currency": "EUR", "value": 1000.0}, "merchantAccount": account, "reference": order}
		if d := cmp.Diff(want, readBody(t, r)); d != "" {
			t.Error(d)
		}
		w.WriteHeader(http.StatusCreated)
		io.WriteString(w, `{"merchantAccount":"`+account+`","paymentPspReference":"PSP1","pspReference":"REF1","status":"received"}`)
	})
	if err := a.Refund(t.Context(), "refund-1", order, amount(1000), "asked for"); err != nil {
		t.Error(err)
	}
}

func TestARefundGoesToThePaymentThatHoldsTheMoney(t *testing.T) {
	t.Parallel()
	auth, taken := told("AUTHORISATION", "PSP1", true, 2500), told("CAPTURE", "CAP1", true, 2500)
	second := []payment.Event{told("AUTHORISATION", "PSP2", true, 2500), of("PSP2", told("CAPTURE", "CAP2", true, 2500))}
	elsewhere := told("AUTHORISATION", "PSP1", true, 2500)
	elsewhere.ID = strings.Replace(elsewhere.ID, account, "ShopMerchant", 1)
	yen := told("AUTHORISATION", "PSP1", true, 2500)
	yen.Currency = "JPY"
	for name, c := range map[string]struct {
		mode   adyen.CaptureMode
		events []payment.Event
		back   int64
		want   string // path, account and money; empty: refused
	}{
		"captured":                   {adyen.Manual, []payment.Event{auth, taken}, 2500, "PSP1 " + account + " 2500 EUR"},
		"without its authorisation":  {adyen.Manual, []payment.Event{taken}, 2500, "PSP1 " + account + " 2500 EUR"},
		"captured by itself":         {adyen.Automatic, []payment.Event{auth}, 2500, "PSP1 " + account + " 2500 EUR"},
		"of our other account":       {adyen.Automatic, []payment.Event{elsewhere}, 1, "PSP1 ShopMerchant 1 EUR"},
		"in yen":                     {adyen.Automatic, []payment.Event{yen}, 1000, "PSP1 " + account + " 1000 JPY"},
		"the rest":                   {adyen.Manual, []payment.Event{auth, taken, told("REFUND", "REF1", true, 2000)}, 500, "PSP1 " + account + " 500 EUR"},
		"of one that failed before":  {adyen.Manual, []payment.Event{auth, taken, told("REFUND", "REF1", true, 2000), told("REFUND_FAILED", "REF1", true, 2000)}, 2500, "PSP1 " + account + " 2500 EUR"},
		"the second payment":         {adyen.Manual, append(second, auth, taken, told("REFUND", "REF1", true, 2500)), 2500, "PSP2 " + account + " 2500 EUR"},
		"the one that holds more":    {adyen.Manual, append(second, auth, taken, of("PSP2", told("REFUND", "REF2", true, 1))), 2000, "PSP1 " + account + " 2000 EUR"},
		"more than the rest":         {adyen.Manual, []payment.Event{auth, taken, told("REFUND", "REF1", true, 2000)}, 501, ""},
		"more than one of two holds": {adyen.Manual, append(second, auth, taken), 2501, ""},
		"only authorised":            {adyen.Manual, []payment.Event{auth}, 1, ""},
		"taken back":                 {adyen.Manual, []payment.Event{auth, taken, told("CAPTURE_FAILED", "CAP1", true, 2500)}, 1, ""},
		"in two currencies":          {adyen.Manual, []payment.Event{yen, taken}, 1, ""},
		"nothing told":               {adyen.Manual, nil, 1, ""},
		"nothing":                    {adyen.Manual, []payment.Event{auth, taken}, 0, ""},
		"less than nothing":          {adyen.Manual, []payment.Event{auth, taken}, -1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asked := ""
			a := serving(t, func(config *adyen.Config) {
				config.CaptureMode = c.mode
				config.Told = func(_ context.Context, ref string) ([]payment.Event, error) {
					if ref != order {
						t.Errorf("asked for the events of %q", ref)
					}
					return c.events, nil
				}
			}, func(w http.ResponseWriter, r *http.Request) {
				body := readBody(t, r)
				money := body["amount"].(map[string]any)
				asked = fmt.Sprint(strings.Split(r.URL.Path, "/")[2], " ", body["merchantAccount"], " ", money["value"], " ", money["currency"])
				io.WriteString(w, `{"status":"received"}`)
			})
			err := a.Refund(t.Context(), "refund-1", order, amount(c.back), "")
			if asked != c.want || (c.want == "") != errors.Is(err, payment.ErrRefused) || c.want != "" && err != nil {
				t.Errorf("asked for %q: %v", asked, err)
			}
		})
	}
}

func TestARefundThatIsNotReceivedIsNone(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{`{"status":"canary"}`, `{}`, `{"status":null}`, `{"status":"received","paymentPspReference":"PSP2"}`, `{"status":"received","status":"received"}`, ``} {
		a := serving(t, nil, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, answer) })
		if err := a.Refund(t.Context(), "refund-1", order, amount(1), ""); !errors.Is(err, payment.ErrLater) || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: %v", answer, err)
		}
	}
	a := serving(t, nil, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnprocessableEntity)
		io.WriteString(w, `{"status":422,"errorCode":"14_030","message":"canary","errorType":"validation"}`)
	})
	if err := a.Refund(t.Context(), "refund-1", order, amount(1), ""); !errors.Is(err, payment.ErrRefused) || !strings.Contains(err.Error(), "14_030") || strings.Contains(err.Error(), "canary") {
		t.Error(err)
	}
	broken := errors.New("the database is away")
	a = serving(t, func(c *adyen.Config) {
		c.Told = func(context.Context, string) ([]payment.Event, error) { return nil, broken }
	}, silent(t))
	if err := a.Refund(t.Context(), "refund-1", order, amount(1), ""); !errors.Is(err, payment.ErrLater) || !errors.Is(err, broken) {
		t.Error(err)
	}
	a = serving(t, func(c *adyen.Config) { c.Told = nil }, silent(t))
	if err := a.Refund(t.Context(), "refund-1", order, amount(1), ""); !errors.Is(err, payment.ErrRefused) {
		t.Error(err)
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
