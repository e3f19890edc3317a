package sandbox_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"go.uber.org/goleak"

	"onceshop/sandbox"
	"onceshop/sandbox/sandboxtest"
	"onceshop/testdb"
)

func (b *bench) timeOver(id string) {
	b.T.Helper()
	b.exec("UPDATE pay_orders SET expires_at = NOW(6) - INTERVAL 1 SECOND WHERE id = ?", id)
}

func (b *bench) once(pass func(context.Context) (int, error)) int {
	b.T.Helper()
	n, err := pass(b.T.Context())
	if err != nil {
		b.T.Fatal(err)
	}
	return n
}

func TestOrdersExpireWhenTheirTimeIsOver(t *testing.T) {
	t.Parallel()
	b := setup(t)
	young, old, part, confirming, paid := b.order(), b.order(), b.order(), b.order(), b.order()
	b.act(part, "underpay", "")
	b.act(confirming, "pay", `{"confirmations":3}`)
	b.act(paid, "pay", "")
	for _, id := range []string{old, part, confirming, paid} {
		b.timeOver(id)
	}
	if n := b.once(b.ExpireOnce); n != 2 {
		t.Errorf("%d expired", n)
	}
	for id, want := range map[string]string{
		young: "pending", old: "expired", part: "expired", confirming: "confirming", paid: "paid",
	} {
		b.must("GET", "/v1/orders/"+id, "", "").Expect(t, object{"paymentStatus": want})
	}
	b.must("GET", "/v1/orders/"+part, "", "").Expect(t, object{"receivedAmount": "2450", "revision": "3"})
	if n := b.once(b.ExpireOnce); n != 0 {
		t.Errorf("%d expired twice", n)
	}
}

func TestBlocksComeByThemselvesOnlyWhenAsked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.order()
	b.act(id, "pay", `{"confirmations":2}`)
	if n := b.once(b.ConfirmOnce); n != 0 {
		t.Errorf("%d blocks came unasked", n)
	}
	b.Config.AutoConfirm = time.Minute
	automatic := b.Another()
	if n := b.once(automatic.ConfirmOnce); n != 0 {
		t.Errorf("%d blocks came before their time", n)
	}
	for _, want := range []string{"confirming", "paid"} {
		b.exec("UPDATE pay_orders SET updated_at = NOW(6) - INTERVAL 61 SECOND")
		if n := b.once(automatic.ConfirmOnce); n != 1 {
			t.Errorf("%d blocks came", n)
		}
		b.must("GET", "/v1/orders/"+id, "", "").Expect(t, object{"paymentStatus": want})
	}
	b.exec("UPDATE pay_orders SET updated_at = NOW(6) - INTERVAL 61 SECOND")
	if n := b.once(automatic.ConfirmOnce); n != 0 {
		t.Errorf("%d blocks came after the last", n)
	}
}

func TestRunDeliversAtOnceAndStopsWithoutLeavingAnything(t *testing.T) {
	ignore := goleak.IgnoreCurrent()
	b := setup(t)
	arrived := make(chan delivered, 10)
	b.shop.Answers(func(d delivered) int { arrived <- d; return http.StatusOK })
	b.Config.HTTP = &http.Client{Transport: &http.Transport{}}
	running := b.Another()
	handler := serve(t, running)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- running.Run(ctx) }()

	b.URL = handler
	id := b.must("POST", "/v1/orders", "k", euros).At("order").Text("id")
	<-arrived
	b.act(id, "pay", "")
	<-arrived
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	http.DefaultClient.CloseIdleConnections()
	t.Cleanup(func() {
		// Runs before the cleanups of setup: what those own is still there.
		goleak.VerifyNone(t, ignore, goleak.IgnoreAnyFunction("net/http.(*Server).Serve"),
			goleak.IgnoreAnyFunction("net/http.(*conn).serve"), goleak.IgnoreAnyFunction("net/http.(*connReader).backgroundRead"),
			goleak.IgnoreAnyFunction("database/sql.(*DB).connectionOpener"), goleak.IgnoreAnyFunction("database/sql.(*DB).connectionCleaner"),
			goleak.IgnoreAnyFunction("github.com/go-sql-driver/mysql.(*mysqlConn).startWatcher.func1"))
	})
}

func TestASandboxWithBadSettingsDoesNotStart(t *testing.T) {
	t.Parallel()
	db := sandboxtest.Open(t, testdb.NewSandbox(t))
	good := sandbox.Config{DB: db, APIKey: apiKey, PublicURL: "http://127.0.0.1:8090"}
	for name, spoil := range map[string]func(*sandbox.Config){
		"no database":     func(c *sandbox.Config) { c.DB = nil },
		"no key":          func(c *sandbox.Config) { c.APIKey = "" },
		"a short key":     func(c *sandbox.Config) { c.APIKey = "short" },
		"a key in blanks": func(c *sandbox.Config) { c.APIKey = apiKey + " " },
		"no URL":          func(c *sandbox.Config) { c.PublicURL = "" },
		"a file URL":      func(c *sandbox.Config) { c.PublicURL = "file:///tmp" },
		"time backwards":  func(c *sandbox.Config) { c.TimeScale = -1 },
	} {
		t.Run(name, func(t *testing.T) {
			c := good
			spoil(&c)
			if _, err := sandbox.New(c); err == nil {
				t.Error("it started")
			}
		})
	}
}
