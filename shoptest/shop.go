package shoptest

import (
	"context"
	"crypto/ed25519"
	"database/sql"
	"io"
	"log/slog"
	"net/http/httptest"
	"net/mail"
	"sync"
	"testing"
	"time"

	"onceshop/checkout"
	"onceshop/database"
	"onceshop/fulfillment"
	"onceshop/lease"
	"onceshop/payment"
	"onceshop/providers/signing"
	"onceshop/providers/stablein"
	"onceshop/reconcile"
	"onceshop/store"
	"onceshop/testdb"
	"onceshop/webhooks"
)

// The secrets and the clock of the published example events.
const (
	Secret         = "stablein-shop-secret-current"
	PreviousSecret = "stablein-shop-secret-previous"
	Clock          = 1767225600 // Unix seconds at which webhooks are signed and read
)

// Options change what New builds. The zero value is the usual shop.
type Options struct {
	Pool        *sql.DB      // instead of a fresh schema; the caller closes it
	Scripts     *sql.DB      // with Pool: stores events in one round trip; nil stores them in a transaction
	Log         *slog.Logger // instead of silence
	Secrets     []signing.Secret
	HTTPTimeout time.Duration // of calls to the platform
	NoInbox     bool          // leaves Inbox.Run to the caller
	// Others are further providers by name, each with what it can: payment.Verifier,
	// Creator, Fetcher, Folder. Buyers may choose those that are Creators.
	Others map[string]any
}

// Shop is a shop under test.
type Shop struct {
	testing.TB
	DSN       string // empty when Options.Pool was given
	DB        *store.DB
	Shop      *checkout.Shop
	Platform  *Platform
	Adapter   *stablein.Adapter
	Inbox     *webhooks.Inbox
	Handler   *webhooks.Handler
	Server    *httptest.Server // serves Handler at /webhooks/stablein
	Processor *webhooks.Processor
	Worker    *fulfillment.Worker
	Mails     *fulfillment.MailWorker
	Sent      *Mails
	Checker   *reconcile.Checker
	Keys      fulfillment.Keys
}

