package call_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"onceshop/payment"
	"onceshop/providers/call"
	"onceshop/providers/wire"
)

// first answers the first request with one handler and all others well.
func first(attempts *int, h inMemory) inMemory {
	return func(w http.ResponseWriter, r *http.Request) {
		if *attempts++; *attempts == 1 {
			h(w, r)
			return
		}
		io.WriteString(w, `{"id":"it"}`)
	}
}

func status(n int, retryAfter string) inMemory {
	return func(w http.ResponseWriter, _ *http.Request) {
		if retryAfter != "" {
			w.Header().Set("Retry-After", retryAfter)
		}
		w.WriteHeader(n)
	}
}

func TestOneFailureIsTriedAgain(t *testing.T) {
	t.Parallel()
	for name, d := range map[string]struct {
		first    inMemory
		attempts int
		waited   time.Duration
	}{
		"500":                       {status(500, ""), 2, 200 * time.Millisecond},
		"503 for a second":          {status(503, "1"), 2, time.Second},
		"503 until a date":          {status(503, "Sat, 01 Jan 2000 00:00:02 GMT"), 2, 2 * time.Second},
		"503 until a date gone by":  {status(503, "Fri, 31 Dec 1999 00:00:00 GMT"), 2, 200 * time.Millisecond},
		"503 for longer than worth": {status(503, "3"), 1, 0},
		"429":                       {status(429, "1"), 2, time.Second},
		"429 for an hour":           {status(429, "3600"), 1, 0},
		"400":                       {status(400, "1"), 1, 0},
		"401":                       {status(401, "1"), 1, 0},
		"404":                       {status(404, ""), 1, 0},
		"unreadable":                {func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "x") }, 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				attempts, start := 0, time.Now()
				err := fetch(t.Context(), asking(t, first(&attempts, d.first)))
				if attempts != d.attempts || time.Since(start) != d.waited || (err == nil) != (d.attempts == 2) {
					t.Errorf("%d attempts in %v, error %v; want %d in %v", attempts, time.Since(start), err, d.attempts, d.waited)
				}
			})
		})
	}
}

func TestTheSecondFailureIsTheAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		attempts := 0
		a := asking(t, inMemory(func(w http.ResponseWriter, r *http.Request) { attempts++; status(503, "1")(w, r) }))
		err := fetch(t.Context(), a)
		if attempts != 2 || !errors.Is(err, payment.ErrLater) {
			t.Errorf("%d attempts, %v", attempts, err)
		}
	})
}

func TestARetriedPostRepeatsItsKeyAndBody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var sent []string
		a := asking(t, inMemory(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			sent = append(sent, r.Header.Get("Idempotency-Key")+string(body))
			w.WriteHeader(500)
		}))
		body := map[string]string{"a": "1", "b": "2", "c": "3"}
		err := a.PostKeyed(t.Context(), call.Request{What: "create it", Path: "/it"}, "key-1", body, wire.Members{})
		if !errors.Is(err, payment.ErrLater) || len(sent) != 2 || sent[0] != sent[1] || sent[0] != `key-1{"a":"1","b":"2","c":"3"}` {
			t.Errorf("sent %q, %v", sent, err)
		}
	})
}

type broken struct{ attempts int }

func (b *broken) RoundTrip(*http.Request) (*http.Response, error) {
	b.attempts++
	return nil, errors.New("canary: connection reset")
}

func TestABrokenConnectionIsTriedAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := &broken{}
		err := fetch(t.Context(), asking(t, b))
		if !errors.Is(err, payment.ErrLater) || b.attempts != 2 {
			t.Errorf("%d attempts, %v", b.attempts, err)
		}
		checkQuiet(t, err)
	})
}

func TestASilentServerIsGivenFiveSecondsOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		attempts, start := 0, time.Now()
		a := asking(t, first(&attempts, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
		err := fetch(t.Context(), a)
		if !errors.Is(err, payment.ErrLater) || attempts != 1 || time.Since(start) != 5*time.Second || !strings.Contains(err.Error(), "timed out") {
			t.Errorf("%d attempts in %v, %v", attempts, time.Since(start), err)
		}
		checkQuiet(t, err)
	})
}

func TestTheCallersDeadlineIsKept(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		attempts, start := 0, time.Now()
		err := fetch(ctx, asking(t, first(&attempts, status(503, "1"))))
		if !errors.Is(err, payment.ErrLater) || attempts != 1 || time.Since(start) != 0 {
			t.Errorf("a wait beyond the deadline: %d attempts in %v, %v", attempts, time.Since(start), err)
		}
		attempts = 0
		a := asking(t, first(&attempts, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
		err = fetch(ctx, a)
		if !errors.Is(err, payment.ErrLater) || !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Second {
			t.Errorf("a silent server: in %v, %v", time.Since(start), err)
		}
	})
}

func TestACancelledCallEndsWhileItWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		attempts, start := 0, time.Now()
		err := fetch(ctx, asking(t, first(&attempts, status(503, "2"))))
		if !errors.Is(err, context.Canceled) || !errors.Is(err, payment.ErrLater) || attempts != 1 || time.Since(start) != time.Second {
			t.Errorf("%d attempts in %v, %v", attempts, time.Since(start), err)
		}
	})
}
