package lease

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// running starts the loop; the function returned stops it and waits.
func running(t *testing.T, l *Loop) (stop func()) {
	t.Helper()
	if l.Log == nil {
		l.Log = slog.New(slog.DiscardHandler)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var run sync.WaitGroup
	run.Go(func() {
		if err := l.Run(ctx); err != nil {
			t.Errorf("loop: %v", err)
		}
	})
	return func() {
		cancel()
		run.Wait()
	}
}

func TestLoopLooksAtOnceAndThenOnceAPollWhateverItsWorkers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var looks atomic.Int32
		l := &Loop{Workers: 8, Poll: time.Minute, RunOnce: func(context.Context) (int, error) {
			looks.Add(1)
			return 0, nil
		}}
		stop := running(t, l)
		for n := range int32(5) {
			synctest.Wait()
			if got := looks.Load(); got != n+1 {
				t.Errorf("%d looks after %d polls", got, n)
			}
			<-time.After(time.Minute)
		}
		stop()
	})
}

func TestWakeNeedsNoPollAndIsNeverForgotten(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var work, looks atomic.Int32
		look := make(chan struct{})
		l := &Loop{Poll: time.Hour, RunOnce: func(context.Context) (int, error) {
			found := int(work.Swap(0))
			if looks.Add(1) == 2 {
				<-look // has looked, and is slow to say that there was nothing
			}
			return found, nil
		}}
		l.Wake() // before Run
		stop := running(t, l)
		synctest.Wait()
		l.Wake()
		synctest.Wait()
		work.Store(1)
		for range 100 {
			l.Wake() // never blocks
		}
		close(look)
		synctest.Wait()
		if work.Load() != 0 {
			t.Error("work that came during a look was left to the poll")
		}
		stop()
		l.Wake() // after Run
	})
}

func TestWorkFoundByOneWorkerWakesTheOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var left, busy atomic.Int32
		left.Store(100)
		release := make(chan struct{})
		l := &Loop{Workers: 4, Poll: time.Hour, RunOnce: func(context.Context) (int, error) {
			n := left.Add(-1)
			if n < 0 {
				return 0, nil
			}
			if n < 50 { // by now everybody should be at work
				busy.Add(1)
				<-release
			}
			return 1, nil
		}}
		stop := running(t, l)
		synctest.Wait()
		if n := busy.Load(); n != 4 {
			t.Errorf("%d of 4 workers busy", n)
		}
		close(release)
		synctest.Wait()
		if n := left.Load(); n >= 0 {
			t.Errorf("%d left", n)
		}
		stop()
	})
}

func TestStopLetsRunningWorkFinishAndBeginsNothingNew(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var begun, finished atomic.Int32
		l := &Loop{Workers: 2, RunOnce: func(ctx context.Context) (int, error) {
			if begun.Add(1) == 1 {
				return 1, nil // so that both workers get work
			}
			select {
			case <-time.After(19 * time.Second): // within the default grace
				finished.Add(1)
			case <-ctx.Done():
				t.Error("work was cancelled within its grace")
			}
			return 1, nil
		}}
		stop := running(t, l)
		synctest.Wait()
		start := time.Now()
		stop()
		if took := time.Since(start); took != 19*time.Second {
			t.Errorf("stopped after %v, want when the work was done", took)
		}
		if begun.Load() != 3 || finished.Load() != 2 {
			t.Errorf("%d begun and %d finished, want 3 and 2", begun.Load(), finished.Load())
		}
	})
}

func TestWorkLongerThanTheGraceIsCancelledAndWaitedFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ended := false
		l := &Loop{Grace: 5 * time.Second, RunOnce: func(ctx context.Context) (int, error) {
			<-ctx.Done()
			<-time.After(time.Second) // gives its lease back
			ended = true
			return 0, ctx.Err()
		}}
		stop := running(t, l)
		synctest.Wait()
		start := time.Now()
		stop()
		if took := time.Since(start); took != 6*time.Second || !ended {
			t.Errorf("stopped after %v, work ended: %t", took, ended)
		}
	})
}

func TestFailingRoundsSlowDownAndRecover(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var rounds []time.Duration
		l := &Loop{Poll: time.Hour, RunOnce: func(context.Context) (int, error) {
			rounds = append(rounds, time.Since(start))
			switch n := len(rounds); {
			case n%2 == 0 && n <= 8:
				panic("out of order")
			case n <= 8:
				return 0, errors.New("database away")
			}
			return 0, nil
		}}
		stop := running(t, l)
		<-time.After(90 * time.Second)
		for range 10 {
			l.Wake() // doesn't shorten the pause
			synctest.Wait()
		}
		<-time.After(2 * time.Minute)
		synctest.Wait()
		stop()
		var want []time.Duration
		for _, s := range []time.Duration{0, 1, 3, 7, 15, 31, 61, 91, 121} {
			want = append(want, s*time.Second)
		}
		// Whatever woke it during its pauses is one look when it has recovered.
		if want = append(want, 121*time.Second); !slices.Equal(rounds, want) {
			t.Errorf("rounds at %v, want %v", rounds, want)
		}
	})
}

func TestStopDoesNotWaitForAPause(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := &Loop{RunOnce: func(context.Context) (int, error) { return 0, errors.New("database away") }}
		stop := running(t, l)
		<-time.After(20 * time.Second)
		start := time.Now()
		stop()
		if took := time.Since(start); took != 0 {
			t.Errorf("took %v", took)
		}
	})
}

func TestLoopWithoutWorkToCallSaysSo(t *testing.T) {
	t.Parallel()
	if err := (&Loop{Name: "mail"}).Run(t.Context()); err == nil {
		t.Error("want an error")
	}
}

// The two halves together, on a database: what a stopped process leaves behind.
func TestStoppedLoopLeavesNothingLeased(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.add(6)
	started := make(chan struct{})
	l := &Loop{Workers: 2, Grace: time.Millisecond}
	l.RunOnce = func(ctx context.Context) (int, error) {
		won, err := f.Claim(ctx, 1)
		if err != nil || len(won) == 0 {
			return 0, err
		}
		l.Wake() // this may take a while: let the sibling look meanwhile
		f.Run(ctx, won, func(ctx context.Context) error {
			if won[0].Seq <= 2 {
				return f.Finish(ctx, won[0])
			}
			started <- struct{}{}
			<-ctx.Done()
			return ctx.Err()
		})
		return 1, nil
	}
	stop := running(t, l)
	<-started
	<-started
	stop()
	if n := f.count("jobs WHERE status = 'done'"); n != 2 {
		t.Errorf("%d done, want 2", n)
	}
	if n := f.count("jobs WHERE status = 'pending' AND attempts = 0 AND next_attempt_at <= NOW(6)"); n != 4 {
		t.Errorf("%d given back or untouched, want 4", n)
	}
}
