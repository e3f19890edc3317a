package browsertest_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"sync"
	"testing"

	"onceshop/app"
	"onceshop/config"
	"onceshop/database"
	"onceshop/payment"
	"onceshop/sandbox"
	standin "onceshop/sandbox/stripe"
	"onceshop/store"
	"onceshop/store/db"
	"onceshop/testdb"
)

const (
	apiKey        = "an-api-key-for-tests"
	webhookSecret = "stablein-shop-secret-current"
	stripeKey     = "sk_test_a_key_of_the_stand_in"
	stripeSecret  = "whsec_a_secret_of_the_stand_in"
	buyer         = "ada@example.com"
)

// place is a shop and the platform that stands in for those that it is paid through,
// both running whole as they do in the demo. Tokens are paid through StableIn alone;
// for euros there is also Stripe, and Checkout.com, which nobody gets to.
type place struct {
	*testing.T
	url, payURL string
	app         *app.App
}

// open starts both on fresh databases, with products on offer.
func open(t *testing.T) *place {
	t.Helper()
	p := &place{T: t}
	shop, pay := listen(t), listen(t)
	p.url, p.payURL = "http://"+shop.Addr().String(), "http://"+pay.Addr().String()
	silent := slog.New(slog.DiscardHandler)
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	var running sync.WaitGroup
	t.Cleanup(func() { stop(); running.Wait() })

	pool, err := database.Open(t.Context(), testdb.NewSandbox(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(); running.Wait(); pool.Close() })
	dialect, err := standin.New(standin.Config{APIKey: stripeKey})
	if err != nil {
		t.Fatal(err)
	}
	platform, err := sandbox.New(sandbox.Config{
		DB: pool, APIKey: apiKey, PublicURL: p.payURL, TimeScale: 0.001, Log: silent, Dialects: []sandbox.Dialect{dialect},
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, secret := range map[string]string{"stablein": webhookSecret, "stripe": stripeSecret} {
		if _, err := platform.AddEndpoint(t.Context(), name, p.url+"/webhooks/"+name, secret); err != nil {
			t.Fatal(err)
		}
	}
	pages := &httptest.Server{Listener: pay, Config: &http.Server{Handler: platform.Handler()}}
	pages.Start()
	t.Cleanup(pages.Close)

	c, err := config.Load([]string{
		"SHOP_DEMO=true", "SHOP_BASE_URL=" + p.url, "SHOP_DATABASE_URL=" + testdb.New(t),
		"SHOP_SECRET=an-order-secret-of-at-least-32-bytes", "SHOP_LICENSE_SECRET=a-license-secret-of-at-least-32-bytes",
		"SHOP_LICENSE_SIGNING_KEY=" + base64.StdEncoding.EncodeToString([]byte("0123456789abcdef0123456789abcdef")),
		"SHOP_PROVIDERS=stablein,stripe,checkoutcom",
		"SHOP_STRIPE_BASE_URL=" + p.payURL + "/stripe", "SHOP_STRIPE_API_KEY=" + stripeKey, "SHOP_STRIPE_WEBHOOK_SECRET=" + stripeSecret,
		"SHOP_CHECKOUTCOM_BASE_URL=" + p.payURL, "SHOP_CHECKOUTCOM_API_KEY=sk_sbox_nobody_gets_to_this_one",
		"SHOP_CHECKOUTCOM_WEBHOOK_SECRET=nobody-sends-anything-signed-with-this", "SHOP_CHECKOUTCOM_BILLING_COUNTRY=DE",
		"SHOP_STABLEIN_BASE_URL=" + p.payURL, "SHOP_STABLEIN_API_KEY=" + apiKey, "SHOP_STABLEIN_WEBHOOK_SECRET=" + webhookSecret,
		"SHOP_MAIL_URL=mailbox:", "SHOP_MAIL_FROM=Onceshop <shop@shop.example>",
	})
	if err != nil {
		t.Fatal(err)
	}
	if p.app, err = app.New(t.Context(), c, app.Deps{Log: silent, Version: "1.0.0"}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stop()
		running.Wait()
		if err := p.app.Close(); err != nil {
			t.Error(err)
		}
	})
	p.stock()
	running.Go(func() {
		if err := p.app.Run(ctx, app.Listeners{Public: shop}); err != nil {
			t.Error(err)
		}
	})
	running.Go(func() {
		if err := platform.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	return p
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// stock puts products on offer, one of them with a name that no page likes.
func (p *place) stock() {
	p.Helper()
	token, euros := payment.NewAmount(49_000_000), payment.NewAmount(4_900)
	for i, product := range []struct {
		slug, name, summary string
		price               payment.Amount
		currency            string
	}{
		{"inkwell", "Inkwell", "A quiet editor for long texts. Opens a whole book at once and never loses a word.", token, "USDC"},
		{"tally", "Tally", "Double-entry bookkeeping for one person, in a file you own.", token, "USDC"},
		{"lantern", "Lantern", "Finds the photo you mean by describing it. Everything stays on your machine.", token, "USDC"},
		{"odd", "Pro 🚀 Édition <b>\"x\"</b> & عربى", "Übermäßig lange Donaudampfschifffahrtsgesellschaftskapitänsmützenbezeichnungen fit too.", token, "USDC"},
		{"quarry", "Quarry", "A database client that explains a slow query before you ask.", euros, "EUR"},
	} {
		err := p.app.DB.InsertProduct(p.Context(), db.InsertProductParams{
			ID: store.NewID(), Slug: product.slug, Name: product.name, Summary: product.summary, Position: i + 1,
			Description: "It is for texts that take months.\n\nThere is one window, and no toolbar.",
			Price:       product.price, Currency: product.currency, ActivationLimit: 3,
		})
		if err != nil {
			p.Fatal(err)
		}
	}
}

// order is one that was placed without a browser.
type order struct {
	db.Order
	page string // its own page
	pay  string // the hosted page
}

func (p *place) order(slug string, quantity int) order {
	p.Helper()
	return p.orderWith("", slug, quantity)
}

// orderWith places an order with a provider of the buyer's choice.
func (p *place) orderWith(way, slug string, quantity int) order {
	p.Helper()
	token, err := p.app.Shop.AddToCart(p.Context(), "", slug, quantity)
	if err != nil {
		p.Fatal(err)
	}
	started, err := p.app.Shop.Begin(p.Context(), token, buyer, way)
	if err != nil {
		p.Fatal(err)
	}
	return order{started.Order, started.PageURL, started.PayURL}
}

// practise lets something happen to the order's payment at the platform.
func (p *place) practise(o order, action string, how map[string]any) {
	p.Helper()
	u, err := url.Parse(o.pay)
	if err != nil {
		p.Fatal(err)
	}
	body, err := json.Marshal(how)
	if err != nil {
		p.Fatal(err)
	}
	r, err := http.NewRequestWithContext(p.Context(), http.MethodPost,
		fmt.Sprintf("%s/v1/test/orders/%s/%s", p.payURL, path.Base(u.Path), action), bytes.NewReader(body))
	if err != nil {
		p.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+apiKey)
	r.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		p.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		p.Fatalf("%s of %s: %s", action, o.Number, resp.Status)
	}
}
