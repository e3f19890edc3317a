package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	answerWithin = 15 * time.Second // what a request being handled may still take after the stop
	readHeader   = 10 * time.Second
	readRequest  = 15 * time.Second // a slower sender is cut off
	idle         = 75 * time.Second // longer than usual load balancers keep a connection
	maxHeader    = 64 << 10
)

// Listeners are where a shop is reached. A nil one isn't served.
type Listeners struct {
	Public     net.Listener // pages and webhooks
	Operations net.Listener // livez, readyz, metrics
}

// Run serves and works until ctx ends or a part fails, and then stops everything
// in order: see the package's description. It closes the listeners and may be
// called once. Being stopped is no error.
func (a *App) Run(ctx context.Context, l Listeners) error {
	g, running := errgroup.WithContext(ctx)
	watch := a.server(a.Operations)
	if l.Operations != nil {
		g.Go(func() error { return serve(watch, l.Operations) })
	}
	g.Go(func() error {
		err := a.work(running, l.Public)
		// Last, so that whoever asks until then hears that we are shutting down.
		return errors.Join(err, shutdown(watch, time.Second, a.log))
	})
	return g.Wait()
}

// work runs everything but the operations listener.
func (a *App) work(ctx context.Context, listener net.Listener) error {
	g, running := errgroup.WithContext(ctx)
	for _, loop := range a.loops {
		g.Go(func() error {
			return unlessAsked(running, loop.Name, loop.Run(running))
		})
	}
	// The inbox outlives the stop: the last requests wait for it.
	storing, stopStoring := context.WithCancel(context.WithoutCancel(ctx))
	g.Go(func() error {
		a.Inbox.Run(storing)
		return unlessAsked(running, "inbox", nil)
	})
	public := a.server(a.Handler)
	if listener != nil {
		g.Go(func() error { return serve(public, listener) })
	}
	g.Go(func() error {
		defer stopStoring()
		<-running.Done()
		a.log.Info("stopping")
		a.Ready.Stop()
		close(a.closing)
		return shutdown(public, answerWithin, a.log)
	})
	return g.Wait()
}

// unlessAsked turns the end of a part into an error unless the stop was asked for.
func unlessAsked(ctx context.Context, part string, err error) error {
	if err == nil && ctx.Err() == nil {
		err = errors.New("ended by itself")
	}
	if err != nil {
		return fmt.Errorf("%s: %w", part, err)
	}
	return nil
}

func (a *App) server(h http.Handler) *http.Server {
	return &http.Server{
		Handler: h, ReadHeaderTimeout: readHeader, ReadTimeout: readRequest, IdleTimeout: idle, MaxHeaderBytes: maxHeader,
		ErrorLog: slog.NewLogLogger(a.log.Handler(), slog.LevelDebug), // strangers' broken clients must not fill the log
	}
}

func serve(s *http.Server, l net.Listener) error {
	if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve %s: %w", l.Addr(), err)
	}
	return nil
}

// shutdown lets requests end, within limits: who is slower is cut off, which is
// worth a line in the log and no failed exit.
func shutdown(s *http.Server, within time.Duration, log *slog.Logger) error {
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	err := s.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		log.Warn("requests cut off by the shutdown", "after", within)
		return s.Close()
	}
	return err
}
