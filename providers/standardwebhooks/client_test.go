package standardwebhooks_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"onceshop/payment"
	"onceshop/providers/standardwebhooks"
)

const (
	ourRef     = "7d0c2a54-1c1b-4c8e-9a55-3b1d6f2e9001/2"
	recordJSON = `{"payment_ref":"pay_0001","order_ref":"` + ourRef + `","status":"paid","amount_minor":2500,"currency":"EUR"}`
)

func answering(t testing.TB, answer string) *standardwebhooks.Adapter {
	t.Helper()
	return serving(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, answer) })
}

func fetch(t testing.TB, answer string) (payment.Snapshot, error) {
	t.Helper()
	return answering(t, answer).Fetch(t.Context(), "pay_0001")
}

func creation() payment.Creation {
	return payment.Creation{
		IdempotencyKey: "create:1", OrderRef: ourRef, Amount: payment.NewAmount(2500), Currency: "EUR", Description: "Pro 🚀",
		ReturnURL: "https://shop.example/return", CancelURL: "https://shop.example/cancel", ExpiresAt: now.Add(30 * time.Minute),
	}
}

func TestCreateAsksForAHostedPayment(t *testing.T) {
	t.Parallel()
	a := serving(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		const want = `{"amount_minor":2500,"cancel_url":"https://shop.example/cancel","currency":"EUR","description":"Pro 🚀","expires_at":"2026-01-01T01:30:00Z",` +
			`"order_ref":"` + ourRef + `","return_url":"https://shop.example/return"}`
		if r.Method+" "+r.URL.String() != "POST /payments" || r.Header.Get("Authorization") != "Bearer "+apiKey ||
			r.Header.Get("Idempotency-Key") != "create:1" || r.Header.Get("Content-Type") != "application/json" || string(body) != want {
			t.Errorf("%s %s %v %s", r.Method, r.URL, r.Header, body)
		}
		w.WriteHeader(http.StatusCreated)
		fmt.Fprintf(w, `{"payment":%s,"url":"https://pay.example/p?id=1"}`, recordJSON)
	})
	got, err := a.Create(t.Context(), creation())
	if err != nil || got != (payment.Created{Ref: ourRef, URL: "https://pay.example/p?id=1"}) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestCreateForSomethingElseIsNotPassedOn(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{
		`{"payment":` + strings.Replace(recordJSON, ourRef, "other", 1) + `,"url":"https://pay.example/p"}`,
		`{"payment":` + strings.Replace(recordJSON, `"order_ref":"`+ourRef+`",`, "", 1) + `,"url":"https://pay.example/p"}`,
		`{"payment":` + strings.Replace(recordJSON, "2500", "250", 1) + `,"url":"https://pay.example/p"}`,
		`{"payment":` + strings.Replace(recordJSON, "EUR", "USD", 1) + `,"url":"https://pay.example/p"}`,
		`{"payment":` + recordJSON + `}`, `{"payment":` + recordJSON + `,"url":"javascript:alert(1)"}`, `{"payment":` + recordJSON + `,"url":"/p"}`,
		`{"url":"https://pay.example/p"}`, `{"payment":null,"url":"https://pay.example/p"}`, recordJSON,
	} {
		got, err := answering(t, answer).Create(t.Context(), creation())
		if !errors.Is(err, payment.ErrLater) || got != (payment.Created{}) {
			t.Errorf("%s: %+v, %v", answer, got, err)
		}
	}
}

func TestAPaymentIsFoundByEitherReference(t *testing.T) {
	t.Parallel()
	for _, ref := range []string{"pay_0001", ourRef, "../a/b?c#d%2f"} {
		a := serving(t, func(w http.ResponseWriter, r *http.Request) {
			if r.Method+" "+r.URL.Path != "GET /payments/"+ref || r.URL.RawQuery != "" || strings.Count(r.URL.EscapedPath(), "/") != 2 {
				t.Errorf("asked %s %s", r.Method, r.URL)
			}
			io.WriteString(w, strings.Replace(recordJSON, "pay_0001", ref, 1))
		})
		if s, err := a.Fetch(t.Context(), ref); err != nil || s.Ref != ourRef || s.OrderRef != ourRef {
			t.Errorf("%s: %+v, %v", ref, s, err)
		}
	}
	for _, ref := range []string{"", ".", "..", " pay_0001", "a\x00", strings.Repeat("p", 256)} {
		if _, err := answering(t, recordJSON).Fetch(t.Context(), ref); !errors.Is(err, payment.ErrNotFound) {
			t.Errorf("%q: %v", ref, err)
		}
	}
	gone := serving(t, func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, `{"code":"no_such_payment"}`, http.StatusNotFound)
	})
	if _, err := gone.Fetch(t.Context(), "pay_0001"); !errors.Is(err, payment.ErrNotFound) || !strings.Contains(err.Error(), "no_such_payment") {
		t.Error(err)
	}
}

