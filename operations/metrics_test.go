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

func TestOrdersThatWaitForAPersonAreCountedByWhatTheyWaitFor(t *testing.T) {
	t.Parallel()
	b := setup(t, testdb.New(t), time.Now)
	none := []string{`onceshop_orders{state="review"} 0`, `onceshop_orders{state="withheld"} 0`}
	b.shows(append(none, `onceshop_orders{state="refund_failed"} 0`, `onceshop_orders{state="disputed"} 0`)...)

	b.exec("INSERT INTO shop_carts (id, token_hash) VALUES ('c', REPEAT('c', 32))")
	b.exec(`INSERT INTO shop_orders (id, number, cart_id, token_hash, email, total, currency, expires_at)
		VALUES ('o', 'OS-1', 'c', REPEAT('o', 32), 'ada@example.com', 4900, 'USD', NOW(6))`)
	for attempt, payment := range []string{"p", "q"} {
		b.exec(`INSERT INTO shop_payments (id, order_id, attempt, provider, status, amount, currency, received)
			VALUES (?, 'o', ?, 'stripe', 'paid', 4900, 'USD', 4900)`, payment, attempt+1)
		b.exec("INSERT INTO shop_refunds (provider, provider_ref, payment_id, amount, status) VALUES ('stripe', CONCAT('re_', ?), ?, 1000, 'failed')", payment, payment)
		b.exec("INSERT INTO shop_disputes (provider, provider_ref, payment_id, amount, status) VALUES ('stripe', CONCAT('dp_', ?), ?, 1000, 'open')", payment, payment)
	}
	b.shows(append(none, `onceshop_orders{state="refund_failed"} 1`, `onceshop_orders{state="disputed"} 1`)...)

	b.exec("UPDATE shop_disputes SET status = 'lost', amount = 4000")
	b.shows(append(none, `onceshop_orders{state="refund_failed"} 0`, `onceshop_orders{state="disputed"} 0`)...)
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
