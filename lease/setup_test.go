package lease

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"go.uber.org/goleak"

	"onceshop/database"
	"onceshop/testdb"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		// The test server and the pool to it live as long as the test process.
		goleak.IgnoreAnyFunction("onceshop/testdb.join.func1"),
		goleak.IgnoreTopFunction("database/sql.(*DB).connectionOpener"),
		goleak.IgnoreAnyFunction("github.com/go-sql-driver/mysql.(*mysqlConn).startWatcher.func1"),
	)
}

// table is the smallest one a Queue works on, with the column kind; effects
// is what the work on a row leaves behind, once.
const (
	table = `CREATE TABLE jobs (
    seq             BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    kind            VARCHAR(32) NOT NULL DEFAULT 'plain',
    status          VARCHAR(16) NOT NULL DEFAULT 'pending',
    attempts        INT UNSIGNED NOT NULL DEFAULT 0,
    next_attempt_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
    lease_owner     VARCHAR(64) CHARACTER SET ascii NULL,
    lease_until     DATETIME(6) NULL,
    lease_version   BIGINT UNSIGNED NOT NULL DEFAULT 0,
    last_error      VARCHAR(500) NULL,
    KEY due (status, next_attempt_at),
    KEY leased (status, lease_until),
    CHECK ((status = 'leased') = (lease_until IS NOT NULL))
)`
	effects = `CREATE TABLE effects (seq BIGINT UNSIGNED NOT NULL PRIMARY KEY)`
)

// fixture is a queue over a table of its own.
type fixture struct {
	*Queue
	t   testing.TB
	dsn string
}

func setup(t testing.TB) fixture {
	t.Helper()
	dsn := testdb.Empty(t)
	f := fixture{&Queue{DB: openDB(t, dsn), Table: "jobs", Log: slog.New(slog.DiscardHandler)}, t, dsn}
	f.exec(table)
	f.exec(effects)
	return f
}

func openDB(t testing.TB, dsn string) *sql.DB {
	t.Helper()
	db, err := database.Open(context.Background(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func (f fixture) exec(query string, args ...any) sql.Result {
	f.t.Helper()
	res, err := f.DB.ExecContext(context.Background(), query, args...)
	if err != nil {
		f.t.Fatalf("%s: %v", query, err)
	}
	return res
}

// add inserts n pending rows that are due.
func (f fixture) add(n int) {
	f.t.Helper()
	for range n {
		f.exec("INSERT INTO jobs () VALUES ()")
	}
}

// claim expects to win exactly n leases.
func (f fixture) claim(n int) []Lease {
	f.t.Helper()
	won, err := f.Claim(f.t.Context(), n)
	if err != nil {
		f.t.Fatal(err)
	}
	if len(won) != n {
		f.t.Fatalf("claimed %d rows, want %d", len(won), n)
	}
	return won
}

// idle expects that nothing can be claimed.
func (f fixture) idle() {
	f.t.Helper()
	won, err := f.Claim(f.t.Context(), 100)
	if err != nil || len(won) != 0 {
		f.t.Fatalf("claimed %v, %v; want nothing", won, err)
	}
}

// expire lets the time of every lease run out, in the database.
func (f fixture) expire() {
	f.t.Helper()
	f.exec("UPDATE jobs SET lease_until = NOW(6) - INTERVAL 1 SECOND WHERE status = 'leased'")
}

// postpone is PostponeTx in a transaction of its own.
func (f fixture) postpone(l Lease, d time.Duration, why string) error {
	ctx := context.Background()
	return database.InTx(ctx, f.DB, func(tx *sql.Tx) error { return f.PostponeTx(ctx, tx, l, d, why) })
}

// revive does what the owner of a table does to a dead row for a person.
func (f fixture) revive(seq uint64) {
	f.t.Helper()
	f.exec("UPDATE jobs SET status = 'pending', attempts = 0, next_attempt_at = NOW(6) WHERE seq = ? AND status = 'dead'", seq)
}

// row is what the database says about one row.
type row struct {
	Status   string
	Attempts int
	Version  uint64
	Reason   string        // last_error
	Wait     time.Duration // until next_attempt_at, by the database's clock
	Left     time.Duration // of the lease, likewise
	Owner    string
}

func (f fixture) row(seq uint64) row {
	f.t.Helper()
	var r row
	var wait, left int64
	err := f.DB.QueryRowContext(context.Background(), `SELECT status, attempts, lease_version,
		COALESCE(last_error, ''), TIMESTAMPDIFF(MICROSECOND, NOW(6), next_attempt_at),
		COALESCE(TIMESTAMPDIFF(MICROSECOND, NOW(6), lease_until), 0), COALESCE(lease_owner, '')
		FROM jobs WHERE seq = ?`, seq).
		Scan(&r.Status, &r.Attempts, &r.Version, &r.Reason, &wait, &left, &r.Owner)
	if err != nil {
		f.t.Fatal(err)
	}
	r.Wait, r.Left = time.Duration(wait)*time.Microsecond, time.Duration(left)*time.Microsecond
	return r
}

// is compares what matters of a row in one line: "pending attempts=1 version=2".
func (f fixture) is(seq uint64, want string) {
	f.t.Helper()
	r := f.row(seq)
	got := fmt.Sprintf("%s attempts=%d version=%d", r.Status, r.Attempts, r.Version)
	if got != want {
		f.t.Errorf("row %d: %s, want %s", seq, got, want)
	}
}

func (f fixture) count(where string) int {
	f.t.Helper()
	var n int
	if err := f.DB.QueryRowContext(context.Background(), "SELECT COUNT(*) FROM "+where).Scan(&n); err != nil {
		f.t.Fatal(err)
	}
	return n
}

func (f fixture) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}