func TestRefundCarriesItsKeyAndChecksTheAnswer(t *testing.T) {
	t.Parallel()
	for answer, kind := range map[string]error{
		`{"refund":{"refund_ref":"r1","amount_minor":1000,"status":"pending"}}`: nil,
		`{"refund":{"refund_ref":"r1","amount_minor":1000,"status":"done"}}`:    nil,
		`{"refund":{"refund_ref":"r1","amount_minor":1000,"status":"failed"}}`:  payment.ErrRefused,
		`{"refund":{"refund_ref":"r1","amount_minor":2500,"status":"pending"}}`: payment.ErrLater,
		`{"refund":{"refund_ref":"r1","amount_minor":1000}}`:                    payment.ErrLater,
		`{}`: payment.ErrLater,
		``:   payment.ErrLater,
	} {
		a := serving(t, func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			if r.URL.EscapedPath() != "/payments/7d0c2a54-1c1b-4c8e-9a55-3b1d6f2e9001%2F2/refunds" || r.Header.Get("Idempotency-Key") != "refund:1" || string(body) != `{"amount_minor":1000,"reason":"asked for"}` {
				t.Errorf("%s %v %s", r.URL, r.Header, body)
			}
			io.WriteString(w, answer)
		})
		if err := a.Refund(t.Context(), "refund:1", ourRef, payment.NewAmount(1000), "asked for"); !errors.Is(err, kind) {
			t.Errorf("%s: got %v, want %v", answer, err, kind)
		}
	}
}

func TestRequestsThatCannotBeRightAreNotSent(t *testing.T) {
	t.Parallel()
	a := serving(t, func(http.ResponseWriter, *http.Request) { t.Error("sent") })
	change := func(f func(*payment.Creation)) error {
		c := creation()
		f(&c)
		_, err := a.Create(t.Context(), c)
		return err
	}
	for name, err := range map[string]error{
		"no key":          change(func(c *payment.Creation) { c.IdempotencyKey = "" }),
		"no reference":    change(func(c *payment.Creation) { c.OrderRef = "" }),
		"a dot":           change(func(c *payment.Creation) { c.OrderRef = ".." }),
		"not UTF-8":       change(func(c *payment.Creation) { c.Description = "\xff" }),
		"nothing back":    a.Refund(t.Context(), "k", ourRef, payment.Amount{}, ""),
		"less back":       a.Refund(t.Context(), "k", ourRef, payment.NewAmount(-1), ""),
		"too much back":   a.Refund(t.Context(), "k", ourRef, payment.NewAmount(1<<53), ""),
		"a key of 2 rows": a.Refund(t.Context(), "k\r\nX: y", ourRef, payment.NewAmount(1), ""),
	} {
		if !errors.Is(err, payment.ErrRefused) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestListReadsPageByPage(t *testing.T) {
	t.Parallel()
	a := serving(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.String() {
		case "/payments?limit=2&updated_since=2026-01-01T00%3A59%3A59.5Z":
			fmt.Fprintf(w, `{"payments":[%s,%s],"next_cursor":"c=2"}`, recordJSON, strings.ReplaceAll(recordJSON, "1", "9"))
		case "/payments?cursor=c%3D2":
			io.WriteString(w, `{"payments":[]}`)
		case "/payments?cursor=loop":
			io.WriteString(w, `{"payments":[],"next_cursor":"loop"}`)
		default:
			t.Errorf("asked %s", r.URL)
		}
	})
	first, next, err := a.List(t.Context(), now.Add(-500*time.Millisecond), "", 2)
	if err != nil || len(first) != 2 || next != "c=2" || first[0].Ref != ourRef || first[1].OrderRef == ourRef {
		t.Errorf("%+v %q, %v", first, next, err)
	}
	last, next, err := a.List(t.Context(), time.Time{}, next, 0)
	if err != nil || len(last) != 0 || next != "" {
		t.Errorf("%+v %q, %v", last, next, err)
	}
	for _, answer := range []string{`{}`, `{"payments":null}`, `{"payments":{}}`, `{"payments":[` + recordJSON + `]`} {
		if payments, _, err := answering(t, answer).List(t.Context(), now, "", 10); !errors.Is(err, payment.ErrLater) || payments != nil {
			t.Errorf("%s: %v, %v", answer, payments, err)
		}
	}
	if _, _, err := a.List(t.Context(), time.Time{}, "loop", 0); !errors.Is(err, payment.ErrLater) {
		t.Errorf("a cursor that leads nowhere: %v", err)
	}
}
