package providertest

import (
	"bytes"
	"errors"
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

// standIn is a server in the provider's place, without a network, and what it was
// asked.
type standIn struct {
	http.Handler
	sync.Mutex
	requests []request
}

// RoundTrip answers a request.
func (p *standIn) RoundTrip(r *http.Request) (res *http.Response, err error) {
	var body []byte
	if r.Body != nil {
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
		r.Body.Close()
	}
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	p.Lock()
	p.requests = append(p.requests, request{r.Method, r.URL.Path, r.Header.Clone(), string(body)})
	p.Unlock()
	defer func() {
		if recover() == http.ErrAbortHandler {
			res, err = nil, io.ErrUnexpectedEOF
		}
	}()
	w := httptest.NewRecorder()
	served := httptest.NewRequestWithContext(r.Context(), r.Method, r.URL.String(), bytes.NewReader(body))
	served.Header = r.Header.Clone()
	p.ServeHTTP(w, served)
	res = w.Result()
	res.Request = r
	return res, nil
}

func (s *suite) against(t testing.TB, h http.Handler) (Adapter, *standIn) {
	t.Helper()
	seen := &standIn{Handler: h}
	return s.made(t, Setup{Secrets: held([]string{s.current.Key}), BaseURL: "http://api.example", HTTP: &http.Client{Transport: seen}}), seen
}

// writes are the requests that could make something.
func (p *standIn) writes() (out []request) {
	p.Lock()
	defer p.Unlock()
	for _, r := range p.requests {
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
	if again.Ref != first.Ref || s.IdempotencyHeader != "" && again.URL != first.URL {
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
