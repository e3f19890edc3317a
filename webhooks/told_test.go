package webhooks_test

import (
	"database/sql"
	"testing"

	"onceshop/payment"
	"onceshop/shoptest"
	"onceshop/store"
	"onceshop/store/db"
)

// TestTheEventsOfOnePaymentAreFoundWithoutReadingAllOthers counts the rows that the
// server reads for a fold, before it has counted what is in the table and after.
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
	exec("ALTER TABLE shop_events STATS_PERSISTENT = 1, STATS_AUTO_RECALC = 0")
	exec(`INSERT INTO shop_events (provider, event_id, event_type, payment_ref, order_ref, payload_hash, key_id)
WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 900)
SELECT 'told', CONCAT('event-', n), 'paid', CONCAT('payment-', n), CONCAT('order-', n), REPEAT('x', 32), 'key' FROM numbers`)
	exec(`INSERT INTO shop_events (provider, event_id, event_type, payment_ref, order_ref, payload_hash, key_id) VALUES
('told', 'refund', 'refunded', 'payment-7', 'typed by hand', REPEAT('x', 32), 'key'), ('other', 'event-7', 'paid', 'payment-7', 'order-7', REPEAT('x', 32), 'key')`)
	queries := db.New(conn)
	for _, counts := range []string{"DO 0", "ANALYZE TABLE shop_events"} {
		exec(counts)
		for name, list := range map[string]func() ([]db.Event, error){
			"under a reference": func() ([]db.Event, error) {
				return queries.ListEventsOfReference(t.Context(), "told", "order-7", "told", "order-7")
			},
			"of a payment": func() ([]db.Event, error) { return queries.ListEventsOfPayment(t.Context(), "told", "payment-7") },
		} {
			exec("FLUSH STATUS")
			events, err := list()
			if err != nil || len(events) != 2 || events[0].EventID != "event-7" || events[1].EventID != "refund" {
				t.Fatalf("%s: %+v, %v", name, events, err)
			}
			if read := rowsRead(t, conn); read > 20 {
				t.Errorf("%s, after %s: %d rows were read for 2 events among 900", name, counts, read)
			}
		}
	}
}

// rowsRead is how many rows the server has read for this connection, one after another.
func rowsRead(t *testing.T, conn *sql.Conn) (sum int) {
	t.Helper()
	for _, kind := range []string{"Handler_read_next", "Handler_read_rnd_next"} {
		var name string
		var n int
		if err := conn.QueryRowContext(t.Context(), "SHOW SESSION STATUS LIKE '"+kind+"'").Scan(&name, &n); err != nil {
			t.Fatal(err)
		}
		sum += n
	}
	return sum
}

func TestOnlyWhatWasParkedIsLeftOutOfWhatWasTold(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]bool{
		"Shop|PSP1|CAPTURE|true": false, "Shop#1|PSP1|CAPTURE|true": false, "#": false, "evt#0123456789abcde": false, "evt#0123456789ABCDEF": false,
		"evt#0123456789abcdef": true, "Shop#1|PSP1|CAPTURE|true#0123456789abcdef": true,
	} {
		if store.IsParked(id) != want {
			t.Errorf("%q is parked: %v", id, !want)
		}
	}
	e := store.Received{Event: payment.Event{ID: "Shop#1|PSP1|CAPTURE|true"}}
	if p := e.Parked(); !store.IsParked(p.ID) {
		t.Errorf("%q doesn't look parked", p.ID)
	}
}
