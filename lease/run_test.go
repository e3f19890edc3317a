package lease

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"
)

func TestWorkThatFinishesItsLeaseIsLeftAlone(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.add(1)
	won := f.claim(1)
	f.Run(t.Context(), won, func(ctx context.Context) error { return f.Finish(ctx, won[0]) })
	f.is(1, "done attempts=1 version=1")
}

func TestErrorIsOneFailureOfEachLeaseNotYetFinished(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.add(3)
	won := f.claim(3)
	f.Run(t.Context(), won, func(ctx context.Context) error {
		f.must(f.Finish(ctx, won[1]))
		return errors.New("the third can't be done")
	})
	f.is(1, "pending attempts=1 version=1")
	f.is(2, "done attempts=1 version=1")
	f.is(3, "pending attempts=1 version=1")
	if r := f.row(3); r.Reason != "the third can't be done" || r.Wait < 50*time.Second {
		t.Errorf("failed row: %+v", r)
	}
}

func TestPermanentErrorOfTheWorkBuries(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.add(1)
	f.Run(t.Context(), f.claim(1), func(context.Context) error {
		return fmt.Errorf("deliver: %w", Permanent(errors.New("gone")))
	})
	f.is(1, "dead attempts=1 version=1")
}

func TestPanicIsOneFailureAndItsValueStaysPrivate(t *testing.T) {
	t.Parallel()
	f := setup(t)
	var log bytes.Buffer
	f.Log = slog.New(slog.NewTextHandler(&log, nil))
	f.add(2)
	f.Run(t.Context(), f.claim(1), func(context.Context) error { panic("license ABCD-EFGH") })
	f.is(1, "pending attempts=1 version=1")
	if r := f.row(1); r.Reason != "panic: string" {
		t.Errorf("reason %q", r.Reason)
	}
	f.Run(t.Context(), f.claim(1), func(context.Context) error {
		var none []int
		_ = none[f.row(1).Attempts]
		return nil
	})
	if r := f.row(2); r.Reason != "panic: runtime error: index out of range [1] with length 0" {
		t.Errorf("reason %q", r.Reason)
	}
	if s := log.String(); !strings.Contains(s, "run_test.go") || strings.Contains(s, "ABCD") {
		t.Errorf("want a stack and no contents in the log:\n%s", s)
	}
}

func TestStoppedWorkGivesItsLeasesBackUncounted(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.add(2)
	won := f.claim(2)
	ctx, stop := context.WithCancel(t.Context())
	f.Run(ctx, won, func(ctx context.Context) error {
		f.must(f.Finish(ctx, won[0]))
		stop()
		<-ctx.Done()
		return ctx.Err()
	})
	f.is(1, "done attempts=1 version=1")
	f.is(2, "pending attempts=0 version=1")

	won = f.claim(1)
	f.Run(ctx, won, func(context.Context) error {
		t.Error("work began after the stop")
		return nil
	})
	f.is(2, "pending attempts=0 version=2")
}

func TestPanicAndPermanentErrorCountEvenWhileStopping(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.add(2)
	for i, want := range []string{"pending attempts=1 version=1", "dead attempts=1 version=1"} {
		won := f.claim(1)
		ctx, stop := context.WithCancel(t.Context())
		f.Run(ctx, won, func(context.Context) error {
			stop()
			if i == 0 {
				panic("poison")
			}
			return Permanent(errors.New("never"))
		})
		f.is(won[0].Seq, want)
	}
}

// deadline is over when the test says so.
type deadline struct {
	context.Context
	over chan struct{}
}

func (d *deadline) Done() <-chan struct{} { return d.over }

func (d *deadline) Err() error {
	select {
	case <-d.over:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

// Otherwise work that always takes too long would be begun again for ever.
func TestDeadlineIsAFailureNotAStop(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.add(1)
	won := f.claim(1)
	deadline := &deadline{t.Context(), make(chan struct{})}
	f.Run(deadline, won, func(ctx context.Context) error {
		close(deadline.over)
		<-ctx.Done()
		return ctx.Err()
	})
	f.is(1, "pending attempts=1 version=1")
}

func TestLostWorkIsLeftToItsNewHolder(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.add(2)
	won := f.claim(2)
	f.Run(t.Context(), won, func(ctx context.Context) error {
		f.exec("UPDATE jobs SET lease_until = NOW(6) - INTERVAL 1 SECOND WHERE seq = 1")
		f.claim(1)
		return fmt.Errorf("finish: %w", f.Finish(ctx, won[0]))
	})
	f.is(1, "leased attempts=2 version=2")
	f.is(2, "leased attempts=1 version=1")
}

func TestLeaseIsExtendedWhileTheWorkRuns(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.For = 6 * time.Second
	f.add(1)
	won := f.claim(1)
	f.Run(t.Context(), won, func(ctx context.Context) error {
		deadline := f.text("SELECT lease_until FROM jobs")
		for f.text("SELECT lease_until FROM jobs") == deadline {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
		}
		return f.Finish(ctx, won[0])
	})
	f.is(1, "done attempts=1 version=1")
}

func (f fixture) text(query string) (s string) {
	f.t.Helper()
	f.must(f.DB.QueryRowContext(f.t.Context(), query).Scan(&s))
	return s
}

func TestWorkIsToldThatItsLeaseIsLost(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.For = 6 * time.Second
	f.add(2)
	won := f.claim(2)
	f.Run(t.Context(), won, func(ctx context.Context) error {
		f.exec("UPDATE jobs SET lease_version = lease_version + 1 WHERE seq = 2") // another worker has it
		<-ctx.Done()
		if context.Cause(ctx) != ErrLost {
			t.Errorf("cause %v", context.Cause(ctx))
		}
		return errors.New("interrupted")
	})
	f.is(1, "leased attempts=1 version=1") // expires, as after a crash
	f.is(2, "leased attempts=1 version=2")
}

func TestWorkThatCannotReachTheDatabaseStopsWhenItsLeaseIsOver(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.For = 6 * time.Second
	f.add(1)
	won := f.claim(1)
	f.Run(t.Context(), won, func(ctx context.Context) error {
		f.must(f.DB.Close())
		<-ctx.Done()
		if context.Cause(ctx) != ErrLost {
			t.Errorf("cause %v", context.Cause(ctx))
		}
		return ctx.Err()
	})
}

func TestLeaseThatItsHolderSettledIsNotLost(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.add(3)
	won := f.claim(3)
	f.must(f.Finish(t.Context(), won[0]))
	f.must(f.Retry(t.Context(), won[1], errors.New("later")))
	f.must(f.renew(t.Context(), won))

	f.expire()
	f.claim(1)
	f.refused(f.renew(t.Context(), won))
	f.exec("DELETE FROM jobs")
	f.refused(f.renew(t.Context(), won))
}

func TestWorkDoesNotBeginOnALeaseThatExpiredWaiting(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.add(1)
	waited := f.claim(1)
	f.expire()
	f.claim(1)
	waited[0].claimed = waited[0].claimed.Add(-f.length())
	f.Run(t.Context(), waited, func(context.Context) error {
		t.Error("work began on another worker's row")
		return nil
	})
	f.is(1, "leased attempts=2 version=2")
}

func TestWorkThatCouldNotBeginIsGivenBackUncounted(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.add(1)
	ctx, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	f.Run(ctx, f.claim(1), func(context.Context) error {
		t.Error("work began without time for it")
		return nil
	})
	f.is(1, "pending attempts=0 version=1")
}
