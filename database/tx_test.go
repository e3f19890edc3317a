package database_test

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/go-sql-driver/mysql"

	"onceshop/database"
)

func TestLoserOfADeadlockRunsAgain(t *testing.T) {
	t.Parallel()
	db := accounts(t)
	var bothHoldOne sync.WaitGroup
	bothHoldOne.Add(2)
	var runs atomic.Int32

	// Each takes its first row, waits until the other has its own, and then
	// wants the other's: a deadlock, whatever the timing.
	transfer := func(from, to int) error {
		first := true
		return database.InTx(t.Context(), db, func(tx *sql.Tx) error {
			runs.Add(1)
			if _, err := tx.ExecContext(t.Context(), "UPDATE accounts SET amount = amount - 1 WHERE id = ?", from); err != nil {
				return err
			}
			if first {
				first = false
				bothHoldOne.Done()
				bothHoldOne.Wait()
			}
			_, err := tx.ExecContext(t.Context(), "UPDATE accounts SET amount = amount + 1 WHERE id = ?", to)
			return err
		})
	}
	var results sync.WaitGroup
	for _, way := range [][2]int{{1, 2}, {2, 1}} {
		results.Go(func() {
			if err := transfer(way[0], way[1]); err != nil {
				t.Error(err)
			}
		})
	}
	results.Wait()
	if runs.Load() < 3 {
		t.Errorf("%d runs: there was no deadlock to lose", runs.Load())
	}
	for _, id := range []int{1, 2} {
		if got := value[int](t, db, "SELECT amount FROM accounts WHERE id = ?", id); got != 100 {
			t.Errorf("account %d holds %d, want 100", id, got)
		}
	}
}

func TestTransactionThatAlwaysLosesGivesUp(t *testing.T) {
	t.Parallel()
	db := accounts(t)
	for _, number := range []uint16{1205, 1213, 3101} {
		runs := 0
		lost := &mysql.MySQLError{Number: number, Message: "lost"}
		err := database.InTx(t.Context(), db, func(*sql.Tx) error {
			runs++
			return lost
		})
		if !errors.Is(err, lost) || runs != 4 {
			t.Errorf("error %d: %d runs, %v; want 4 and the error itself", number, runs, err)
		}
	}
}

func TestOtherErrorsAreNotTriedAgain(t *testing.T) {
	t.Parallel()
	db := accounts(t)
	runs := 0
	mine := errors.New("mine")
	err := database.InTx(t.Context(), db, func(tx *sql.Tx) error {
		runs++
		if _, err := tx.ExecContext(t.Context(), "DELETE FROM accounts"); err != nil {
			return err
		}
		return mine
	})
	if !errors.Is(err, mine) || runs != 1 {
		t.Errorf("%d runs, error %v; want 1 and our own", runs, err)
	}
	if got := value[int](t, db, "SELECT COUNT(*) FROM accounts"); got != 2 {
		t.Errorf("%d rows are left of 2: not rolled back", got)
	}
}

func TestCommitsOwnErrorComesBackOnceAndUnrepeated(t *testing.T) {
	t.Parallel()
	db := accounts(t)
	runs := 0
	err := database.InTx(t.Context(), db, func(tx *sql.Tx) error {
		runs++
		if _, err := tx.ExecContext(t.Context(), "UPDATE accounts SET amount = 0"); err != nil {
			return err
		}
		var session uint64
		if err := tx.QueryRowContext(t.Context(), "SELECT CONNECTION_ID()").Scan(&session); err != nil {
			return err
		}
		_, err := db.ExecContext(t.Context(), "KILL ?", session)
		return err
	})
	if err == nil {
		t.Fatal("a commit on a killed connection reported success")
	}
	if !database.IsUnavailable(err) || database.IsRetryable(err) {
		t.Errorf("commit's error %v: unavailable %v, retryable %v; want true, false", err, database.IsUnavailable(err), database.IsRetryable(err))
	}
	if runs != 1 {
		t.Errorf("%d runs: a commit with an unknown end must not be repeated", runs)
	}
	if got := value[int](t, db, "SELECT SUM(amount) FROM accounts"); got != 200 {
		t.Errorf("accounts hold %d, want 200", got)
	}
}

func TestPanicRollsBackAndGoesOn(t *testing.T) {
	t.Parallel()
	db := accounts(t)
	db.SetMaxOpenConns(1) // a connection that isn't given back blocks the next query
	func() {
		defer func() {
			if got := recover(); got != "oh" {
				t.Errorf("recovered %v, want the panic itself", got)
			}
		}()
		_ = database.InTx(t.Context(), db, func(tx *sql.Tx) error {
			if _, err := tx.ExecContext(t.Context(), "DELETE FROM accounts"); err != nil {
				t.Error(err)
			}
			panic("oh")
		})
	}()
	if got := value[int](t, db, "SELECT COUNT(*) FROM accounts"); got != 2 {
		t.Errorf("%d rows are left of 2: not rolled back", got)
	}
}

func TestCancelledTransactionChangesNothing(t *testing.T) {
	t.Parallel()
	for name, rest := range map[string]func(tx *sql.Tx) error{
		"at the commit": func(*sql.Tx) error { return nil },
		// The rollback takes place beside fn: wait for it.
		"when it is rolled back already": func(tx *sql.Tx) error {
			untilRolledBack(t, tx)
			return nil
		},
		"at a statement after the rollback": func(tx *sql.Tx) error { return untilRolledBack(t, tx) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := accounts(t)
			ctx, cancel := context.WithCancel(t.Context())
			err := database.InTx(ctx, db, func(tx *sql.Tx) error {
				if _, err := tx.ExecContext(ctx, "DELETE FROM accounts"); err != nil {
					return err
				}
				cancel()
				return rest(tx)
			})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("error %v, want cancelled", err)
			}
			if got := value[int](t, db, "SELECT COUNT(*) FROM accounts"); got != 2 {
				t.Errorf("%d rows are left of 2", got)
			}
		})
	}
}

// untilRolledBack returns the error of a statement that came after the rollback.
func untilRolledBack(t *testing.T, tx *sql.Tx) error {
	t.Helper()
	for {
		if _, err := tx.ExecContext(t.Context(), "DO 0"); err != nil {
			return err
		}
	}
}

// A second read sees the winner of a race: read committed, not repeatable read.
func TestTransactionSeesWhatOthersCommitMeanwhile(t *testing.T) {
	t.Parallel()
	db := accounts(t)
	err := database.InTx(t.Context(), db, func(tx *sql.Tx) error {
		var before, after int
		const query = "SELECT amount FROM accounts WHERE id = 1"
		if err := tx.QueryRowContext(t.Context(), query).Scan(&before); err != nil {
			return err
		}
		exec(t, db, "UPDATE accounts SET amount = 55 WHERE id = 1")
		if err := tx.QueryRowContext(t.Context(), query).Scan(&after); err != nil {
			return err
		}
		if before != 100 || after != 55 {
			t.Errorf("read %d, then %d; want 100, then 55", before, after)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
