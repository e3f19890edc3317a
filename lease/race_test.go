package lease

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"

	"onceshop/database"
)

// workOff claims and finishes until all n rows are done. Each row leaves an
// effect whose unique key would betray a second one.
func (f fixture) workOff(ctx context.Context, n int) error {
	for {
		won, err := f.Claim(ctx, 3)
		if err != nil {
			return fmt.Errorf("claim: %w", err)
		}
		for _, l := range won {
			err := database.InTx(ctx, f.DB, func(tx *sql.Tx) error {
				if _, err := tx.ExecContext(ctx, "INSERT INTO effects VALUES (?)", l.Seq); err != nil {
					return err
				}
				return f.FinishTx(ctx, tx, l)
			})
			if err != nil {
				return fmt.Errorf("row %d: %w", l.Seq, err)
			}
		}
		if len(won) > 0 {
			continue
		}
		var done int
		if err := f.DB.QueryRowContext(ctx, "SELECT COUNT(*) FROM jobs WHERE status = 'done'").Scan(&done); err != nil {
			return err
		}
		if done == n {
			return nil
		}
	}
}

func TestEightWorkersDoEachOfAHundredRowsOnce(t *testing.T) {
	t.Parallel()
	for _, without := range []bool{false, true} {
		t.Run(fmt.Sprintf("NoSkipLocked=%t", without), func(t *testing.T) {
			t.Parallel()
			f := setup(t)
			f.NoSkipLocked = without
			f.add(100)
			errs := make([]error, 8)
			var workers sync.WaitGroup
			for i := range errs {
				workers.Go(func() { errs[i] = f.workOff(t.Context(), 100) })
			}
			workers.Wait()
			f.must(errors.Join(errs...))
			if n := f.count("jobs WHERE status = 'done' AND lease_version = 1 AND attempts = 1"); n != 100 {
				t.Errorf("%d rows done at the first claim, want 100", n)
			}
		})
	}
}

func TestTwentyClaimsAtOnceHaveOneWinner(t *testing.T) {
	t.Parallel()
	for _, without := range []bool{false, true} {
		t.Run(fmt.Sprintf("NoSkipLocked=%t", without), func(t *testing.T) {
			t.Parallel()
			f := setup(t)
			f.NoSkipLocked = without
			f.add(1)
			for round := range 5 {
				start := make(chan struct{})
				won := make([][]Lease, 20)
				errs := make([]error, len(won))
				var claims sync.WaitGroup
				for i := range won {
					claims.Go(func() {
						<-start
						won[i], errs[i] = f.Claim(t.Context(), 5)
					})
				}
				close(start)
				claims.Wait()
				f.must(errors.Join(errs...))
				winners := 0
				for _, w := range won {
					winners += len(w)
				}
				if winners != 1 {
					t.Fatalf("round %d: %d winners", round, winners)
				}
				f.expire() // later rounds race for an expired lease
			}
		})
	}
}

// Where locks are only checked at commit, or not kept at all, two claims find
// the same row. Its version lets one of them have it, its token tells which.
func TestClaimsThatFindTheSameRowWithoutLocksHaveOneWinner(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.add(1)
	found := []Lease{{Seq: 1, Version: 0}}
	attempt := func(why condition) []Lease {
		c := claim{Queue: f.Queue, token: f.token(), fresh: found}
		f.must(database.InTx(t.Context(), f.DB, func(tx *sql.Tx) error {
			return errors.Join(c.take(t.Context(), tx, why, c.fresh), c.readBack(t.Context(), tx))
		}))
		return c.won
	}
	if first, second := attempt(due), attempt(due); len(first) != 1 || len(second) != 0 {
		t.Errorf("due: first won %v, second %v", first, second)
	}
	f.expire()
	if late := attempt(expired); len(late) != 0 {
		t.Errorf("a claim that saw an older version won %v", late)
	}
	found[0].Version = 1
	if first, second := attempt(expired), attempt(expired); len(first) != 1 || len(second) != 0 {
		t.Errorf("expired: first won %v, second %v", first, second)
	}
	f.is(1, "leased attempts=2 version=2")

	f.exec("UPDATE jobs SET status = 'cancelled', lease_until = NULL, lease_owner = NULL")
	found[0].Version = 2
	if late := append(attempt(due), attempt(expired)...); len(late) != 0 {
		t.Errorf("won %v, which was cancelled meanwhile", late)
	}
}

func TestClaimDoesNotWaitForARowThatIsBeingWritten(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.add(2)
	ctx := t.Context()
	f.claim(1)
	f.expire()
	f.must(database.InTx(ctx, f.DB, func(busy *sql.Tx) error {
		// The worker of row 1 is late, but finishing.
		if err := f.FinishTx(ctx, busy, Lease{Seq: 1, Version: 1}); err != nil {
			return err
		}
		if l := f.claim(1)[0]; l.Seq != 2 {
			t.Errorf("claimed row %d, want 2", l.Seq)
		}
		return nil
	}))
	f.is(1, "done attempts=1 version=1")
}

// A reader with a "last seq" cursor would have passed the lower row for ever.
func TestRowThatCommitsLateIsNotPassedOver(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	f.must(database.InTx(ctx, f.DB, func(slow *sql.Tx) error {
		if _, err := slow.ExecContext(ctx, "INSERT INTO jobs () VALUES ()"); err != nil {
			return err
		}
		f.add(1) // commits first, with the higher seq
		l := f.claim(1)[0]
		if l.Seq != 2 {
			t.Fatalf("claimed row %d, want 2", l.Seq)
		}
		return f.Finish(ctx, l)
	}))
	f.must(f.Finish(ctx, f.claim(1)[0]))
	f.is(1, "done attempts=1 version=1")
	f.is(2, "done attempts=1 version=1")
}

// In the bubble of synctest the clock stands in the year 2000: a worker that is
// decades behind must neither find everything expired nor nothing due.
func TestWorkersWithDifferentClocksDoTheSame(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.add(100)
	f.exec("INSERT INTO jobs (next_attempt_at) VALUES (NOW(6) + INTERVAL 5 MINUTE)")
	f.exec("INSERT INTO jobs (status, lease_until, lease_version) VALUES ('leased', NOW(6) + INTERVAL 5 MINUTE, 1)")
	var onTime error
	var worker sync.WaitGroup
	worker.Go(func() { onTime = f.workOff(t.Context(), 100) })
	synctest.Test(t, func(t *testing.T) {
		late := fixture{&Queue{DB: openDB(t, f.dsn), Table: f.Table, Log: f.Log}, t, f.dsn}
		late.must(late.workOff(t.Context(), 100))
	})
	worker.Wait()
	f.must(onTime)
	if n := f.count("jobs WHERE status = 'done' AND lease_version = 1"); n != 100 {
		t.Errorf("%d rows done at the first claim, want 100", n)
	}
	f.is(101, "pending attempts=0 version=0")
	f.is(102, "leased attempts=0 version=1")
}
