package lease

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
	"sync"
	"time"
)

// settleTime is how long Run may take to write down how the work ended, even
// when it was told to stop: a row given back is a row that needn't expire.
const settleTime = 5 * time.Second

// errNotBegun marks what kept Run from calling fn: no failure of the work.
var errNotBegun = errors.New("not begun")

// Run does one unit of work that holds these leases, and settles them if fn
// couldn't. fn that returns nil has settled them itself, most often with
// FinishTx among its own writes. Otherwise:
//
//   - an error counts as a failure of each lease: Retry;
//   - a panic is recovered and counts as one failure; its stack is logged, its
//     value isn't, for it may hold what was being worked on;
//   - ErrLost needs nothing: the row is another worker's, or expires;
//   - an error after ctx was cancelled, or before fn was called at all, gives the
//     rows back, uncounted.
//
// Leases that fn had settled before it failed keep that: the fence refuses the
// second settlement. While fn runs, its leases are extended at every third of
// their length; when one turns out lost, or none could be extended for a whole
// length, fn's context is cancelled with the cause ErrLost.
func (q *Queue) Run(ctx context.Context, leases []Lease, fn func(ctx context.Context) error) {
	err := q.work(ctx, leases, fn)
	if err == nil || errors.Is(err, ErrLost) {
		return
	}
	giveBack := blameless(ctx, err)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer cancel()
	for _, l := range leases {
		q.settle(ctx, l, err, giveBack)
	}
}

// blameless reports whether err came from outside the work: it was stopped, or
// never began. A deadline isn't a stop: work that always takes too long must
// use up its attempts like any other failure.
func blameless(ctx context.Context, err error) bool {
	var panicked panicError
	if IsPermanent(err) || errors.As(err, &panicked) {
		return false
	}
	return errors.Is(err, errNotBegun) || errors.Is(ctx.Err(), context.Canceled)
}

// settle gives one row back or counts its failure, and says so in the log.
func (q *Queue) settle(ctx context.Context, l Lease, cause error, giveBack bool) {
	log := q.about(l).With("attempts", l.Attempts)
	var err error
	if giveBack {
		err = q.Release(ctx, l)
	} else {
		err = q.Retry(ctx, l, cause)
	}
	switch {
	case errors.Is(err, ErrLost): // settled by fn, or not ours any more
	case err != nil:
		log.Error("outcome not written, the lease will expire", "error", err)
	case giveBack:
		log.Info("given back unfinished")
	case q.final(l, cause):
		log.Error("dead: reason in last_error")
	default:
		log.Warn("attempt failed: reason in last_error")
	}
}

// work runs fn beside the goroutine that keeps its leases alive, and returns
// when both have ended.
func (q *Queue) work(ctx context.Context, leases []Lease, fn func(ctx context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	for _, l := range leases {
		if time.Since(l.claimed) < q.beat() {
			continue
		}
		// It has been waiting for its turn: make sure of it before anything happens.
		if err := q.renew(ctx, []Lease{l}); err != nil {
			return fmt.Errorf("%w: %w", errNotBegun, err)
		}
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%w: %w", errNotBegun, err)
	}

	keeping, stop := context.WithCancel(ctx)
	defer stop()
	var keeper sync.WaitGroup
	keeper.Go(func() { q.keep(keeping, leases, cancel) })
	err := guard(ctx, q.about(leases...), fn)
	stop()
	keeper.Wait()
	if err != nil && context.Cause(ctx) == ErrLost {
		return ErrLost // whatever fn made of its cancelled context
	}
	return err
}

// beat is a third of the lease: two extensions may fail before it expires.
func (q *Queue) beat() time.Duration { return q.length() / 3 }

// keep extends the leases at every beat until ctx ends or one of them is lost.
// The local clock only decides to stop sooner: after a whole length without an
// answer from the database the lease may be anyone's.
func (q *Queue) keep(ctx context.Context, leases []Lease, cancel context.CancelCauseFunc) {
	beat := time.NewTicker(q.beat())
	defer beat.Stop()
	renewed := time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-beat.C:
		}
		start := time.Now()
		err := q.renew(ctx, leases)
		switch {
		case ctx.Err() != nil:
			return
		case err == nil:
			renewed = start
		case errors.Is(err, ErrLost) || time.Since(renewed) >= q.length():
			q.about(leases...).Warn("lease lost while working")
			cancel(ErrLost)
			return
		default:
			q.about(leases...).Warn("lease not extended, trying again", "error", err)
		}
	}
}

// renew extends each lease. One that its holder has settled meanwhile isn't
// lost: its row has left the state leased but keeps the holder's version, since
// only a change of hands raises that.
func (q *Queue) renew(ctx context.Context, leases []Lease) error {
	ctx, cancel := context.WithTimeout(ctx, q.beat())
	defer cancel()
	for _, l := range leases {
		err := q.Extend(ctx, l)
		if errors.Is(err, ErrLost) {
			err = q.unlessSettled(ctx, l)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (q *Queue) unlessSettled(ctx context.Context, l Lease) error {
	var version uint64
	err := q.DB.QueryRowContext(ctx, "SELECT lease_version FROM "+q.Table+" WHERE seq = ?", l.Seq).Scan(&version)
	if errors.Is(err, sql.ErrNoRows) || err == nil && version != l.Version {
		return ErrLost
	}
	return err
}

// panicError is what is left of a panic: its kind, not its contents.
type panicError struct{ kind string }

func (e panicError) Error() string { return "panic: " + e.kind }

// guard calls fn and turns a panic into an error.
func guard(ctx context.Context, log *slog.Logger, fn func(ctx context.Context) error) (err error) {
	defer func() {
		switch value := recover().(type) {
		case nil:
			return
		case runtime.Error: // the runtime's own words hold no data of ours
			err = panicError{value.Error()}
		default:
			err = panicError{fmt.Sprintf("%T", value)}
		}
		log.Error(err.Error(), "stack", string(debug.Stack()))
	}()
	return fn(ctx)
}
