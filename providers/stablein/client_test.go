package stablein_test

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
	"testing/synctest"
	"time"

	"onceshop/payment"
	"onceshop/providers/signing"
	"onceshop/providers/stablein"
)

const apiKey = "sk_test_canary-key"

// inMemory answers requests without a network, so that time can be faked.
type inMemory func(w http.ResponseWriter, r *http.Request)

func (f inMemory) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	f(w, r)
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	return w.Result(), nil
}

func asking(t testing.TB, transport http.RoundTripper) *stablein.Adapter {
	t.Helper()
	return adapter(t, stablein.Config{
		Secrets: []signing.Secret{{ID: "current", Key: current}},
		BaseURL: "http://api.example/", APIKey: apiKey, HTTP: &http.Client{Transport: transport},
	})
}

// serving is an adapter that asks a real server.
func serving(t testing.TB, h http.HandlerFunc) *stablein.Adapter {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return adapter(t, stablein.Config{
		Secrets: []signing.Secret{{ID: "current", Key: current}}, BaseURL: server.URL, APIKey: apiKey,
	})
}

const orderJSON = `{"id":"p1","merchantOrderId":"our-1","revision":"2","paymentStatus":"paid","amount":"50000","currency":"USDC"}`

func creation() payment.Creation {
	return payment.Creation{
		IdempotencyKey: "create:our-1:1", OrderRef: "our-1", Amount: payment.NewAmount(50000), Currency: "USDC",
		Description: "Pro 🚀", ReturnURL: "https://shop.example/return", CancelURL: "https://shop.example/cancel",
		ExpiresAt: now.Add(30 * time.Minute),
	}
}

// calls are all methods that ask the API, each in a form that could succeed.
func calls(a *stablein.Adapter) map[string]func(context.Context) error {
	return map[string]func(context.Context) error{
		"create": func(ctx context.Context) error { _, err := a.Create(ctx, creation()); return err },
		"fetch":  func(ctx context.Context) error { _, err := a.Fetch(ctx, "p1"); return err },
		"refund": func(ctx context.Context) error {
			return a.Refund(ctx, "refund:our-1:1", "p1", payment.NewAmount(1), "asked for")
		},
		"list": func(ctx context.Context) error { _, _, err := a.List(ctx, now, "", 10); return err },
	}
}

func checkQuiet(t *testing.T, err error) {
	t.Helper()
	for _, canary := range []string{"canary", apiKey, "Bearer", current} {
		if strings.Contains(fmt.Sprintf("%v %+v", err, err), canary) {
			t.Errorf("the error says too much: %v", err)
		}
	}
}

func TestCreateAsksForAHostedPayment(t *testing.T) {
	t.Parallel()
	var body map[string]string
	a := serving(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != "POST" || r.URL.Path != "/v1/orders" || r.Header.Get("Authorization") != "Bearer "+apiKey ||
			r.Header.Get("Idempotency-Key") != "create:our-1:1" || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s %s %v", r.Method, r.URL, r.Header)
		}
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		w.WriteHeader(http.StatusCreated)
		fmt.Fprintf(w, `{"order":%s,"paymentUrl":"https://pay.example/p1"}`, orderJSON)
	})
	got, err := a.Create(t.Context(), creation())
	if err != nil || got != (payment.Created{Ref: "p1", URL: "https://pay.example/p1"}) {
		t.Errorf("%+v, %v", got, err)
	}
	for name, want := range map[string]string{
		"merchantOrderId": "our-1", "amount": "50000", "currency": "USDC", "description": "Pro 🚀",
		"returnUrl": "https://shop.example/return", "cancelUrl": "https://shop.example/cancel", "expiresAt": "2026-01-01T00:30:00Z",
	} {
		if body[name] != want {
			t.Errorf("%s: %q, want %q", name, body[name], want)
		}
	}
}

func TestCreateForSomethingElseIsNotPassedOn(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{
		`{"order":` + strings.Replace(orderJSON, "our-1", "our-2", 1) + `,"paymentUrl":"https://pay.example/p1"}`,
		`{"order":` + strings.Replace(orderJSON, "50000", "5000", 1) + `,"paymentUrl":"https://pay.example/p1"}`,
		`{"order":` + strings.Replace(orderJSON, "USDC", "EUR", 1) + `,"paymentUrl":"https://pay.example/p1"}`,
		`{"order":` + orderJSON + `}`,
		`{"order":` + orderJSON + `,"paymentUrl":"javascript:canary"}`,
		`{"order":` + orderJSON + `,"paymentUrl":"/canary"}`,
		`{"paymentUrl":"https://pay.example/p1"}`,
	} {
		a := asking(t, inMemory(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, answer) }))
		got, err := a.Create(t.Context(), creation())
		if !errors.Is(err, payment.ErrLater) || got != (payment.Created{}) {
			t.Errorf("%s: %+v, %v", answer, got, err)
		}
		checkQuiet(t, err)
	}
}

