package operations_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"onceshop/testdb"
)

func TestQueuesAreCountedAtEachScrape(t *testing.T) {
	t.Parallel()
	b := setup(t, testdb.New(t), time.Now)
	for i, status := range []string{"pending", "pending", "dead", "done"} {
		b.exec(`INSERT INTO shop_events (provider, event_id, event_type, payment_ref, order_ref, payload_hash, key_id, status, verdict, next_attempt_at)
			VALUES ('stablein', ?, 'payment.paid', '', '', REPEAT('x', 32), 'current', ?, 'applied', NOW(6) - INTERVAL 90 SECOND)`, i, status)
	}
	_, text := b.get("/metrics")
	for _, line := range []string{
		`onceshop_events{status="pending"} 2`, `onceshop_events{status="dead"} 1`, `onceshop_events{status="leased"} 0`,
		`onceshop_queues_readable 1`, `onceshop_queue_oldest_due_seconds{queue="jobs"} 0`,
	} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("no line %s", line)
		}
	}
	if strings.Contains(text, `status="done"`) {
		t.Error("what is done is counted; that only grows")
	}
	if !strings.Contains(text, `onceshop_queue_oldest_due_seconds{queue="events"} 9`) {
		t.Error("the oldest due event has been waiting 90 s and isn't reported")
	}
	for _, family := range []string{"go_goroutines", "process_cpu_seconds_total"} {
		if !strings.Contains(text, "\n"+family+" ") {
			t.Errorf("no %s", family)
		}
	}
}

func TestAScrapeWorksWhileTheDatabaseIsAway(t *testing.T) {
	t.Parallel()
	b := setup(t, testdb.New(t), time.Now)
	b.away.Store(true)
	status, text := b.get("/metrics")
	if status != http.StatusOK || !strings.Contains(text, "onceshop_queues_readable 0\n") || !strings.Contains(text, "go_goroutines") {
		t.Fatalf("%d %s", status, text)
	}
}

func TestNothingElseIsServed(t *testing.T) {
	t.Parallel()
	b := setup(t, testdb.New(t), time.Now)
	for _, path := range []string{"/", "/debug/pprof/", "/readyz/x"} {
		if status, _ := b.get(path); status != http.StatusNotFound {
			t.Errorf("%s answers %d", path, status)
		}
	}
}