// New builds a shop on a fresh schema, with one product on offer.
func New(t testing.TB, opts ...Options) *Shop {
	t.Helper()
	var o Options
	if len(opts) > 0 {
		o = opts[0]
	}
	s := &Shop{TB: t}
	pool, scripts := o.Pool, o.Scripts
	if pool == nil {
		s.DSN = testdb.New(t)
		pool, scripts = opened(t, database.Open, s.DSN), opened(t, database.OpenForScripts, s.DSN)
	}
	log := o.Log
	if log == nil {
		log = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	secrets := o.Secrets
	if secrets == nil {
		secrets = []signing.Secret{{ID: "current", Key: Secret}, {ID: "previous", Key: PreviousSecret}}
	}

	s.DB = store.New(pool).WithScripts(scripts)
	s.Platform = newPlatform(t)
	client := s.Platform.server.Client()
	client.Timeout = o.HTTPTimeout
	var err error
	s.Adapter, err = stablein.New(stablein.Config{Secrets: secrets, BaseURL: s.Platform.server.URL, APIKey: apiKey, HTTP: client})
	if err != nil {
		t.Fatal(err)
	}
	fetchers := map[string]payment.Fetcher{stablein.Name: s.Adapter}
	s.Keys = fulfillment.Keys{Secret: []byte("license-secret-for-tests-only-32"), Signer: ed25519.NewKeyFromSeed(make([]byte, 32))}
	s.Shop = &checkout.Shop{
		DB: s.DB, Providers: map[string]payment.Creator{stablein.Name: s.Adapter}, Offered: []string{stablein.Name},
		Secret: []byte("order-token-secret-for-tests-32b"), BaseURL: "http://shop.test", Lifetime: time.Hour, Log: log,
	}
	s.Inbox = webhooks.NewInbox(s.DB, nil)
	s.Handler = &webhooks.Handler{
		Providers: map[string]payment.Verifier{stablein.Name: s.Adapter}, Inbox: s.Inbox,
		Now: func() time.Time { return time.Unix(Clock, 0) }, Log: log,
	}
	s.Processor = &webhooks.Processor{DB: s.DB, Queue: s.queue(s.DB.Events("processor"), log), Providers: fetchers, Folders: map[string]payment.Folder{}, Log: log}
	s.Worker = &fulfillment.Worker{DB: s.DB, Queue: s.queue(s.DB.Jobs("worker", fulfillment.IssueLicense), log), Keys: s.Keys}
	s.Sent = &Mails{}
	s.Mails = &fulfillment.MailWorker{
		DB: s.DB, Queue: s.queue(s.DB.Jobs("mail", fulfillment.SendLicensesMail), log), Sender: s.Sent, Keys: s.Keys,
		From: mail.Address{Address: "shop@shop.test"}, ShopName: "Test Shop", OrderURL: s.Shop.OrderURL, Log: log,
	}
	s.Checker = &reconcile.Checker{DB: s.DB, Providers: fetchers, Log: log}
	for name, provider := range o.Others {
		s.add(name, provider)
	}

	if !o.NoInbox {
		ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
		var running sync.WaitGroup
		running.Go(func() { s.Inbox.Run(ctx) })
		t.Cleanup(func() { stop(); running.Wait() })
	}
	s.Server = httptest.NewServer(s.Handler)
	t.Cleanup(s.Server.Close)
	return s
}

// add gives the shop one more provider.
func (s *Shop) add(name string, provider any) {
	if p, ok := provider.(payment.Creator); ok {
		s.Shop.Providers[name], s.Shop.Offered = p, append(s.Shop.Offered, name)
	}
	if p, ok := provider.(payment.Verifier); ok {
		s.Handler.Providers[name] = p
	}
	if p, ok := provider.(payment.Folder); ok {
		s.Processor.Folders[name] = p
	}
	if p, ok := provider.(payment.Fetcher); ok {
		s.Processor.Providers[name], s.Checker.Providers[name] = p, p
	}
}

// opened is a pool that is closed when the test ends.
func opened(t testing.TB, open func(context.Context, string) (*sql.DB, error), dsn string) *sql.DB {
	t.Helper()
	pool, err := open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pool.Close() })
	return pool
}

func (s *Shop) queue(q *lease.Queue, log *slog.Logger) *lease.Queue {
	q.Log = log
	return q
}

// Settle runs processor, worker and mails until none of them finds anything due.
func (s *Shop) Settle() {
	s.Helper()
	for range 1000 {
		n := 0
		for _, run := range []func(context.Context) (int, error){s.Processor.RunOnce, s.Worker.RunOnce, s.Mails.RunOnce} {
			done, err := run(s.Context())
			if err != nil {
				s.Fatal(err)
			}
			n += done
		}
		if n == 0 {
			return
		}
	}
	s.Fatal("the shop finds something due for ever")
}

// MakeDue lets what waits for its next attempt be tried now.
func (s *Shop) MakeDue() {
	s.Helper()
	s.Exec("UPDATE shop_events SET next_attempt_at = NOW(6) WHERE status = 'pending'")
	s.Exec("UPDATE shop_fulfillment_outbox SET next_attempt_at = NOW(6) WHERE status = 'pending'")
}

// Exec runs a statement that a test needs and the shop hasn't.
func (s *Shop) Exec(query string, args ...any) {
	s.Helper()
	if _, err := s.DB.Pool().ExecContext(s.Context(), query, args...); err != nil {
		s.Fatalf("%s: %v", query, err)
	}
}

// Count returns the single number that the query selects.
func (s *Shop) Count(query string, args ...any) int {
	s.Helper()
	var n int
	if err := s.DB.Pool().QueryRowContext(s.Context(), query, args...).Scan(&n); err != nil {
		s.Fatalf("%s: %v", query, err)
	}
	return n
}
