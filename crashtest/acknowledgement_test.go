package crashtest_test

import (
	"context"
	"errors"
	"net/http"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"onceshop/fulfillment"
	"onceshop/shoptest"
	"onceshop/testdb"
	"onceshop/webhooks"
)

func TestTheAnswerWaitsNeitherForThePlatformNorForTheMailServer(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	first, early := s.Buy(1)
	second, late := s.Buy(1)
	s.Sent.Fail(errors.New("connection refused"))
	platform := newGate()
	s.Platform.Before(func(*http.Request) { platform.pass() })
	acknowledged(t, s.Report("payment.paid", shoptest.Order{ID: early, Revision: "2", PaymentStatus: "paid"}))
	processed := make(chan error)
	go func() { _, err := s.Processor.RunOnce(t.Context()); processed <- err }()
	wait(t, platform.reached, "the platform is asked")

	// From here on the platform answers nothing, and yet:
	shoptest.Together(20, func(int) {
		acknowledged(t, s.Report("payment.paid", shoptest.Order{ID: late, Revision: "2", PaymentStatus: "paid"}))
	})
	close(platform.open)
	if err := <-processed; err != nil {
		t.Fatal(err)
	}
	s.Settle()
	// Paid and delivered are separate gates: licenses are there without their mails.
	sold(s, first.ID)
	sold(s, second.ID)
	if got := jobs(s, first.ID)[fulfillment.SendLicensesMail]; got != "pending" || len(s.Sent.All()) != 0 {
		t.Errorf("the mail's job is %s, %d mails", got, len(s.Sent.All()))
	}
	s.Sent.Fail(nil)
	s.MakeDue()
	s.Settle()
	if n := len(s.Sent.All()); n != 2 {
		t.Errorf("%d mails once the mail server is back, want 2", n)
	}
	sold(s, first.ID) // and no second license
}

func TestASenderThatHangsUpDuringTheCommitLosesNothing(t *testing.T) {
	t.Parallel()
	faulty := shoptest.NewFaulty(t, testdb.New(t))
	s := shoptest.New(t, shoptest.Options{Pool: faulty.Open(t)})
	registry := prometheus.NewRegistry()
	s.Handler.Metrics = webhooks.NewMetrics(registry)
	order, ref := s.Buy(1)
	e := shoptest.Event{Type: "payment.paid", Order: s.Platform.Set(shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "paid"})}
	body := e.Encode()
	request := func() *http.Request { return shoptest.Signed(s.URL(), e.ID, shoptest.Secret, body) }

	commit := newGate()
	faulty.Watch(func(st shoptest.Statement) {
		if st.Text == "commit" {
			commit.pass()
		}
	})
	noticed := make(chan (<-chan struct{}), 2)
	s.Server.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		noticed <- r.Context().Done()
		s.Handler.ServeHTTP(w, r)
	})
	ctx, hangUp := context.WithCancel(t.Context())
	answered := make(chan error)
	go func() {
		resp, err := s.Server.Client().Do(request().WithContext(ctx))
		if err == nil {
			resp.Body.Close()
		}
		answered <- err
	}()
	wait(t, commit.reached, "the event is about to be committed")
	hangUp()
	if err := <-answered; !errors.Is(err, context.Canceled) {
		t.Errorf("the sender got %v", err)
	}
	wait(t, <-noticed, "the shop notices")
	close(commit.open)

	acknowledged(t, s.Do(request()))
	if got := s.Event(e.ID); got.Deliveries != 2 {
		t.Errorf("%d deliveries, want 2: the first one was stored", got.Deliveries)
	}
	s.Settle()
	sold(s, order.ID)
	if n := len(s.Sent.All()); n != 1 {
		t.Errorf("%d mails, want 1", n)
	}
	s.Server.Close() // the first handler has ended when this returns
	if n := counted(t, registry, "onceshop_webhook_hangups_total"); n != 1 {
		t.Errorf("%v senders hung up, want 1", n)
	}
}

func counted(t testing.TB, registry *prometheus.Registry, name string) (sum float64) {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() == name {
			for _, m := range f.GetMetric() {
				sum += m.GetCounter().GetValue()
			}
		}
	}
	return sum
}
