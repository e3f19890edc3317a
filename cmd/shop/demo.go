package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"onceshop/app"
	"onceshop/config"
	"onceshop/database"
	"onceshop/internal/flock"
	"onceshop/migrations"
	"onceshop/store"
)

type demoCommand struct {
	choice
	Data             string  `help:"Where the demo keeps its database and secrets." default:".data" type:"path"`
	Reset            bool    `help:"Throw away what an earlier demo has kept, and start over."`
	Listen           string  `help:"Address of the shop." default:"127.0.0.1:8080"`
	SandboxListen    string  `help:"Address of the practice payment platform." default:"127.0.0.1:8090"`
	OperationsListen string  `help:"Address of livez, readyz and metrics." default:"127.0.0.1:9090"`
	TimeScale        float64 `help:"Multiplies the waits between the sandbox's attempts: a day of retries in half an hour." default:"0.02"`
}

// Run starts everything from the inside out, says where it is, and stops it in
// reverse when asked to. Ports are taken first: most often they are what is wrong,
// and that should be known before a database starts.
func (cmd *demoCommand) Run(s *session) (err error) {
	end := func(closer func() error) { err = errors.Join(err, closer()) }
	lock, err := lockFolder(cmd.Data)
	if err != nil {
		return err
	}
	defer end(lock.Close)
	addresses, err := cmd.listen(s.ctx)
	if err != nil {
		return err
	}
	defer end(addresses.close)
	if cmd.Reset {
		if err := cmd.forget(s); err != nil {
			return err
		}
	}

	fmt.Fprintln(s.stderr, "starting the database …")
	server, err := cmd.database(s)
	if err != nil {
		return err
	}
	defer end(server.stop)
	c, err := cmd.settings(s, addresses, server)
	if err != nil {
		return err
	}
	log := s.logger(c)
	for _, source := range []config.Secret{c.DatabaseURL, c.SandboxDatabaseURL} {
		if err := database.Create(s.ctx, source.Reveal()); err != nil {
			return err
		}
	}
	if err := prepare(s.ctx, c, s); err != nil {
		return err
	}
	p, err := openPractice(s.ctx, c, log)
	if err != nil {
		return err
	}
	defer end(p.close)
	a, err := app.New(s.ctx, c, app.Deps{Log: log, Version: version()})
	if err != nil {
		return err
	}
	defer end(a.Close)

	if err := cmd.welcome(s, c, a, server); err != nil {
		return err
	}
	err = together(s.ctx, a, p, addresses, server)
	fmt.Fprintln(s.stderr, "stopping …") // what the deferred calls do takes a second or two
	return err
}

// prepare migrates the shop's database and fills its shelves.
func prepare(ctx context.Context, c *config.Config, s *session) error {
	pool, err := database.OpenForMigrations(ctx, c.DatabaseURL.Reveal())
	if err != nil {
		return err
	}
	err = database.Up(ctx, pool, migrations.FS, s.logger(c))
	if err == nil {
		_, err = seed(ctx, store.New(pool))
	}
	return errors.Join(err, pool.Close())
}

// together runs shop and sandbox until ctx ends or one of them fails. The sandbox
// stops sending first, then the shop finishes its work, for which it may ask the
// sandbox's API, which therefore goes last.
func together(ctx context.Context, a *app.App, p *practice, l addresses, server databaseServer) error {
	g, running := errgroup.WithContext(ctx)
	shop, stopShop := context.WithCancel(context.WithoutCancel(ctx))
	api, stopAPI := context.WithCancel(context.WithoutCancel(ctx))
	g.Go(func() error {
		defer stopShop()
		return p.server.Run(running)
	})
	g.Go(func() error {
		defer stopAPI()
		return a.Run(shop, l.shop)
	})
	g.Go(func() error { return p.answer(api, l.sandbox) })
	g.Go(func() error {
		select {
		case <-server.ended:
			return errors.New("the database server ended; its log is in the demo's data folder")
		case <-running.Done():
			return nil
		}
	})
	return g.Wait()
}

// addresses are the ports that a demo holds.
type addresses struct {
	shop    app.Listeners
	sandbox net.Listener
}

func (cmd *demoCommand) listen(ctx context.Context) (a addresses, err error) {
	for _, l := range []struct {
		flag, address string
		to            *net.Listener
	}{
		{"--listen", cmd.Listen, &a.shop.Public}, {"--sandbox-listen", cmd.SandboxListen, &a.sandbox},
		{"--operations-listen", cmd.OperationsListen, &a.shop.Operations},
	} {
		*l.to, err = listenOn(ctx, l.address)
		if errors.Is(err, syscall.EADDRINUSE) {
			err = fmt.Errorf("%s is in use: end what uses it, or choose another address with %s", l.address, l.flag)
		}
		if err != nil {
			*l.to = nil
			return a, errors.Join(err, a.close())
		}
	}
	return a, nil
}

// close frees the ports; servers that ran have done so already.
func (a addresses) close() error {
	var errs []error
	for _, l := range []net.Listener{a.shop.Public, a.shop.Operations, a.sandbox} {
		if l == nil {
			continue
		}
		if err := l.Close(); !errors.Is(err, net.ErrClosed) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// lockFolder keeps two demos out of one folder.
func lockFolder(dir string) (*os.File, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(filepath.Join(dir, "demo.lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	free, err := flock.Exclusive(file)
	if err == nil && !free {
		err = fmt.Errorf("a demo is running in %s already; end it first, or choose another folder with --data", dir)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// stopDatabaseWithin is for a shutdown that writes everything down; killed later,
// the server recovers at its next start.
const stopDatabaseWithin = 20 * time.Second
