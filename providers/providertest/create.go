package providertest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"onceshop/payment"
	"onceshop/providers/call"
)

// request is one that reached the stand-in.
type request struct {
	method, path string
	header       http.Header
	body         string
}

// standIn is a server in the provider's place, and what it was asked.
type standIn struct {
	sync.Mutex
	requests []request
}

func (s *suite) against(t testing.TB, h http.Handler) (Adapter, *standIn) {
	t.Helper()
	seen := &standIn{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		seen.Lock()
		seen.requests = append(seen.requests, request{r.Method, r.URL.Path, r.Header.Clone(), string(body)})
		seen.Unlock()
		r.Body = io.NopCloser(bytes.NewReader(body))
		h.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return s.made(t, Setup{Secrets: held([]string{s.current.Key}), BaseURL: server.URL, HTTP: server.Client()}), seen
}

// writes are the requests that could make something.
func (a *standIn) writes() (out []request) {
	a.Lock()
	defer a.Unlock()
	for _, r := range a.requests {
		if r.method != http.MethodGet {
			out = append(out, r)
		}
	}
	return out
}

func (s *suite) creation(key string) payment.Creation {
	c := s.Creation
	fill := func(field *string, value string) {
		if *field == "" {
			*field = value
		}
	}
	c.IdempotencyKey = key
	fill(&c.OrderRef, "7d0c2a54-1c1b-4c8e-9a55-3b1d6f2e9001")
	fill(&c.Description, "Order S-1001: 1 × “Édition” & more")
	fill(&c.ReturnURL, "https://shop.example/orders/return?a=1&b=2")
	fill(&c.CancelURL, "https://shop.example/cart")
	if c.Amount.Sign() == 0 {
		c.Amount = payment.NewAmount(2500)
	}
	fill(&c.Currency, "EUR")
	if c.ExpiresAt.IsZero() {
		c.ExpiresAt = time.Now().Add(2 * time.Hour).UTC().Truncate(time.Second)
	}
	return c
}

func (s *suite) createTwice(t *testing.T) {
	a, seen := s.against(t, s.API(t))
	c := s.creation("create-1-of-the-suite")
	first, err := a.Create(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	asked := len(seen.writes())
	again, err := a.Create(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if again != first {
		t.Errorf("first %+v, then %+v", first, again)
	}
	if first.Ref == "" || !call.IsPage(first.URL) {
		t.Errorf("created %+v", first)
	}
	if asked == 0 {
		t.Error("nothing was asked for")
	}
	for _, r := range seen.writes() {
		if s.IdempotencyHeader != "" && r.header.Get(s.IdempotencyHeader) != c.IdempotencyKey {
			t.Errorf("%s %s with the key %q", r.method, r.path, r.header.Get(s.IdempotencyHeader))
		}
		if strings.Contains(r.body, s.current.Key) {
			t.Errorf("%s %s tells the webhook's secret", r.method, r.path)
		}
	}
}

func (s *suite) money(t *testing.T) {
	cases := append([]Money{
		{Amount: "0", Currency: s.creation("").Currency},
		{Amount: "-2500", Currency: s.creation("").Currency},
		{Amount: "2500", Currency: ""},
		{Amount: "2500", Currency: "€"},
		{Amount: "2500", Currency: "EUR "},
	}, s.Money...)
	for _, m := range cases {
		t.Run(m.Amount+" "+m.Currency, func(t *testing.T) {
			t.Parallel()
			amount, err := payment.ParseAmount(m.Amount)
			if err != nil {
				t.Fatal(err)
			}
			a, seen := s.against(t, s.API(t))
			if taken := a.Takes(payment.Money{Amount: amount, Currency: m.Currency}); taken != m.Taken {
				t.Errorf("taken %v, want %v", taken, m.Taken)
			}
			c := s.creation("create-money-of-the-suite")
			c.Amount, c.Currency = amount, m.Currency
			_, err = a.Create(t.Context(), c)
			writes := seen.writes()
			switch {
			case !m.Taken:
				if !errors.Is(err, payment.ErrRefused) || len(writes) > 0 {
					t.Errorf("asked for all the same: %d requests, %v", len(writes), err)
				}
			case err != nil:
				t.Error(err)
			case len(writes) == 0 || !strings.Contains(writes[0].body, m.Asks):
				t.Errorf("%q isn't in what was asked: %v", m.Asks, writes)
			}
		})
	}
}

func (s *suite) createFails(t *testing.T) {
	answer := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Location", "/elsewhere?"+canary)
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		}
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx  context.Context
		h    http.HandlerFunc
		kind error
	}{
		"unauthorised":         {t.Context(), answer(401, `{"message":"`+canary+`"}`), payment.ErrUnauthorised},
		"forbidden":            {t.Context(), answer(403, `{"error":"`+canary+` `+canary+`"}`), payment.ErrUnauthorised},
		"bad request":          {t.Context(), answer(400, `{"error":{"message":"`+canary+` `+canary+`"}}`), payment.ErrRefused},
		"a redirect":           {t.Context(), answer(302, ""), payment.ErrLater},
		"a failure":            {t.Context(), answer(500, canary), payment.ErrLater},
		"too many":             {t.Context(), answer(429, canary), payment.ErrLater},
		"nothing":              {t.Context(), answer(200, ""), payment.ErrLater},
		"not JSON":             {t.Context(), answer(200, canary), payment.ErrLater},
		"another document":     {t.Context(), answer(200, `{"`+canary+`":"`+canary+`"}`), payment.ErrLater},
		"an array":             {t.Context(), answer(200, `[]`), payment.ErrLater},
		"the connection broke": {t.Context(), func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, payment.ErrLater},
		"the caller has left":  {gone, answer(200, `{}`), payment.ErrLater},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, _ := s.against(t, c.h)
			created, err := a.Create(c.ctx, s.creation("create-fails-of-the-suite"))
			if !errors.Is(err, c.kind) || created != (payment.Created{}) {
				t.Fatalf("created %+v, error %v; want %v", created, err, c.kind)
			}
			s.quiet(t, err.Error())
		})
	}
	t.Run("without an address", func(t *testing.T) {
		t.Parallel()
		if _, err := s.adapter(t, s.current).Create(gone, s.creation("create-nowhere-of-the-suite")); err == nil {
			t.Error("created")
		} else {
			s.quiet(t, err.Error())
		}
	})
}
