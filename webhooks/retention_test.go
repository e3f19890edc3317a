package webhooks_test

import (
	"testing"
	"time"

	"onceshop/webhooks"
)

func TestOldBytesGoAndTheEventStays(t *testing.T) {
	t.Parallel()
	s, order := exampleShop(t)
	happens(s, exPaid)
	retention := &webhooks.Retention{DB: s.DB, Keep: 24 * time.Hour}
	purge := func(want int) {
		t.Helper()
		if n, err := retention.RunOnce(t.Context()); err != nil || n != want {
			t.Errorf("%d bodies purged, %v; want %d", n, err, want)
		}
	}
	purge(0)
	s.Exec("UPDATE shop_event_payloads SET created_at = NOW(6) - INTERVAL 25 HOUR")
	purge(1)
	send(s, exPaid)
	s.Settle()
	if e := s.Event(exPaid.id); e.Deliveries != 2 {
		t.Errorf("%d deliveries of the one event, want 2", e.Deliveries)
	}
	if n := len(s.Licenses(order.ID)); n != 1 {
		t.Errorf("%d licenses", n)
	}
}