func TestRefundCarriesItsKeyAndReturnsTheRecord(t *testing.T) {
	t.Parallel()
	a := serving(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.URL.Path != "/v1/orders/p1/refunds" || r.Header.Get("Idempotency-Key") != "refund:our-1:1" || string(body) != `{"amount":"20000","reason":"asked for"}` {
			t.Errorf("%s %v %s", r.URL, r.Header, body)
		}
		io.WriteString(w, strings.Replace(orderJSON, "{", `{"refundStatus":"partial","refundedAmount":"20000",`, 1))
	})
	if err := a.Refund(t.Context(), "refund:our-1:1", "p1", payment.NewAmount(20000), "asked for"); err != nil {
		t.Error(err)
	}
}

func TestRequestsThatCannotBeRightAreNotSent(t *testing.T) {
	t.Parallel()
	a := asking(t, inMemory(func(http.ResponseWriter, *http.Request) { t.Error("sent") }))
	keyless, unprintable := creation(), creation()
	keyless.IdempotencyKey, unprintable.Description = "", "\xff"
	_, noKey := a.Create(t.Context(), keyless)
	_, notUTF8 := a.Create(t.Context(), unprintable)
	nothing := a.Refund(t.Context(), "k", "p1", payment.Amount{}, "")
	negative := a.Refund(t.Context(), "k", "p1", payment.NewAmount(-1), "")
	badKey := a.Refund(t.Context(), "k\r\nX: y", "p1", payment.NewAmount(1), "")
	for _, err := range []error{noKey, notUTF8, nothing, negative, badKey} {
		if !errors.Is(err, payment.ErrRefused) {
			t.Error(err)
		}
	}
	for _, ref := range []string{"", ".", "..", " p1", strings.Repeat("p", 256)} {
		if _, err := a.Fetch(t.Context(), ref); !errors.Is(err, payment.ErrNotFound) {
			t.Errorf("%q: %v", ref, err)
		}
	}
}

func TestReferencesAreEscapedInPaths(t *testing.T) {
	t.Parallel()
	const ref = "../a/b?c#d%2f"
	a := serving(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/orders/"+ref || r.URL.RawQuery != "" {
			t.Errorf("asked %s", r.URL)
		}
		io.WriteString(w, strings.Replace(orderJSON, "p1", ref, 1))
	})
	if _, err := a.Fetch(t.Context(), ref); err != nil {
		t.Error(err)
	}
}

func TestStatusesHaveKinds(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]error{
		400: payment.ErrRefused, 401: payment.ErrUnauthorised, 403: payment.ErrUnauthorised, 404: payment.ErrNotFound, 408: payment.ErrLater,
		409: payment.ErrRefused, 422: payment.ErrRefused, 429: payment.ErrLater, 500: payment.ErrLater, 503: payment.ErrLater, 204: payment.ErrLater, 302: payment.ErrLater,
	} {
		synctest.Test(t, func(t *testing.T) {
			a := asking(t, inMemory(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Location", "https://elsewhere.example/canary")
				w.WriteHeader(status)
				io.WriteString(w, `{"code":"AMOUNT_TOO_LARGE","detail":"canary"}`)
			}))
			for name, call := range calls(a) {
				want := want
				if want == payment.ErrNotFound && name != "fetch" && name != "refund" {
					want = payment.ErrRefused // no payment was named: the address is wrong
				}
				err := call(t.Context())
				if !errors.Is(err, want) {
					t.Errorf("%s, status %d: got %v, want %v", name, status, err, want)
				}
				if status >= 400 && !strings.Contains(err.Error(), "AMOUNT_TOO_LARGE") {
					t.Errorf("the reason is missing in %v", err)
				}
				checkQuiet(t, err)
			}
		})
	}
}

func TestReasonsThatAreNoCodesAreDropped(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`{"code":"canary"}`, `{"code":"sk_canary"}`, `{"code":"` + apiKey + `"}`, `canary`, `{"code":{"canary":1}}`} {
		a := asking(t, inMemory(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(400); io.WriteString(w, body) }))
		_, err := a.Fetch(t.Context(), "p1")
		if !errors.Is(err, payment.ErrRefused) {
			t.Errorf("%s: %v", body, err)
		}
		checkQuiet(t, err)
	}
}

func TestUnreadableAnswersAreForLater(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{
		``, `canary`, `null`, `[]`, `{}`, `<html>canary</html>`, orderJSON + orderJSON, strings.Replace(orderJSON, `"amount"`, `"Amount"`, 1),
		strings.Replace(orderJSON, `"2"`, `2`, 1), strings.Replace(orderJSON, `"p1"`, `"p2"`, 1), `{"order":null}`, `{"orders":[{}]}`, `{"orders":{}}`,
		`{"orders":[1]}`, `{"orders":["canary"`, `{"orders":[null]}`,
	} {
		a := asking(t, inMemory(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, answer) }))
		for name, call := range calls(a) {
			err := call(t.Context())
			if !errors.Is(err, payment.ErrLater) && !(name == "refund" && err == nil) {
				t.Errorf("%s, answer %s: %v", name, answer, err)
			}
			checkQuiet(t, err)
		}
	}
}
