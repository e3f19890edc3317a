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
	"onceshop/store"
	"onceshop/store/db"
	"onceshop/testdb"
)

const (
	apiKey        = "an-api-key-for-tests"
	webhookSecret = "stablein-shop-secret-current"
	buyer         = "ada@example.com"
)

// place is a shop and the platform that it is paid through, both running whole as
// they do in the demo.
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
	platform, err := sandbox.New(sandbox.Config{DB: pool, APIKey: apiKey, PublicURL: p.payURL, TimeScale: 0.001, Log: silent})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := platform.AddEndpoint(t.Context(), p.url+"/webhooks/stablein", webhookSecret); err != nil {
		t.Fatal(err)
	}
	pages := &httptest.Server{Listener: pay, Config: &http.Server{Handler: platform.Handler()}}
	pages.Start()
	t.Cleanup(pages.Close)

	c, err := config.Load([]string{
		"SHOP_DEMO=true", "SHOP_BASE_URL=" + p.url, "SHOP_DATABASE_URL=" + testdb.New(t),
		"SHOP_SECRET=an-order-secret-of-at-least-32-bytes", "SHOP_LICENSE_SECRET=a-license-secret-of-at-least-32-bytes",
		"SHOP_LICENSE_SIGNING_KEY=" + base64.StdEncoding.EncodeToString([]byte("0123456789abcdef0123456789abcdef")),
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
	for i, product := range [][3]string{
		{"inkwell", "Inkwell", "A quiet editor for long texts. Opens a whole book at once and never loses a word."},
		{"tally", "Tally", "Double-entry bookkeeping for one person, in a file you own."},
		{"lantern", "Lantern", "Finds the photo you mean by describing it. Everything stays on your machine."},
		{"odd", "Pro 🚀 Édition <b>\"x\"</b> & عربى", "Übermäßig lange Donaudampfschifffahrtsgesellschaftskapitänsmützenbezeichnungen fit too."},
	} {
		err := p.app.DB.InsertProduct(p.Context(), db.InsertProductParams{
			ID: store.NewID(), Slug: product[0], Name: product[1], Summary: product[2], Position: i + 1,
			Description: "It is for texts that take months.\n\nThere is one window, and no toolbar.",
			Price:       payment.NewAmount(49_000_000), Currency: "USDC", ActivationLimit: 3,
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
	token, err := p.app.Shop.AddToCart(p.Context(), "", slug, quantity)
	if err != nil {
		p.Fatal(err)
	}
	started, err := p.app.Shop.Begin(p.Context(), token, buyer, "")
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
