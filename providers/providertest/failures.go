package providertest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"onceshop/payment"
)

// lister reads payments back page by page.
type lister interface {
	List(ctx context.Context, since time.Time, cursor string, limit int) ([]payment.Snapshot, string, error)
}

// asks are an adapter's questions to its API, each in a form that could succeed.
func (s *suite) asks(a Adapter) map[string]func(context.Context) error {
	c := s.creation("ask-the-api-of-the-suite")
	ref := cmp.Or(s.Ref, c.OrderRef)
	asks := map[string]func(context.Context) error{
		"create": func(ctx context.Context) error {
			created, err := a.Create(ctx, c)
			if err != nil && created != (payment.Created{}) {
				return fmt.Errorf("created %+v as well as %v", created, err)
			}
			return err
		},
	}
	if f, ok := a.(payment.Fetcher); ok {
		asks["fetch"] = func(ctx context.Context) error { _, err := f.Fetch(ctx, ref); return err }
	}
	if l, ok := a.(lister); ok {
		asks["list"] = func(ctx context.Context) error { _, _, err := l.List(ctx, s.now(), "", 10); return err }
	}
	if r, ok := a.(payment.Refunder); ok {
		asks["refund"] = func(ctx context.Context) error {
			return r.Refund(ctx, "refund-of-the-suite", ref, c.Amount, "requested by customer")
		}
	}
	return asks
}

// failures have kinds, by which the shop decides what to do.
func (s *suite) failures(t *testing.T) {
	answer := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Location", "/elsewhere?"+canary)
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		}
	}
	for name, c := range map[string]struct {
		h    http.HandlerFunc
		kind error
		gone bool // the caller has left
	}{
		"unauthorised":         {h: answer(401, `{"message":"`+canary+`"}`), kind: payment.ErrUnauthorised},
		"forbidden":            {h: answer(403, `{"error":"`+canary+` `+canary+`"}`), kind: payment.ErrUnauthorised},
		"bad request":          {h: answer(400, `{"error":{"message":"`+canary+` `+canary+`"}}`), kind: payment.ErrRefused},
		"a redirect":           {h: answer(302, ""), kind: payment.ErrLater},
		"a failure":            {h: answer(500, canary), kind: payment.ErrLater},
		"too many":             {h: answer(429, canary), kind: payment.ErrLater},
		"nothing":              {h: answer(200, ""), kind: payment.ErrLater},
		"not JSON":             {h: answer(200, canary), kind: payment.ErrLater},
		"another document":     {h: answer(200, `{"`+canary+`":"`+canary+`"}`), kind: payment.ErrLater},
		"a name twice":         {h: answer(200, `{"id":"`+canary+`","id":"`+canary+`"}`), kind: payment.ErrLater},
		"an array":             {h: answer(200, `[]`), kind: payment.ErrLater},
		"the connection broke": {h: func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, kind: payment.ErrLater},
		"the caller has left":  {h: answer(200, `{}`), gone: true, kind: payment.ErrLater},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// A second attempt comes after a pause, which needs no time here.
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if c.gone {
					cancel()
				}
				a, _ := s.against(t, c.h)
				for what, ask := range s.asks(a) {
					err := ask(ctx)
					if !errors.Is(err, c.kind) {
						t.Errorf("%s: error %v, want %v", what, err, c.kind)
					}
					if err != nil {
						s.quiet(t, err.Error())
					}
				}
			})
		})
	}
	t.Run("without an address", func(t *testing.T) {
		t.Parallel()
		// Some adapters know their provider's: the caller has left before they ask.
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		for what, ask := range s.asks(s.adapter(t, s.current)) {
			if err := ask(gone); err == nil {
				t.Errorf("%s: no error", what)
			} else {
				s.quiet(t, err.Error())
			}
		}
	})
}
