package app_test

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"time"

	"onceshop/app"
	"onceshop/shoptest"
)

// fleet is two instances of one shop behind whatever sends to them.
type fleet struct {
	*testing.T
	args []string // the environment of every instance

	mu        sync.Mutex
	addresses [2]string
}

// launch starts an instance in a place and returns how it is stopped, in order.
func (f *fleet) launch(place int) (stop func()) {
	f.Helper()
	a, err := app.New(f.Context(), load(f.T, f.args), app.Deps{Log: silence(), Now: func() time.Time { return time.Unix(shoptest.Clock, 0) }})
	if err != nil {
		f.Fatal(err)
	}
	l := listener(f.T)
	ctx, cancel := context.WithCancel(context.WithoutCancel(f.Context()))
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx, app.Listeners{Public: l}) }()
	f.mu.Lock()
	f.addresses[place] = "http://" + l.Addr().String() + "/webhooks/stablein"
	f.mu.Unlock()
	return func() {
		cancel()
		if err := wait(f.T, "an instance's end", ended); err != nil {
			f.Error(err)
		}
		if err := a.Close(); err != nil {
			f.Error(err)
		}
	}
}

// send delivers as a provider does: until it is answered 200. Which instance is
// asked changes with each attempt.
func (f *fleet) send(n int, e shoptest.Event) {
	body := e.Encode()
	for attempt := n; f.Context().Err() == nil; attempt++ {
		f.mu.Lock()
		address := f.addresses[attempt%2]
		f.mu.Unlock()
		res, err := http.DefaultClient.Do(shoptest.Signed(address, e.ID, shoptest.Secret, body))
		if err != nil {
			continue // the instance is gone; nobody has promised anything
		}
		res.Body.Close()
		if res.StatusCode == http.StatusOK {
			return
		}
		if res.StatusCode != http.StatusServiceUnavailable {
			f.Errorf("event %s was answered %s", e.ID, res.Status)
			return
		}
	}
}

func TestARollingRestartUnderLoadLosesNothingAndDoublesNothing(t *testing.T) {
	t.Parallel()
	const orders = 500
	s := shoptest.New(t, shoptest.Options{NoInbox: true})
	f := &fleet{T: t, args: environment(s.DSN, "http://127.0.0.1:8080", s.Pages().PlatformURL(), "SHOP_STABLEIN_API_KEY=platform-api-key")}
	var refs []shoptest.Order
	for range orders {
		o, ref := s.Buy(1)
		refs = append(refs, shoptest.Order{ID: ref, MerchantOrderID: o.ID, Revision: "2", PaymentStatus: "paid"})
	}

	stops := []func(){f.launch(0), f.launch(1)}
	var senders sync.WaitGroup
	work, halfway := make(chan int), make(chan struct{})
	for range 8 {
		senders.Go(func() {
			for n := range work {
				f.send(n, shoptest.Event{Type: "payment.paid", Order: s.Platform.Set(refs[n])})
			}
		})
	}
	senders.Go(func() {
		defer close(work)
		for n := range refs {
			if n == orders/10 {
				close(halfway) // there is load now
			}
			work <- n
		}
	})
	<-halfway
	for round := range 6 {
		place := round % 2
		next := f.launch(place) // the new one first, as rolling restarts do
		stops[place]()
		stops[place] = next
	}
	senders.Wait()
	for _, stop := range stops {
		stop()
	}
	last, err := app.New(t.Context(), load(t, f.args), app.Deps{Log: silence()})
	if err != nil {
		t.Fatal(err)
	}
	defer last.Close()
	if err := last.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}

	for what, query := range map[string]string{
		"paid orders":    "SELECT COUNT(*) FROM shop_orders WHERE payment_status = 'paid' AND fulfillment_status = 'delivered'",
		"keys":           "SELECT COUNT(DISTINCT key_hash) FROM shop_licenses",
		"mails":          "SELECT COUNT(*) FROM shop_mailbox",
		"finished jobs":  "SELECT COUNT(*) / 2 FROM shop_fulfillment_outbox WHERE status = 'done'",
		"applied events": "SELECT COUNT(*) FROM shop_events WHERE verdict = 'applied'",
	} {
		if got := s.Count("SELECT CAST((" + query + ") AS SIGNED)"); got != orders {
			t.Errorf("%d %s, want %d", got, what, orders)
		}
	}
	if got := s.Count("SELECT COUNT(*) FROM shop_mailbox WHERE sent > 1"); got > 0 {
		t.Errorf("%d mails were sent twice although no process died", got)
	}
}
