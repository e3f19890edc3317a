package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// attempts is how often InTx runs a transaction before it gives up. A deadlock
// has a winner each time, so a few are enough; more would only hide a hot row.
const attempts = 4

// InTx runs fn in a transaction and commits it; it is the only way to one. It
// rolls back when fn fails or panics, and runs fn again from the start when the
// server reports a lost deadlock, lock wait or certification. The error is fn's
// or the commit's own, or the context's when that ended first. A commit whose
// answer got lost is not repeated: nobody knows whether it took place, so the
// caller's own retry must be harmless.
func InTx(ctx context.Context, db *sql.DB, fn func(tx *sql.Tx) error) error {
	return repeat(ctx, func() error { return once(ctx, db, fn) })
}

// repeat runs a transaction until it has lost no race, a few times at most.
func repeat(ctx context.Context, run func() error) error {
	for attempt := 1; ; attempt++ {
		err := run()
		if err == nil || !IsRetryable(err) || attempt == attempts {
			return err
		}
		pause := time.Duration(attempt)*10*time.Millisecond + rand.N(20*time.Millisecond)
		select {
		case <-ctx.Done():
			return errors.Join(err, ctx.Err())
		case <-time.After(pause):
		}
	}
}

func once(ctx context.Context, db *sql.DB, fn func(tx *sql.Tx) error) (err error) {
	tx, err := db.BeginTx(ctx, nil) // isolation is the session's: see Config
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	done := false
	defer func() {
		if !done { // fn failed or panicked
			_ = tx.Rollback() // the first error says more than a failed rollback
		}
	}()
	if err := fn(tx); err != nil {
		return ended(ctx, err)
	}
	done = true
	return ended(ctx, tx.Commit())
}

// ended names the cause of an error: when a context ends, database/sql rolls its
// transaction back at the same moment, and what comes next may fail with either.
func ended(ctx context.Context, err error) error {
	if errors.Is(err, sql.ErrTxDone) && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}
