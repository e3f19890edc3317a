package crashtest_test

import (
	"database/sql"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"onceshop/database"
	"onceshop/lease"
	"onceshop/sandbox"
	"onceshop/shoptest"
	"onceshop/testdb"
)

// queueCase is one of the three queues, with exactly one row in it that is due.
type queueCase struct {
	table string
	open  func(t *testing.T) *sql.DB
}

var queues = []queueCase{
	{"shop_events", func(t *testing.T) *sql.DB {
		s := shoptest.New(t)
		_, ref := s.Buy(1)
		s.Report("payment.paid", shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "paid"})
		return s.DB.Pool()
	}},
	{"shop_fulfillment_outbox", func(t *testing.T) *sql.DB {
		s := shoptest.New(t)
		_, ref := s.Buy(1)
		s.Report("payment.paid", shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "paid"})
		if n, err := s.Processor.RunOnce(t.Context()); n != 1 || err != nil {
			t.Fatalf("processed %d events: %v", n, err)
		}
		return s.DB.Pool()
	}},
	{"pay_webhook_deliveries", func(t *testing.T) *sql.DB {
		db, err := database.Open(t.Context(), testdb.NewSandbox(t))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		platform, err := sandbox.New(sandbox.Config{
			DB: db, APIKey: "key-of-the-practice-platform", PublicURL: "http://pay.test", Log: slog.New(slog.DiscardHandler),
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := platform.AddEndpoint(t.Context(), sandbox.StableIn, "http://shop.test/webhooks/stablein", shoptest.Secret); err != nil {
			t.Fatal(err)
		}
		order(t, platform)
		return db
	}},
}

func TestAWorkerThatLostItsLeaseCanFinishNothing(t *testing.T) {
	t.Parallel()
	for _, c := range queues {
		t.Run(c.table, func(t *testing.T) {
			t.Parallel()
			db := c.open(t)
			first := claimOne(t, db, c.table, "first")
			expireIn(t, db, c.table)
			second := claimOne(t, db, c.table, "second")
			if first.Seq != second.Seq || second.Version <= first.Version || second.Attempts != 2 {
				t.Fatalf("first %+v, second %+v", first, second)
			}

			q := queueOf(db, c.table, "first")
			before := rowOf(t, db, c.table, first.Seq)
			for name, settle := range map[string]func() error{
				"finish":  func() error { return q.Finish(t.Context(), first) },
				"extend":  func() error { return q.Extend(t.Context(), first) },
				"retry":   func() error { return q.Retry(t.Context(), first, errors.New("too late")) },
				"bury":    func() error { return q.Retry(t.Context(), first, lease.Permanent(errors.New("too late"))) },
				"release": func() error { return q.Release(t.Context(), first) },
				"postpone": func() error {
					return database.InTx(t.Context(), db, func(tx *sql.Tx) error { return q.PostponeTx(t.Context(), tx, first, 0, "too late") })
				},
			} {
				if err := settle(); !errors.Is(err, lease.ErrLost) {
					t.Errorf("the first one's %s: %v, want lost", name, err)
				}
			}
			if after := rowOf(t, db, c.table, first.Seq); after != before {
				t.Errorf("the row changed:\n%s\n%s", before, after)
			}
			if c.table == "shop_events" { // done needs a verdict there
				if _, err := db.ExecContext(t.Context(), "UPDATE shop_events SET verdict = 'unchanged' WHERE seq = ?", second.Seq); err != nil {
					t.Fatal(err)
				}
			}
			if err := queueOf(db, c.table, "second").Finish(t.Context(), second); err != nil {
				t.Errorf("the second one's finish: %v", err)
			}
			if err := queueOf(db, c.table, "second").Finish(t.Context(), second); !errors.Is(err, lease.ErrLost) {
				t.Errorf("finishing twice: %v, want lost", err)
			}
		})
	}
}

// order makes the platform write one event with its delivery.
func order(t *testing.T, platform *sandbox.Server) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v1/orders", strings.NewReader(
		`{"merchantOrderId":"A-1","amount":"4900","currency":"EUR","description":"A license","returnUrl":"http://shop.test/return","cancelUrl":"http://shop.test/cart"}`))
	r.Header.Set("Authorization", "Bearer key-of-the-practice-platform")
	r.Header.Set("Idempotency-Key", "one")
	w := httptest.NewRecorder()
	platform.Handler().ServeHTTP(w, r)
	if w.Code/100 != 2 {
		t.Fatalf("create: %d %s", w.Code, w.Body)
	}
}

func queueOf(db *sql.DB, table, owner string) *lease.Queue {
	return &lease.Queue{DB: db, Table: table, Owner: owner, Log: slog.New(slog.DiscardHandler)}
}

func claimOne(t testing.TB, db *sql.DB, table, owner string) lease.Lease {
	t.Helper()
	got, err := queueOf(db, table, owner).Claim(t.Context(), 5)
	if err != nil || len(got) != 1 {
		t.Fatalf("%s claimed %v from %s: %v", owner, got, table, err)
	}
	return got[0]
}

func expireIn(t testing.TB, db *sql.DB, table string) {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), "UPDATE "+table+" SET lease_until = NOW(6) - INTERVAL 1 SECOND WHERE status = 'leased'"); err != nil {
		t.Fatal(err)
	}
}

// rowOf is a queue's row as one text, everything a settlement could change.
func rowOf(t testing.TB, db *sql.DB, table string, seq uint64) (row string) {
	t.Helper()
	err := db.QueryRowContext(t.Context(), `SELECT CONCAT_WS(' ', status, attempts, next_attempt_at, COALESCE(lease_owner, '-'),
		COALESCE(lease_until, '-'), lease_version, COALESCE(last_error, '-')) FROM `+table+` WHERE seq = ?`, seq).Scan(&row)
	if err != nil {
		t.Fatal(err)
	}
	return row
}
