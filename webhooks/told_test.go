package webhooks_test

import (
	"testing"

	"onceshop/shoptest"
	"onceshop/store/db"
)

// TestTheEventsOfOnePaymentAreFoundWithoutReadingAllOthers counts the rows that the
// server reads for a fold.
func TestTheEventsOfOnePaymentAreFoundWithoutReadingAllOthers(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	conn, err := s.DB.Pool().Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	exec := func(query string) {
		t.Helper()
		if _, err := conn.ExecContext(t.Context(), query); err != nil {
			t.Fatal(err)
		}
	}
	exec(`INSERT INTO shop_events (provider, event_id, event_type, payment_ref, order_ref, payload_hash, key_id)
WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 900)
SELECT 'told', CONCAT('event-', n), 'paid', CONCAT('payment-', n), CONCAT('order-', n), REPEAT('x', 32), 'key' FROM numbers`)
	exec(`INSERT INTO shop_events (provider, event_id, event_type, payment_ref, order_ref, payload_hash, key_id) VALUES
('told', 'refund', 'refunded', 'payment-7', 'typed by hand', REPEAT('x', 32), 'key'), ('other', 'event-7', 'paid', 'payment-7', 'order-7', REPEAT('x', 32), 'key')`)
	exec("ANALYZE TABLE shop_events")
	exec("FLUSH STATUS")
	events, err := db.New(conn).ListEventsOfReference(t.Context(), "told", "order-7", "told", "order-7")
	if err != nil || len(events) != 2 || events[0].EventID != "event-7" || events[1].EventID != "refund" {
		t.Fatalf("got %+v, %v", events, err)
	}
	var name string
	var read int
	if err := conn.QueryRowContext(t.Context(), "SHOW SESSION STATUS LIKE 'Handler_read_next'").Scan(&name, &read); err != nil {
		t.Fatal(err)
	}
	if read > 20 {
		t.Errorf("%d rows were read for 2 events among 900", read)
	}
}
