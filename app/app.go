package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"onceshop/checkout"
	"onceshop/config"
	"onceshop/database"
	"onceshop/fulfillment"
	"onceshop/lease"
	"onceshop/migrations"
	"onceshop/operations"
	"onceshop/reconcile"
	"onceshop/store"
	"onceshop/webhooks"
)

// Deps are what a caller may bring instead of what the configuration says. The
// zero value is right for a shop that isn't a test.
type Deps struct {
	Log     *slog.Logger
	Version string
	DB      *store.DB        // nil: opened from the configuration, and closed by Close
	HTTP    *http.Client     // asks providers
	Now     func() time.Time // the clock of signed timestamps; everything else goes by the database's
}

// App is a whole shop. Its parts are open for tests to drive one by one.
type App struct {
	Config    *config.Config
	DB        *store.DB
	Shop      *checkout.Shop
	Inbox     *webhooks.Inbox
	Webhooks  *webhooks.Handler
	Processor *webhooks.Processor
	Worker    *fulfillment.Worker
	Mailer    *fulfillment.MailWorker
	Checker   *reconcile.Checker
	Ready     *operations.Readiness
	Metrics   *prometheus.Registry

	Handler    http.Handler // pages and webhooks, as the public listener serves them
	Operations http.Handler

	deps    Deps
	log     *slog.Logger
	events  *lease.Loop // these three are woken by signals
	jobs    *lease.Loop
	mails   *lease.Loop
	loops   []*lease.Loop // of this instance's roles
	closing chan struct{} // closed when stopping begins
	closers []func() error
}

// ErrBehind means that the database is older than the program.
var ErrBehind = errors.New("the database is behind its migrations; run: shop migrate up")

// New builds the shop and looks at its database, but starts nothing. Faults of the
// configuration are returned as config.Faults, all of them.
func New(ctx context.Context, c *config.Config, d Deps) (*App, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	a := &App{Config: c, deps: d, log: cmp.Or(d.Log, slog.Default()), closing: make(chan struct{})}
	if a.deps.Now == nil {
		a.deps.Now = time.Now
	}
	err := a.open(ctx)
	if err == nil {
		err = a.build()
	}
	if err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

// open connects to the database and refuses one that is behind.
func (a *App) open(ctx context.Context) error {
	a.DB = a.deps.DB
	if a.DB == nil {
		pool, err := database.Open(ctx, a.Config.DatabaseURL.Reveal())
		if err != nil {
			return err
		}
		a.closers = append(a.closers, pool.Close)
		a.DB = store.New(pool)
		if err := a.openScripts(ctx); err != nil {
			return err
		}
	}
	current, latest, err := database.Version(ctx, a.DB.Pool(), migrations.FS)
	if err != nil {
		return fmt.Errorf("read the database's version: %w", err)
	}
	if current < latest {
		return fmt.Errorf("%w (it is at %d of %d)", ErrBehind, current, latest)
	}
	return nil
}

// openScripts lets an instance that takes webhooks store them in one round trip.
func (a *App) openScripts(ctx context.Context) error {
	if !a.Config.Has(config.RoleInbox) {
		return nil
	}
	scripts, err := database.OpenForScripts(ctx, a.Config.DatabaseURL.Reveal())
	if err != nil {
		return err
	}
	a.closers = append(a.closers, scripts.Close)
	a.DB.WithScripts(scripts)
	return nil
}

// Close gives back what New opened. Run must have returned.
func (a *App) Close() error {
	var errs []error
	for _, closer := range a.closers {
		errs = append(errs, closer())
	}
	a.closers = nil
	return errors.Join(errs...)
}

// owner names this process in the leases that it holds.
func owner() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return fmt.Sprintf("%s/%d", host, os.Getpid())
}
