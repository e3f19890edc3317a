package operations_test

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"onceshop/database"
	"onceshop/migrations"
	"onceshop/testdb"
)

func TestAnInstanceIsUnreadyWhileTheDatabaseIsAway(t *testing.T) {
	t.Parallel()
	b := setup(t, testdb.New(t), time.Now)
	if r := b.readyz(); !r.Ready || r.SkewSeconds == nil {
		t.Fatalf("at first: %+v", r)
	}
	b.away.Store(true)
	if r := b.readyz(); r.Ready || r.Reasons[0] != "database not reachable" {
		t.Errorf("while it is away: %+v", r)
	}
	if status, _ := b.get("/livez"); status != http.StatusOK {
		t.Errorf("livez answers %d; restarting us wouldn't bring the database back", status)
	}
	b.away.Store(false)
	if r := b.readyz(); !r.Ready {
		t.Errorf("when it is back: %+v", r)
	}
}

func TestADatabaseThatDoesNotAnswerIsGivenUpAfterTwoSeconds(t *testing.T) {
	t.Parallel()
	b := setup(t, testdb.New(t), time.Now)
	b.hanging.Store(true)
	if r := b.readyz(); r.Ready {
		t.Errorf("%+v", r)
	}
	if given := time.Duration(b.given.Load()); given > 2*time.Second {
		t.Errorf("the database was given %v", given)
	}
}

func TestAnInstanceIsUnreadyUntilItsMigrationsAreThere(t *testing.T) {
	t.Parallel()
	b := setup(t, testdb.Empty(t), time.Now)
	if r := b.readyz(); r.Ready || !strings.HasPrefix(r.Reasons[0], "database at migration 0 of ") {
		t.Errorf("before: %+v", r)
	}
	if err := database.Up(t.Context(), b.pool, migrations.FS, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	if r := b.readyz(); !r.Ready {
		t.Errorf("after: %+v", r)
	}
}

func TestAnInstanceThatStopsIsUnreadyForGood(t *testing.T) {
	t.Parallel()
	b := setup(t, testdb.New(t), time.Now)
	b.ready.Stop()
	if r := b.readyz(); r.Ready || r.Reasons[0] != "shutting down" {
		t.Errorf("%+v", r)
	}
}

func TestAClockThatIsOffIsReportedAndNoReasonToStop(t *testing.T) {
	t.Parallel()
	for off, warned := range map[time.Duration]bool{0: false, 4 * time.Second: false, 10 * time.Minute: true, -10 * time.Minute: true} {
		b := setup(t, testdb.New(t), func() time.Time { return time.Now().Add(off) })
		r := b.readyz()
		if !r.Ready || (len(r.Warnings) > 0) != warned {
			t.Errorf("clock %v off: %+v", off, r)
		}
		if got := time.Duration(*r.SkewSeconds * float64(time.Second)); (got - off).Abs() > time.Second {
			t.Errorf("clock %v off is reported as %v", off, got)
		}
	}
}

func TestWarningsAreAskedForEachReportAndNoReasonToStop(t *testing.T) {
	t.Parallel()
	text := ""
	b := setup(t, testdb.New(t), time.Now, func(time.Time) string { return text })
	if r := b.readyz(); len(r.Warnings) > 0 {
		t.Errorf("nothing is wrong: %+v", r)
	}
	text = "a secret has ended"
	if r := b.readyz(); !r.Ready || len(r.Warnings) != 1 || r.Warnings[0] != text {
		t.Errorf("%+v", r)
	}
	b.away.Store(true)
	if r := b.readyz(); r.Ready || len(r.Warnings) != 1 {
		t.Errorf("without the database: %+v", r)
	}
}
