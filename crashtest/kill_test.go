package crashtest_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"onceshop/database"
	"onceshop/sandbox"
	"onceshop/testdb"
)

const (
	killOrders = 200
	killKills  = 30
	killBuyers = 6
)

// TestKilledAtAnyMomentTheShopSellsEveryOrderOnce buys from a shop whose process is
// killed again and again, and pays on a platform that sends everything twice and
// out of order.
func TestKilledAtAnyMomentTheShopSellsEveryOrderOnce(t *testing.T) {
	t.Parallel()
	shop := newVictim(t)
	platform := practicePlatform(t, shop)

	selling, sold := context.WithCancel(t.Context())
	defer sold()
	var killing sync.WaitGroup
	killing.Go(func() { shop.killUntil(selling) })

	var next atomic.Int64
	var buying sync.WaitGroup
	for range killBuyers {
		buying.Go(func() {
			for next.Add(1) <= killOrders && selling.Err() == nil {
				pay(t, platform, buy(t, shop))
			}
		})
	}
	buying.Wait()
	eventually(t, "enough kills", func() bool { return shop.kills.Load() >= killKills })
	sold()
	killing.Wait()
	shop.expireLeases()

	eventually(t, "every order delivered and mailed", func() bool {
		return shop.count("SELECT COUNT(*) FROM shop_orders WHERE fulfillment_status = 'delivered'") == killOrders &&
			shop.count("SELECT COUNT(*) FROM shop_mailbox") == killOrders &&
			shop.count("SELECT COUNT(*) FROM shop_events WHERE status <> 'done'") == 0
	})
	for query, want := range map[string]int{
		"SELECT COUNT(*) FROM shop_orders WHERE payment_status = 'paid'":                                                         killOrders,
		"SELECT COUNT(*) FROM shop_licenses":                                                                                     killOrders,
		"SELECT COUNT(DISTINCT key_hash) FROM shop_licenses":                                                                     killOrders,
		"SELECT COUNT(*) FROM shop_fulfillment_outbox WHERE status <> 'done'":                                                    0,
		"SELECT COUNT(*) FROM shop_event_conflicts":                                                                              0,
		"SELECT COUNT(*) FROM shop_orders o WHERE revision <> (SELECT COUNT(*) FROM shop_order_revisions WHERE order_id = o.id)": 0,
		"SELECT COUNT(*) FROM shop_payments WHERE order_id IS NULL":                                                              0,
	} {
		if got := shop.count(query); got != want {
			t.Errorf("%s: %d, want %d", query, got, want)
		}
	}
	t.Logf("%d kills, %d orders; %d events in %d deliveries; %d mails in %d sends", shop.kills.Load(), killOrders,
		shop.count("SELECT COUNT(*) FROM shop_events"), shop.count("SELECT SUM(deliveries) FROM shop_events"),
		shop.count("SELECT COUNT(*) FROM shop_mailbox"), shop.count("SELECT SUM(sent) FROM shop_mailbox"))
}

// practicePlatform runs a sandbox that delivers to the shop, twice and reordered.
func practicePlatform(t *testing.T, shop *victim) *httptest.Server {
	t.Helper()
	db, err := database.Open(t.Context(), testdb.NewSandbox(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	server := httptest.NewUnstartedServer(nil)
	address := "http://" + server.Listener.Addr().String()
	platform, err := sandbox.New(sandbox.Config{
		DB: db, APIKey: platformKey, PublicURL: address, TimeScale: 0.005, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	server.Config.Handler = platform.Handler()
	server.Start()
	t.Cleanup(server.Close)
	if _, err := platform.AddEndpoint(t.Context(), sandbox.StableIn, shop.url+"/webhooks/stablein", webhookSecret); err != nil {
		t.Fatal(err)
	}
	if err := platform.SetFaults(t.Context(), sandbox.Faults{Duplicate: 1, Reorder: true, DelayMS: 150}); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	var running sync.WaitGroup
	running.Go(func() {
		if err := platform.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() { stop(); running.Wait() })
	shop.platform = address
	shop.start()
	return server
}

// buy orders one product over the shop's pages, however often the shop dies
// meanwhile, and returns the address of its payment page.
func buy(t *testing.T, shop *victim) string {
	jar, _ := cookiejar.New(nil) // its only error is for options that aren't given
	client := &http.Client{Jar: jar, Timeout: 5 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	defer client.CloseIdleConnections()
	post := func(path string, form url.Values, want string) (location string) {
		eventually(t, "POST "+path, func() bool {
			resp, err := client.PostForm(shop.url+path, form)
			if err != nil {
				return false // it was killed
			}
			defer resp.Body.Close()
			location = resp.Header.Get("Location")
			return resp.StatusCode == http.StatusSeeOther && strings.HasPrefix(location, want)
		})
		return location
	}
	post("/cart/lines", url.Values{"product": {"product"}, "quantity": {"1"}}, "/cart")
	// The cart may have got the product more than once: say how many are meant.
	post("/cart/lines/product", url.Values{"quantity": {"1"}}, "/cart")
	return post("/checkout", url.Values{"email": {"buyer@example.com"}}, shop.platform+"/pay/")
}

// pay lets the platform's practice API pay: one part of the orders at once, the
// other in two steps.
func pay(t *testing.T, platform *httptest.Server, page string) {
	id := page[strings.LastIndex(page, "/")+1:]
	act := func(action, body string) {
		r, err := http.NewRequest(http.MethodPost, platform.URL+"/v1/test/orders/"+id+"/"+action, strings.NewReader(body))
		if err != nil {
			t.Error(err)
			return
		}
		r.Header.Set("Authorization", "Bearer "+platformKey)
		r.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Error(err)
			return
		}
		defer resp.Body.Close()
		if body, _ := io.ReadAll(resp.Body); resp.StatusCode != http.StatusOK {
			t.Errorf("%s: %d %s", action, resp.StatusCode, body)
		}
	}
	if rand.N(2) == 0 {
		act("pay", "{}")
		return
	}
	act("pay", `{"confirmations":1}`)
	act("confirm", "{}")
}

// eventually asks again and again, for as long as the test may run.
func eventually(t *testing.T, what string, done func() bool) {
	ask := time.NewTicker(20 * time.Millisecond)
	defer ask.Stop()
	for !done() {
		select {
		case <-t.Context().Done():
			t.Errorf("the test ended before: %s", what)
			return
		case <-ask.C:
		}
	}
}

// freePort is an address that nothing listens on, for a process that has to come
// back to the same one.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return fmt.Sprint(l.Addr())
}
