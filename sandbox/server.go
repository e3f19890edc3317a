package sandbox

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"onceshop/lease"
)

// Config is what a sandbox needs. DB, APIKey and PublicURL are required.
type Config struct {
	DB        *sql.DB // a database of its own, migrated by sandbox/migrations
	APIKey    string  // what callers of the API send as bearer token
	PublicURL string  // where browsers reach the hosted pages, e.g. http://127.0.0.1:8090

	TimeScale    float64       // multiplies the waits between attempts; default 1
	AutoConfirm  time.Duration // a block comes this long after the last; default 0: only by hand
	OrderTTL     time.Duration // life of an order that names no expiry; default 1 h
	RiskValidity time.Duration // how long a risk assessment counts; default 24 h

	// Dialects are the providers that are stood in for beside StableIn, each at
	// PublicURL/<name>. With or without them StableIn is served, at the root.
	Dialects []Dialect

	Log  *slog.Logger     // default slog.Default()
	HTTP *http.Client     // sends deliveries; default a client of its own
	Now  func() time.Time // the clock of signatures; default time.Now
}

// Server is a payment platform to practise with: API, hosted pages, signed
// deliveries. Any number of them may share one database.
type Server struct {
	db           *sql.DB
	keyHash      [32]byte
	publicURL    string
	autoConfirm  time.Duration
	orderTTL     time.Duration
	riskValidity time.Duration
	log          *slog.Logger
	http         *http.Client
	now          func() time.Time

	dialects   map[string]Dialect
	queue      *lease.Queue            // hands out deliveries of all dialects
	queues     map[string]*lease.Queue // the same rows, with each dialect's schedule
	deliveries *lease.Loop
}

// New checks the settings and returns a server that isn't running yet: its
// Handler works at once, its loops when Run is called.
func New(c Config) (*Server, error) {
	if c.DB == nil {
		return nil, errors.New("sandbox: no database")
	}
	if err := CheckKey("API_KEY", c.APIKey); err != nil {
		return nil, err
	}
	if err := checkURL("PublicURL", c.PublicURL); err != nil {
		return nil, errors.Join(errors.New("sandbox: bad settings"), err)
	}
	if c.TimeScale < 0 {
		return nil, errors.New("sandbox: the time scale must not be negative")
	}
	s := &Server{
		db:           c.DB,
		keyHash:      hashKey(c.APIKey),
		publicURL:    strings.TrimRight(c.PublicURL, "/"),
		autoConfirm:  c.AutoConfirm,
		orderTTL:     cmp.Or(c.OrderTTL, time.Hour),
		riskValidity: cmp.Or(c.RiskValidity, 24*time.Hour),
		log:          cmp.Or(c.Log, slog.Default()).With("part", "sandbox"),
		http:         c.HTTP,
		now:          c.Now,
	}
	if s.http == nil {
		s.http = newClient()
	}
	if s.now == nil {
		s.now = time.Now
	}
	if err := s.speak(c); err != nil {
		return nil, err
	}
	s.deliveries = &lease.Loop{
		Name: "deliveries", RunOnce: s.DeliverOnce, Workers: 4, Poll: 500 * time.Millisecond, Log: s.log,
	}
	return s, nil
}

// speak takes the dialects on, StableIn first. A lease that ran out is claimed by
// the longest schedule; deliver looks at the delivery's own.
func (s *Server) speak(c Config) error {
	s.dialects, s.queues = map[string]Dialect{}, map[string]*lease.Queue{}
	queue := lease.Queue{DB: s.db, Table: "pay_webhook_deliveries", Owner: "sandbox", TimeScale: c.TimeScale, Log: s.log}
	for _, d := range append([]Dialect{stablein{}}, c.Dialects...) {
		p := d.Profile()
		if !dialectName.MatchString(p.Name) || slices.Contains(reserved, p.Name) {
			return fmt.Errorf("sandbox: %q can't be the name of a dialect", p.Name)
		}
		if s.dialects[p.Name] != nil {
			return fmt.Errorf("sandbox: there are two dialects named %s", p.Name)
		}
		own := queue
		own.Schedule = p.Retries
		s.dialects[p.Name], s.queues[p.Name] = d, &own
		if s.queue == nil || len(p.Retries) > len(s.queue.Schedule) {
			s.queue = &own
		}
	}
	return nil
}

var dialectName = regexp.MustCompile(`^[a-z][a-z0-9]{1,31}$`)

// reserved are paths of the sandbox's own.
var reserved = []string{"v1", "pay", "orders", "faults", "assets", "healthz"}

// dialect returns a dialect by its name. What was done under one that isn't
// served any more stays readable, but goes no further.
func (s *Server) dialect(name string) (Dialect, error) {
	d := s.dialects[name]
	if d == nil {
		return nil, conflict("DIALECT_NOT_SERVED", "no stand-in for "+name+" is served here now")
	}
	return d, nil
}

// profile is for showing: of a dialect that isn't served, its name is left.
func (s *Server) profile(name string) Profile {
	if d := s.dialects[name]; d != nil {
		return d.Profile()
	}
	return Profile{Name: name, Title: name}
}

// Run sends deliveries, lets orders expire and blocks come until ctx ends;
// attempts that have begun may finish.
func (s *Server) Run(ctx context.Context) error {
	defer s.http.CloseIdleConnections()
	expiry := &lease.Loop{Name: "expiry", RunOnce: s.ExpireOnce, Log: s.log}
	blocks := &lease.Loop{Name: "blocks", RunOnce: s.ConfirmOnce, Log: s.log}
	var loops errgroup.Group
	for _, loop := range []*lease.Loop{s.deliveries, expiry, blocks} {
		loops.Go(func() error { return loop.Run(ctx) })
	}
	return loops.Wait()
}
