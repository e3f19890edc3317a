package lease

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"onceshop/database"
)

// free is what every settlement does: the row is nobody's.
const free = "lease_owner = NULL, lease_until = NULL"

// Extend sets the lease's deadline to a full length from now, or returns
// ErrLost. It never shortens a lease, and always changes the row: MySQL counts
// changed rows, and an unchanged one would look lost.
func (q *Queue) Extend(ctx context.Context, l Lease) error {
	const set = "lease_until = GREATEST(NOW(6) + INTERVAL ? MICROSECOND, lease_until + INTERVAL 1 MICROSECOND)"
	return q.alone(ctx, func(tx Execer) error {
		return q.write(ctx, tx, l, set, q.length().Microseconds())
	})
}

// Finish settles the row as done, or returns ErrLost.
func (q *Queue) Finish(ctx context.Context, l Lease) error {
	return q.alone(ctx, func(tx Execer) error { return q.FinishTx(ctx, tx, l) })
}

// FinishTx is Finish inside the transaction that holds the work's own effects,
// so that both are kept or neither. On ErrLost the transaction must roll back.
func (q *Queue) FinishTx(ctx context.Context, tx Execer, l Lease) error {
	return q.write(ctx, tx, l, "status = 'done', last_error = NULL, "+free)
}

// Retry settles a failed attempt: the row becomes due again after the wait its
// attempts ask for. If they are used up, or cause is Permanent, it is buried.
// The text of cause goes into last_error, which staff see: no secrets in it.
func (q *Queue) Retry(ctx context.Context, l Lease, cause error) error {
	return q.alone(ctx, func(tx Execer) error { return q.RetryTx(ctx, tx, l, cause) })
}

// RetryTx is Retry inside the caller's transaction. What is buried stays where it
// is, visible, until a person revives it (promise 10).
func (q *Queue) RetryTx(ctx context.Context, tx Execer, l Lease, cause error) error {
	if q.final(l, cause) {
		return q.write(ctx, tx, l, "status = 'dead', "+free+", last_error = ?", reason(cause))
	}
	return q.write(ctx, tx, l, "status = 'pending', "+free+
		", next_attempt_at = NOW(6) + INTERVAL ? MICROSECOND, last_error = ?",
		q.wait(l.Attempts).Microseconds(), reason(cause))
}

// final reports whether the failure of this attempt is the row's last.
func (q *Queue) final(l Lease, cause error) bool { return IsPermanent(cause) || q.spent(l.Attempts) }

// PostponeTx gives the row back because it has to wait for something that isn't
// its fault: it is due again in d and this attempt doesn't count. why is kept in
// last_error, for whoever asks what the row is waiting for; the transaction is the
// one that has seen it.
func (q *Queue) PostponeTx(ctx context.Context, tx Execer, l Lease, d time.Duration, why string) error {
	return q.write(ctx, tx, l, "status = 'pending', "+free+
		", attempts = attempts - 1, next_attempt_at = NOW(6) + INTERVAL ? MICROSECOND, last_error = ?",
		d.Microseconds(), reason(errors.New(why)))
}

// Release gives the row back as if it had never been claimed: due now, the
// attempt not counted. A worker that is asked to stop does this.
func (q *Queue) Release(ctx context.Context, l Lease) error {
	return q.alone(ctx, func(tx Execer) error {
		return q.write(ctx, tx, l, "status = 'pending', "+free+
			", attempts = attempts - 1, next_attempt_at = NOW(6)")
	})
}

// write is the one statement of promise 9: what a holder writes, it writes only
// while its version is the newest and the row is leased.
func (q *Queue) write(ctx context.Context, tx Execer, l Lease, set string, args ...any) error {
	res, err := tx.ExecContext(ctx, "UPDATE "+q.Table+" SET "+set+
		" WHERE seq = ? AND lease_version = ? AND status = 'leased'", append(args, l.Seq, l.Version)...)
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err == nil && n == 0 {
		return ErrLost
	}
	return err
}

// alone runs one settlement in a transaction of its own.
func (q *Queue) alone(ctx context.Context, settle func(tx Execer) error) error {
	return database.InTx(ctx, q.DB, func(tx *sql.Tx) error { return settle(tx) })
}
