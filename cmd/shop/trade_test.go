package main

import (
	"context"
	"log/slog"
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

// trade is a whole shop and a sandbox that stands in for its providers. Nothing runs by
// itself but the inbox.
type trade struct {
	*testing.T
	environ  []string
	app      *app.App
	platform *sandbox.Server
}

// newTrade sells through the providers; later lines of more count.
func newTrade(t *testing.T, providers []string, more ...string) *trade {
	t.Helper()
	pages, api := httptest.NewUnstartedServer(nil), httptest.NewUnstartedServer(nil)
	shopURL, apiURL := "http://"+pages.Listener.Addr().String(), "http://"+api.Listener.Addr().String()
	dsn := testdb.New(t)
	environ := without(environment(dsn), []string{"SHOP_STABLEIN_WEBHOOK_SECRET="})
	environ = append(environ, credentials(nil, providers)...)
	environ = append(environ, "SHOP_BASE_URL="+shopURL, "SHOP_MODE=test", "SHOP_PROVIDERS="+strings.Join(providers, ","),
		"SHOP_SANDBOX_WEBHOOK_URL="+shopURL+"/webhooks", "SHOP_STABLEIN_BASE_URL="+apiURL)
	for _, name := range providers {
		environ = append(environ, config.SettingOf(name, "BASE_URL")+"="+apiURL+standIns[name].path)
	}
	environ = append(environ, more...)
	c, err := config.Load(environ)
	must(t, err)
	log := slog.New(slog.DiscardHandler)

	pool, err := database.Open(t.Context(), testdb.NewSandbox(t))
	must(t, err)
	t.Cleanup(func() { pool.Close() })
	dialects, err := dialectsOf(c)
	must(t, err)
	platform, err := sandbox.New(sandbox.Config{DB: pool, APIKey: c.StableIn.APIKey.Reveal(), PublicURL: apiURL, Dialects: dialects, Log: log})
	must(t, err)
	must(t, point(t.Context(), platform, c))
	api.Config.Handler = platform.Handler()
	api.Start()
	t.Cleanup(api.Close)

	a, err := app.New(t.Context(), c, app.Deps{Log: log, DB: open(t, dsn)})
	must(t, err)
	t.Cleanup(func() { must(t, a.Close()) })
	pages.Config.Handler = a.Handler
	pages.Start()
	t.Cleanup(pages.Close)
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	var inbox sync.WaitGroup
	inbox.Go(func() { a.Inbox.Run(ctx) })
	t.Cleanup(func() { stop(); inbox.Wait() })
	return &trade{t, environ, a, platform}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// offer puts a product on the shelf. Its slug is its currency.
func (tr *trade) offer(currency string, price int64) {
	tr.Helper()
	must(tr.T, tr.app.DB.InsertProduct(tr.Context(), db.InsertProductParams{
		ID: store.NewID(), Slug: strings.ToLower(currency), Name: "Product", Summary: "A product.", Description: "It works.",
		Price: payment.NewAmount(price), Currency: currency, ActivationLimit: 1, Position: 1,
	}))
}

// place orders a product and goes as far as the provider's page.
func (tr *trade) place(currency, provider string) (number string) {
	tr.Helper()
	token, err := tr.app.Shop.AddToCart(tr.Context(), "", strings.ToLower(currency), 1)
	must(tr.T, err)
	started, err := tr.app.Shop.Begin(tr.Context(), token, "ada@example.com", provider)
	must(tr.T, err)
	return started.Order.Number
}

// sell is place, and all of it paid and delivered.
func (tr *trade) sell(currency, provider string) (number string) {
	tr.Helper()
	number = tr.place(currency, provider)
	mustShop(tr.T, tr.environ, "trigger", "pay", "--order", number)
	tr.settle()
	if o := tr.order(number); o.PaymentStatus != string(payment.Paid) || o.Delivery == "none" {
		tr.Fatalf("%s isn't sold: %+v", number, o)
	}
	return number
}

// settle has everything delivered and processed that waits.
func (tr *trade) settle() {
	tr.Helper()
	for n := 1; n > 0; {
		var err error
		n, err = tr.platform.DeliverOnce(tr.Context())
		must(tr.T, err)
	}
	for _, once := range []func(context.Context) (int, error){tr.app.Processor.RunOnce, tr.app.Worker.RunOnce} {
		for n := 1; n > 0; {
			var err error
			n, err = once(tr.Context())
			must(tr.T, err)
		}
	}
}

// order is what orders show says.
func (tr *trade) order(number string) orderDetail {
	tr.Helper()
	return decode[orderDetail](tr.T, mustShop(tr.T, tr.environ, "orders", "show", number, "--format", "json"))
}
