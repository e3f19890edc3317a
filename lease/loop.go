package lease

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"
)

// Loop calls RunOnce again and again, by several workers, until it is stopped.
// It paces them: at once while there is work, on Wake, at every Poll otherwise,
// and slower and slower while RunOnce fails. The zero value of each field but
// RunOnce has a default. The fields are set before the first use; a Loop must not
// be copied.
type Loop struct {
	Name string // in the log

	// RunOnce looks for work, does it, and returns how much it found. It is
	// called by all workers at once. When it has claimed more than its share it
	// may call Wake before it starts, so that a sibling looks too.
	RunOnce func(ctx context.Context) (int, error)

	Workers int           // how many RunOnce may run at once; default 1
	Poll    time.Duration // how often an idle loop looks, with one worker; default 1 s
	Grace   time.Duration // how long running work may go on after the stop; default 20 s
	Log     *slog.Logger  // default slog.Default()

	made sync.Once
	wake chan struct{}
}

// A failing RunOnce most often means that the database is away: look again
// soon, but don't stand in its way while it starts.
const (
	firstPause = 1 * time.Second
	lastPause  = 30 * time.Second
)

// Run works until ctx ends. From then on nothing new is begun; what runs may go
// on for Grace, then its context is cancelled, upon which Queue.Run gives its
// leases back. Run returns when all of it has ended, and waits for as long as
// that takes. Being stopped is no error.
func (l *Loop) Run(ctx context.Context) error {
	if l.RunOnce == nil {
		return errors.New("loop " + l.Name + ": no RunOnce")
	}
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	var workers sync.WaitGroup
	for range l.workers() {
		workers.Go(func() { l.worker(ctx, work) })
	}
	l.poll(ctx)
	grace := time.AfterFunc(cmp.Or(l.Grace, 20*time.Second), cancel)
	defer grace.Stop()
	workers.Wait()
	return nil
}

// Wake makes one idle worker look for work now. It never blocks, and may be
// called before, during and after Run. A call while nobody is idle isn't lost:
// somebody will look again when done.
func (l *Loop) Wake() {
	select {
	case l.woken() <- struct{}{}:
	default:
	}
}

// woken holds a signal for each worker at most: with fewer, a worker that goes
// through a burst alone couldn't call all of its siblings.
func (l *Loop) woken() chan struct{} {
	l.made.Do(func() { l.wake = make(chan struct{}, l.workers()) })
	return l.wake
}

// poll wakes one worker at once and at every Poll, until ctx ends. However many
// workers there are, an idle loop looks once in that time.
func (l *Loop) poll(ctx context.Context) {
	tick := time.NewTicker(cmp.Or(l.Poll, time.Second))
	defer tick.Stop()
	for {
		l.Wake()
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// worker waits for a signal and works until nothing is left, again and again
// until ctx ends. Its work runs under the other context, which ends later.
func (l *Loop) worker(ctx, work context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.woken():
			l.drain(ctx, work)
		}
	}
}

// drain calls RunOnce until it finds nothing, and lets a sibling look whenever
// it found something. After a failure it rests and goes on by itself.
func (l *Loop) drain(ctx, work context.Context) {
	var pause time.Duration
	for ctx.Err() == nil {
		found, err := l.once(work)
		if err != nil {
			pause = min(max(2*pause, firstPause), lastPause)
			l.log().Error("round failed", "error", err, "pause", pause)
			rest(ctx, pause)
			continue
		}
		if found == 0 {
			return
		}
		pause = 0
		l.Wake()
	}
}

func (l *Loop) once(ctx context.Context) (found int, err error) {
	err = guard(ctx, l.log(), func(ctx context.Context) (err error) {
		found, err = l.RunOnce(ctx)
		return err
	})
	return found, err
}

func (l *Loop) workers() int { return max(l.Workers, 1) }

func (l *Loop) log() *slog.Logger {
	return cmp.Or(l.Log, slog.Default()).With("loop", l.Name)
}

// rest waits for d or the end of ctx.
func rest(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
