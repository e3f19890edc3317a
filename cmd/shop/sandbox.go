package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"

	"onceshop/config"
	"onceshop/database"
	"onceshop/sandbox"
	sandboxmigrations "onceshop/sandbox/migrations"
)

type sandboxCommand struct {
	Serve sandboxServe `cmd:"" help:"Migrate the sandbox's own database and run it: API, payment pages, signed webhooks."`
}

type sandboxServe struct{}

func (*sandboxServe) Run(s *session) (err error) {
	c, err := s.config()
	if err != nil {
		return err
	}
	if err := c.CheckSandbox(); err != nil {
		return err
	}
	p, err := openPractice(s.ctx, c, s.logger(c))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	l, err := listenOn(s.ctx, c.SandboxListen)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.stdout, "sandbox on http://%s, stands in for %s, webhooks to %s\n", l.Addr(), titles(c.Configured()), c.SandboxWebhookURL)

	g, running := errgroup.WithContext(s.ctx)
	answering, stop := context.WithCancel(context.WithoutCancel(s.ctx))
	g.Go(func() error { return p.answer(answering, l) })
	g.Go(func() error {
		defer stop()
		return p.server.Run(running)
	})
	return g.Wait()
}

// blockTime is how often a block comes in the sandbox: slowly enough to be seen.
const blockTime = 2 * time.Second

// practice is a running sandbox's parts.
type practice struct {
	server *sandbox.Server
	close  func() error
	log    *slog.Logger
}

// openPractice migrates the sandbox's database and builds the platform, which stands
// in for all providers that the shop speaks to, and points their webhooks to it.
func openPractice(ctx context.Context, c *config.Config, log *slog.Logger) (_ *practice, err error) {
	dialects, err := dialectsOf(c)
	if err != nil {
		return nil, err
	}
	db, err := database.Open(ctx, c.SandboxDatabaseURL.Reveal())
	if err != nil {
		return nil, fmt.Errorf("the sandbox's database: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, db.Close())
		}
	}()
	if err := database.Up(ctx, db, sandboxmigrations.FS, log); err != nil {
		return nil, fmt.Errorf("migrate the sandbox's database: %w", err)
	}
	server, err := sandbox.New(sandbox.Config{
		DB: db, APIKey: c.StableIn.APIKey.Reveal(), PublicURL: c.SandboxPublicURL, TimeScale: c.SandboxTimeScale,
		AutoConfirm: blockTime, Dialects: dialects, Log: log,
	})
	if err != nil {
		return nil, err
	}
	if err := point(ctx, server, c); err != nil {
		return nil, err
	}
	return &practice{server: server, close: db.Close, log: log}, nil
}

// dialectsOf returns the stand-ins for all providers that the shop speaks to, or what
// their settings lack as config.Faults.
func dialectsOf(c *config.Config) ([]sandbox.Dialect, error) {
	var list []sandbox.Dialect
	var faults config.Faults
	for _, name := range c.Configured() {
		stand, ok := standIns[name]
		if !ok {
			return nil, fmt.Errorf("the sandbox can't stand in for %s", name)
		}
		if stand.dialect == nil {
			continue
		}
		d, err := stand.dialect(c)
		if wrong, ok := errors.AsType[*sandbox.SettingError](err); ok {
			faults = append(faults, config.Fault{Setting: config.SettingOf(name, wrong.Setting), Problem: wrong.Problem + "; the shop needs the same"})
			continue
		}
		if err != nil {
			return nil, err
		}
		list = append(list, d)
	}
	if len(faults) > 0 {
		return nil, faults
	}
	return list, nil
}

// maxSecrets is how many secrets an endpoint of the sandbox has at most.
const maxSecrets = 2

// point sends each provider's webhooks to the shop, and to nowhere else: an endpoint of
// an earlier run on other ports would be sent to for ever.
func point(ctx context.Context, server *sandbox.Server, c *config.Config) error {
	mine := map[string]bool{}
	for _, name := range c.Configured() {
		held, setting := c.WebhookSecretsOf(name)
		list, err := held.List()
		if err != nil {
			return config.Faults{{Setting: setting, Problem: err.Error()}}
		}
		var secrets []string
		for _, s := range list[:min(len(list), maxSecrets)] {
			secrets = append(secrets, s.Key)
		}
		e, err := server.AddEndpoint(ctx, name, c.SandboxWebhook(name), secrets...)
		if err != nil {
			return fmt.Errorf("webhooks of %s, signed with %s: %w", name, setting, err)
		}
		mine[e.ID] = true
	}
	endpoints, err := server.Endpoints(ctx)
	if err != nil {
		return err
	}
	for _, e := range endpoints {
		if mine[e.ID] {
			continue
		}
		if err := server.RemoveEndpoint(ctx, e.ID); err != nil {
			return err
		}
	}
	return nil
}

// answer serves API and pages until ctx ends. It stops after those who may still
// ask: a shop that is finishing its work fetches snapshots.
func (p *practice) answer(ctx context.Context, l net.Listener) error {
	server := &http.Server{
		Handler: p.server.Handler(), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 15 * time.Second, IdleTimeout: time.Minute,
		ErrorLog: slog.NewLogLogger(p.log.Handler(), slog.LevelDebug),
	}
	g, serving := errgroup.WithContext(ctx)
	g.Go(func() error {
		if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			return fmt.Errorf("serve %s: %w", l.Addr(), err)
		}
		return nil
	})
	g.Go(func() error {
		<-serving.Done()
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		if err := server.Shutdown(ctx); err != nil {
			return server.Close() // practice pages needn't be waited for
		}
		return nil
	})
	return g.Wait()
}
