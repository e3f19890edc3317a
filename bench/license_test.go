package bench

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"onceshop/lease"
	"onceshop/shoptest"
	"onceshop/webhooks"
)

func BenchmarkWebhookToLicense(b *testing.B) {
	pool, scripts := durable(b)
	s := shoptest.New(b, shoptest.Options{Pool: pool, Scripts: scripts, NoInbox: true})
	events := &lease.Loop{Name: "events", RunOnce: s.Processor.RunOnce}
	jobs := &lease.Loop{Name: "jobs", RunOnce: s.Worker.RunOnce}
	issued := make(chan time.Time, 1)
	s.Inbox = webhooks.NewInbox(s.DB, events.Wake)
	s.Handler.Inbox = s.Inbox
	s.Processor.Booked = jobs.Wake
	s.Worker.Issued = func() { issued <- time.Now() }

	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { s.Inbox.Run(ctx) })
	for _, l := range []*lease.Loop{events, jobs} {
		running.Go(func() {
			if err := l.Run(ctx); err != nil {
				b.Error(err)
			}
		})
	}
	defer running.Wait()
	defer stop()

	var took []time.Duration
	for b.Loop() {
		for range 100 {
			_, ref := s.Buy(1)
			paid := shoptest.Event{Type: "payment.paid", Order: s.Platform.Set(shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "paid"})}
			start := time.Now()
			if a := s.Deliver(paid); a.Status != 200 {
				b.Fatalf("answer %d %s", a.Status, a.Body)
			}
			took = append(took, (<-issued).Sub(start))
		}
	}
	slices.Sort(took)
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	b.ReportMetric(ms(took[len(took)/2]), "median-ms")
	b.ReportMetric(ms(took[len(took)*95/100]), "p95-ms")
	b.ReportMetric(0, "ns/op")
}
