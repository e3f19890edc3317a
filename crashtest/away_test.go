package crashtest_test

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"testing"
	"time"

	"onceshop/fulfillment"
	"onceshop/lease"
	"onceshop/operations"
	"onceshop/shoptest"
	"onceshop/store"
)

func TestWhileTheDatabaseIsAwayNothingIsAcknowledgedAndLaterNothingIsMissing(t *testing.T) {
	t.Parallel()
	server := newPrivateServer(t)
	server.start()
	// Nothing is armed here; this driver only doesn't write to stderr.
	s := shoptest.New(t, shoptest.Options{Pool: shoptest.NewFaulty(t, server.migrated("shop")).Open(t)})
	s.Product("product", "Product", "50000", "USDC")
	ready := operations.NewReadiness(s.DB, time.Now)
	for _, end := range []struct {
		name string
		away func()
	}{{"killed", server.kill}, {"shut down", server.stop}} {
		t.Run(end.name, func(t *testing.T) {
			// One payment is acknowledged, and being fetched, when the database goes
			// away; the other is reported while it is away.
			before, early := s.BuyProduct("product", 1)
			during, late := s.BuyProduct("product", 1)
			fetching := newGate()
			s.Platform.Before(func(*http.Request) { fetching.pass() })
			mailed := running(t, s)
			acknowledged(t, s.Report("payment.paid", shoptest.Order{ID: early, Revision: "2", PaymentStatus: "paid"}))
			wait(t, fetching.reached, "the first payment is being fetched")

			end.away()
			e := shoptest.Event{Type: "payment.paid", Order: s.Platform.Set(shoptest.Order{ID: late, Revision: "2", PaymentStatus: "paid"})}
			body := e.Encode()
			send := func() shoptest.Answer { return s.Do(shoptest.Signed(s.URL(), e.ID, shoptest.Secret, body)) }
			refusedForNow(t, send)
			if ready.Report(t.Context()).Ready {
				t.Error("ready without a database")
			}
			close(fetching.open)
			server.start()

			if n := s.Count("SELECT (SELECT COUNT(*) FROM shop_events WHERE event_id = ?) + (SELECT COUNT(*) FROM shop_event_payloads WHERE event_id = ?)", e.ID, e.ID); n != 0 {
				t.Errorf("%d rows of an event that was refused", n)
			}
			acknowledged(t, send())
			// From here on the loops are on their own.
			wait(t, mailed, "the first mail")
			wait(t, mailed, "the second mail")
			for _, id := range []string{before.ID, during.ID} {
				if o, l := s.Order(id), s.Licenses(id); o.FulfillmentStatus != store.DeliveryDone || o.Revision != 3 || len(l) != 1 {
					t.Errorf("order is %s at revision %d with %d licenses", o.FulfillmentStatus, o.Revision, len(l))
				}
			}
			if r := ready.Report(t.Context()); !r.Ready {
				t.Errorf("not ready although the database is back: %v", r.Reasons)
			}
		})
	}
}

// running runs the shop's loops until t ends, with leases and waits of seconds
// instead of minutes, and tells of each mail that was sent.
func running(t *testing.T, s *shoptest.Shop) (mailed <-chan struct{}) {
	t.Helper()
	signal := make(chan struct{}, 100)
	processor, worker, mails := *s.Processor, *s.Worker, *s.Mails
	processor.Queue, worker.Queue, mails.Queue = hasty(processor.Queue), hasty(worker.Queue), hasty(mails.Queue)
	mails.Sender = signalling{s.Sent, new(sync.Map), signal}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	var loops sync.WaitGroup
	for _, run := range []func(context.Context) (int, error){processor.RunOnce, worker.RunOnce, mails.RunOnce} {
		loop := &lease.Loop{RunOnce: run, Poll: 20 * time.Millisecond, Log: slog.New(slog.DiscardHandler)}
		loops.Go(func() {
			if err := loop.Run(ctx); err != nil {
				t.Error(err)
			}
		})
	}
	t.Cleanup(func() { stop(); loops.Wait() })
	return signal
}

func hasty(q *lease.Queue) *lease.Queue {
	h := *q
	h.For, h.TimeScale = 2*time.Second, 0.01
	return &h
}

// signalling tells of each mail when it is sent for the first time: a worker whose
// lease of two seconds ran out has it sent again.
type signalling struct {
	fulfillment.Sender
	known *sync.Map
	sent  chan<- struct{}
}

func (s signalling) Send(ctx context.Context, m fulfillment.Mail) error {
	err := s.Sender.Send(ctx, m)
	if _, again := s.known.LoadOrStore(m.ID, true); !again {
		s.sent <- struct{}{}
	}
	return err
}

// wait ends the test if what is waited for doesn't come at all: loops whose database
// is away rest for up to half a minute, and servers start slowly beside other work.
func wait(t testing.TB, c <-chan struct{}, what string) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(5 * time.Minute):
		t.Fatalf("not within five minutes: %s", what)
	}
}

func acknowledged(t testing.TB, a shoptest.Answer) {
	t.Helper()
	if a.Status != http.StatusOK {
		t.Errorf("answer %d %s, want 200", a.Status, a.Body)
	}
}

// refusedForNow demands the answer that makes a provider send again, in time.
func refusedForNow(t testing.TB, deliver func() shoptest.Answer) {
	t.Helper()
	began := time.Now()
	a := deliver()
	if a.Status != http.StatusServiceUnavailable || a.Header.Get("Retry-After") == "" {
		t.Errorf("answer %d %s, Retry-After %q, want 503 with it", a.Status, a.Body, a.Header.Get("Retry-After"))
	}
	if took := time.Since(began); took > 10*time.Second { // then providers give up
		t.Errorf("answered after %v, want 10 s at most", took)
	}
}
