package crashtest_test

import (
	"context"
	"sync"
	"testing"

	"onceshop/shoptest"
)

// processing runs the shop's processor and workers, two of each, for as long as f
// takes: so that bookings and deliveries happen among the requests. What is left
// then is worked off.
func processing(s *shoptest.Shop, f func()) {
	s.Helper()
	ctx, stop := context.WithCancel(s.Context())
	var wg sync.WaitGroup
	for _, run := range []func(context.Context) (int, error){s.Processor.RunOnce, s.Worker.RunOnce, s.Mails.RunOnce} {
		for range 2 {
			wg.Go(func() {
				for ctx.Err() == nil {
					// Not ctx: a pass that has begun ends as it would have.
					if _, err := run(s.Context()); err != nil {
						s.Errorf("round failed: %v", err)
						return
					}
				}
			})
		}
	}
	f()
	stop()
	wg.Wait()
	s.MakeDue()
	s.Settle()
}

// noneLeft demands that every queue has been worked off without a failure for good.
func noneLeft(t testing.TB, s *shoptest.Shop) {
	t.Helper()
	if n := s.Count("SELECT COUNT(*) FROM shop_events WHERE status <> 'done'"); n != 0 {
		t.Errorf("%d events aren't done", n)
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_fulfillment_outbox WHERE status NOT IN ('done', 'cancelled')"); n != 0 {
		t.Errorf("%d jobs are neither done nor cancelled", n)
	}
}
