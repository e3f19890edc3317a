package app_test

import (
	"context"
	"encoding/base64"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"onceshop/app"
	"onceshop/config"
	"onceshop/database"
	"onceshop/payment"
	"onceshop/sandbox"
	"onceshop/store"
	"onceshop/store/db"
	"onceshop/testdb"
)

const (
	webhookSecret = "stablein-shop-secret-current"
	apiKey        = "an-api-key-for-tests"
)

// environment is a usable configuration on the databases given.
func environment(dsn, baseURL, providerURL string, more ...string) []string {
	return append([]string{
		"SHOP_DEMO=true",
		"SHOP_BASE_URL=" + baseURL,
		"SHOP_DATABASE_URL=" + dsn,
		"SHOP_SECRET=an-order-secret-of-at-least-32-bytes",
		"SHOP_LICENSE_SECRET=a-license-secret-of-at-least-32-bytes",
		"SHOP_LICENSE_SIGNING_KEY=" + base64.StdEncoding.EncodeToString([]byte("0123456789abcdef0123456789abcdef")),
		"SHOP_STABLEIN_BASE_URL=" + providerURL,
		"SHOP_STABLEIN_API_KEY=" + apiKey,
		"SHOP_STABLEIN_WEBHOOK_SECRET=" + webhookSecret,
		"SHOP_MAIL_URL=mailbox:",
		"SHOP_MAIL_FROM=shop@shop.example",
	}, more...)
}

func load(t *testing.T, environ []string) *config.Config {
	t.Helper()
	c, err := config.Load(environ)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// late serves a handler that is made only after the server's address is known.
type late struct {
	mu sync.Mutex
	h  http.Handler
}

func (l *late) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	h := l.h
	l.mu.Unlock()
	h.ServeHTTP(w, r)
}

func (l *late) set(h http.Handler) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.h = h
}

// world is a shop and the platform that it is paid through, both whole, neither
// doing anything by itself.
type world struct {
	*testing.T
	app      *app.App
	url      string
	platform *sandbox.Server
	api      string
}

// setup builds the shop on a fresh schema, with one product on offer.
func setup(t *testing.T, deps app.Deps, more ...string) *world {
	t.Helper()
	w := &world{T: t}
	pages := new(late)
	shop, api := httptest.NewServer(pages), new(late)
	t.Cleanup(shop.Close)
	provider := httptest.NewServer(api)
	t.Cleanup(provider.Close)
	w.url, w.api = shop.URL, provider.URL

	pool, err := database.Open(t.Context(), testdb.NewSandbox(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pool.Close() })
	w.platform, err = sandbox.New(sandbox.Config{DB: pool, APIKey: apiKey, PublicURL: provider.URL, Log: silence()})
	if err != nil {
		t.Fatal(err)
	}
	api.set(w.platform.Handler())
	if _, err := w.platform.AddEndpoint(t.Context(), sandbox.StableIn, shop.URL+"/webhooks/stablein", webhookSecret); err != nil {
		t.Fatal(err)
	}

	if deps.Log == nil {
		deps.Log = silence()
	}
	w.app, err = app.New(t.Context(), load(t, environment(testdb.New(t), shop.URL, provider.URL, more...)), deps)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.app.Close(); err != nil {
			t.Error(err)
		}
	})
	pages.set(w.app.Handler)
	w.product()
	return w
}

func (w *world) product() {
	w.Helper()
	err := w.app.DB.InsertProduct(w.Context(), db.InsertProductParams{ID: store.NewID(), Slug: "inkwell", Name: "Inkwell", Summary: "An editor.",
		Description: "It edits.", Price: payment.NewAmount(49_000_000), Currency: "USDC", ActivationLimit: 3, Position: 1})
	if err != nil {
		w.Fatal(err)
	}
}

// receive runs the inbox, as a shop does whose loops the test runs by hand.
func (w *world) receive() {
	ctx, stop := context.WithCancel(context.WithoutCancel(w.Context()))
	var running sync.WaitGroup
	running.Go(func() { w.app.Inbox.Run(ctx) })
	w.Cleanup(func() { stop(); running.Wait() })
}

// order places an order and returns it with the platform's id of its payment.
func (w *world) order() (db.Order, string) {
	w.Helper()
	token, err := w.app.Shop.AddToCart(w.Context(), "", "inkwell", 1)
	if err != nil {
		w.Fatal(err)
	}
	started, err := w.app.Shop.Begin(w.Context(), token, "ada@example.com", "")
	if err != nil {
		w.Fatal(err)
	}
	_, ref, _ := strings.Cut(started.PayURL, "/pay/")
	return started.Order, ref
}

// act is one of the platform's practice actions.
func (w *world) act(ref, action, body string) {
	w.Helper()
	r, err := http.NewRequestWithContext(w.Context(), http.MethodPost, w.api+"/v1/test/orders/"+ref+"/"+action, strings.NewReader(body))
	if err != nil {
		w.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+apiKey)
	w.must(http.DefaultClient.Do(r))
}

// deliver sends everything that the platform has to send now.
func (w *world) deliver() {
	w.Helper()
	for {
		n, err := w.platform.DeliverOnce(w.Context())
		if err != nil {
			w.Fatal(err)
		}
		if n == 0 {
			return
		}
	}
}

func (w *world) must(res *http.Response, err error) string {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode >= 400 {
		w.Fatalf("%s: %s %v", res.Status, body, err)
	}
	return string(body)
}

func (w *world) now(id string) db.Order {
	w.Helper()
	row, err := w.app.DB.GetOrder(w.Context(), id)
	if err != nil {
		w.Fatal(err)
	}
	return row.Order
}

func silence() *slog.Logger { return slog.New(slog.DiscardHandler) }

func listener(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// answer is what a GET or POST came to.
type answer struct {
	status int
	header http.Header
	body   string
}

func get(t *testing.T, url string) answer {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{res.StatusCode, res.Header, string(body)}
}
