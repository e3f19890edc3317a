package shoptest

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"sync"
	"testing"

	"github.com/go-sql-driver/mysql"

	"onceshop/database"
)

// Faulty makes connections to a real server that break on purpose, at a round
// trip of the test's choice: what a crash, a lost network or a failing server
// looks like from here. It counts begin, exec, query, commit and rollback.
type Faulty struct {
	connector driver.Connector
	scripts   driver.Connector // takes several statements at once

	mu    sync.Mutex
	fault Fault
	down  bool
	trips []string
	watch func(Statement)
}

// Fault says which round trip fails, and how. The zero Fault is none.
type Fault struct {
	At     int    // the round trip, counted from 1 since Arm
	How    How    // what becomes of it
	Number uint16 // the server's error, of Refused
	Down   bool   // nothing works any more from then on, until Mend
}

// How a round trip fails.
type How string

// The ways to fail. The first two close the connection, upon which the server rolls
// back what wasn't committed.
const (
	NotSent    How = "not sent"    // the server never hears of the statement
	AnswerLost How = "answer lost" // the server executes it, and nobody hears of that
	Deadlock   How = "deadlock"    // the server undoes the whole transaction and says so
	Refused    How = "refused"     // the server refuses the statement with error Number
)

// Statement is one round trip that is about to be made.
type Statement struct {
	Text string // "begin", "commit", "rollback", or the SQL
	Args []driver.NamedValue
}

// NewFaulty returns connections to the database at dsn that work until Arm.
func NewFaulty(t testing.TB, dsn string) *Faulty {
	t.Helper()
	cfg, err := database.Config(dsn)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Logger = new(mysql.NopLogger) // what breaks here breaks on purpose
	connect := func() driver.Connector {
		connector, err := mysql.NewConnector(cfg)
		if err != nil {
			t.Fatal(err)
		}
		return connector
	}
	f := &Faulty{connector: connect()}
	cfg = cfg.Clone()
	cfg.MultiStatements = true
	f.scripts = connect()
	return f
}

// Open returns a pool of such connections, which is closed when the test ends.
func (f *Faulty) Open(t testing.TB) *sql.DB { return f.open(t, f) }

// OpenForScripts is Open for what the shop sends in one round trip.
func (f *Faulty) OpenForScripts(t testing.TB) *sql.DB { return f.open(t, scripted{f}) }

func (f *Faulty) open(t testing.TB, connector driver.Connector) *sql.DB {
	t.Helper()
	pool, err := database.OpenWith(t.Context(), connector)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pool.Close() })
	return pool
}

// Arm starts to count from 0, and lets fault happen once.
func (f *Faulty) Arm(fault Fault) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fault, f.trips = fault, nil
}

// Mend ends the fault and returns the round trips that were made or refused since
// Arm.
func (f *Faulty) Mend() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fault, f.down = Fault{}, false
	return f.trips
}

// Watch calls see before each round trip; it may block, and so hold a worker at a
// statement for as long as a test wants. Nil ends it.
func (f *Faulty) Watch(see func(Statement)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.watch = see
}

// Connect is the driver.Connector's.
func (f *Faulty) Connect(ctx context.Context) (driver.Conn, error) {
	return f.connect(ctx, f.connector)
}

func (f *Faulty) connect(ctx context.Context, connector driver.Connector) (driver.Conn, error) {
	if f.isDown() {
		return nil, mysql.ErrInvalidConn
	}
	c, err := connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &faultyConn{of: f, inner: c.(mysqlConn)}, nil
}

// scripted connects to where several statements may be sent at once.
type scripted struct{ *Faulty }

func (s scripted) Connect(ctx context.Context) (driver.Conn, error) { return s.connect(ctx, s.scripts) }

// Driver is the driver.Connector's.
func (f *Faulty) Driver() driver.Driver { return f.connector.Driver() }

func (f *Faulty) isDown() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.down
}

// next counts a round trip and tells how it has to fail; the zero Fault: it hasn't.
func (f *Faulty) next(s Statement) Fault {
	f.mu.Lock()
	watch := f.watch
	f.mu.Unlock()
	if watch != nil {
		watch(s)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.down {
		return Fault{How: NotSent}
	}
	f.trips = append(f.trips, s.Text)
	if len(f.trips) != f.fault.At {
		return Fault{}
	}
	f.down = f.fault.Down
	return f.fault
}
