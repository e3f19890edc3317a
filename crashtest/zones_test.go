package crashtest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // the process in New York needs the zone wherever it runs

	"onceshop/payment"
	"onceshop/shoptest"
	"onceshop/store"
	"onceshop/testdb"
)

// What a process of TestASaleIsTheSameInEveryZone is told.
const (
	zoneDatabase = "CRASHTEST_ZONE_DATABASE" // where to sell
	zoneRows     = "CRASHTEST_ZONE_ROWS"     // the file that takes the rows
	newYork      = "America/New_York"
)

func TestASaleIsTheSameInEveryZone(t *testing.T) {
	t.Parallel()
	want := sellInUTC(t, testdb.New(t))
	server := newPrivateServer(t)
	for i, zone := range []string{"+09:00", "-05:00"} {
		// Not in parallel: it is one server, started again in another zone.
		server.start("--default-time-zone=" + zone)
		dsn := server.migrated([]string{"east", "west"}[i])
		rows := filepath.Join(t.TempDir(), "rows")
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestASaleKeepsItsTimesInUTC$", "-test.count=1")
		cmd.Env = append(os.Environ(), "TZ="+newYork, zoneDatabase+"="+dsn, zoneRows+"="+rows)
		if output, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("server at %s, process in %s: %v\n%s", zone, newYork, err, output)
		}
		server.stop()
		got, err := os.ReadFile(rows)
		if err != nil {
			t.Fatal(err)
		}
		same(t, want, strings.Split(string(got), "\n"))
	}
}

// TestASaleKeepsItsTimesInUTC is also the other process's test: there the server
// and the process are in zones of their own.
func TestASaleKeepsItsTimesInUTC(t *testing.T) {
	t.Parallel()
	dsn := os.Getenv(zoneDatabase)
	if dsn == "" {
		dsn = testdb.New(t)
	} else if _, offset := time.Date(2026, 1, 1, 0, 0, 0, 0, time.Local).Zone(); offset != -5*60*60 {
		t.Fatalf("this process is %d s east of Greenwich, not in %s", offset, newYork)
	}
	rows := sellInUTC(t, dsn)
	if file := os.Getenv(zoneRows); file != "" {
		if err := os.WriteFile(file, []byte(strings.Join(rows, "\n")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// sellInUTC sells, delivers and refunds, and demands that all times are those of
// now, in UTC. It returns the rows.
func sellInUTC(t *testing.T, dsn string) []string {
	t.Helper()
	s := newStory(t, dsn)
	s.buy()
	near(t, "expires_at", s.Order(s.order.ID).ExpiresAt, time.Now().Add(s.Shop.Shop.Lifetime))

	// The platform writes times in a zone of its own.
	validUntil := time.Date(2099, 12, 31, 15, 0, 0, 0, time.UTC)
	risk := map[string]any{
		"serviceStatus": "enabled", "chainEnforcement": "allowed",
		"assessedAt": "2026-01-01T09:00:00+09:00", "validUntil": "2100-01-01T00:00:00+09:00",
	}
	s.stored(s.report(paidID, "payment.paid", paid.With(func(o *shoptest.Order) { o.MerchantRisk = risk })))

	// What is stored is due at once, whatever anybody's clock shows: no waiting here.
	l := claimOne(t, s.DB.Pool(), "shop_events", "zones")
	e := s.Event(paidID)
	near(t, "lease_until", *e.LeaseUntil, time.Now().Add(30*time.Second))
	near(t, "received_at", e.ReceivedAt, time.Now())
	if err := queueOf(s.DB.Pool(), "shop_events", "zones").Release(t.Context(), l); err != nil {
		t.Fatal(err)
	}
	s.Settle()

	o := s.Order(s.order.ID)
	if o.PaymentStatus != payment.Paid || o.FulfillmentStatus != store.DeliveryDone {
		t.Fatalf("order is %s, %s", o.PaymentStatus, o.FulfillmentStatus)
	}
	near(t, "placed_at", o.PlacedAt, time.Now())
	near(t, "paid_at", *o.PaidAt, time.Now())
	near(t, "delivered_at", *o.DeliveredAt, time.Now())
	if !o.RiskValidUntil.Equal(validUntil) || o.RiskValidUntil.Location() != time.UTC {
		t.Errorf("risk valid until %v, want %v in UTC", o.RiskValidUntil, validUntil)
	}
	s.stored(s.report(refundID, "refund.completed", refunded.With(func(o *shoptest.Order) { o.MerchantRisk = risk })))
	s.Settle()
	near(t, "revoked_at", *s.Licenses(o.ID)[0].RevokedAt, time.Now())
	return dump(t, s.DB.Pool())
}

// near demands a time in UTC at most a minute off.
func near(t testing.TB, what string, got, want time.Time) {
	t.Helper()
	if d := got.Sub(want); d < -time.Minute || d > time.Minute || got.Location() != time.UTC {
		t.Errorf("%s is %v, want about %v", what, got, want.UTC())
	}
}
