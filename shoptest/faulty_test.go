package shoptest_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/go-sql-driver/mysql"

	"onceshop/database"
	"onceshop/shoptest"
	"onceshop/testdb"
)

// twoRows inserts two rows in one transaction: begin, insert, insert, commit.
func twoRows(ctx context.Context, db *sql.DB) error {
	return database.InTx(ctx, db, func(tx *sql.Tx) error {
		for range 2 {
			if _, err := tx.ExecContext(ctx, "INSERT INTO kept (text) VALUES (?)", json.RawMessage(`{"a": 1}`)); err != nil {
				return err
			}
		}
		return nil
	})
}

func faulty(t *testing.T) (*shoptest.Faulty, *sql.DB, func() int) {
	t.Helper()
	f := shoptest.NewFaulty(t, testdb.Empty(t))
	db := f.Open(t)
	if _, err := db.ExecContext(t.Context(), "CREATE TABLE kept (text JSON)"); err != nil {
		t.Fatal(err)
	}
	return f, db, func() (n int) {
		t.Helper()
		if err := db.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM kept").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
}

func TestAFaultHappensAtItsRoundTripAndOnce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		fault shoptest.Fault
		rows  int  // that are there afterwards
		fails bool // without a second attempt of InTx
	}{
		{shoptest.Fault{}, 2, false},
		{shoptest.Fault{At: 1, How: shoptest.NotSent}, 0, true},
		{shoptest.Fault{At: 2, How: shoptest.NotSent}, 0, true},
		{shoptest.Fault{At: 3, How: shoptest.AnswerLost}, 0, true},
		{shoptest.Fault{At: 4, How: shoptest.NotSent}, 0, true},
		{shoptest.Fault{At: 4, How: shoptest.AnswerLost}, 2, true}, // committed, and nobody knows
		{shoptest.Fault{At: 3, How: shoptest.Deadlock}, 2, false},
		{shoptest.Fault{At: 4, How: shoptest.Deadlock}, 2, false},
		{shoptest.Fault{At: 2, How: shoptest.Refused, Number: 1021}, 0, true},
		{shoptest.Fault{At: 5, How: shoptest.NotSent}, 2, false}, // never reached
	} {
		t.Run(fmt.Sprintf("%d %s", c.fault.At, c.fault.How), func(t *testing.T) {
			t.Parallel()
			f, db, rows := faulty(t)
			f.Arm(c.fault)
			if err := twoRows(t.Context(), db); (err != nil) != c.fails {
				t.Errorf("error %v, want one: %v", err, c.fails)
			}
			f.Mend()
			if n := rows(); n != c.rows {
				t.Errorf("%d rows, want %d", n, c.rows)
			}
			if err := twoRows(t.Context(), db); err != nil {
				t.Errorf("after the fault: %v", err)
			}
		})
	}
}

func TestWhatIsDownStaysDownUntilItIsMended(t *testing.T) {
	t.Parallel()
	f, db, rows := faulty(t)
	f.Arm(shoptest.Fault{At: 2, How: shoptest.AnswerLost, Down: true})
	for range 3 {
		if err := twoRows(t.Context(), db); !database.IsUnavailable(err) {
			t.Errorf("error %v, want one of an unavailable database", err)
		}
	}
	if err := db.PingContext(t.Context()); err == nil {
		t.Error("ping works")
	}
	f.Mend()
	if n := rows(); n != 0 {
		t.Errorf("%d rows", n)
	}
}

func TestRoundTripsAreCountedAndSeen(t *testing.T) {
	t.Parallel()
	f, db, _ := faulty(t)
	var seen []string
	f.Watch(func(s shoptest.Statement) { seen = append(seen, s.Text) })
	f.Arm(shoptest.Fault{})
	if err := twoRows(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	f.Watch(nil)
	trips := f.Mend()
	if len(trips) != 4 || trips[0] != "begin" || trips[3] != "commit" || fmt.Sprint(seen) != fmt.Sprint(trips) {
		t.Errorf("counted %q, seen %q", trips, seen)
	}
}

func TestALostAnswerIsNotQuietlyAskedForAgain(t *testing.T) {
	t.Parallel()
	f, db, rows := faulty(t)
	f.Arm(shoptest.Fault{At: 1, How: shoptest.AnswerLost})
	_, err := db.ExecContext(t.Context(), "INSERT INTO kept (text) VALUES ('{}')")
	if !errors.Is(err, mysql.ErrInvalidConn) {
		t.Errorf("error %v", err)
	}
	f.Mend()
	if n := rows(); n != 1 {
		t.Errorf("%d rows, want 1", n)
	}
}
