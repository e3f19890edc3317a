package crashtest_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/base64"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"onceshop/database"
	"onceshop/payment"
	"onceshop/store"
	"onceshop/store/db"
	"onceshop/testdb"
)

const (
	platformKey   = "platform-key-of-the-kill-test"
	webhookSecret = "webhook-secret-of-the-kill-test"
)

// victim is a real shop process that can be killed and started again.
type victim struct {
	t        *testing.T
	binary   string
	dsn      string
	pool     *sql.DB
	url      string
	ops      string
	platform string
	kills    atomic.Int64

	mu      sync.Mutex
	process *exec.Cmd
	ended   chan struct{} // closed when process has ended
	output  bytes.Buffer
}

// starts bounds how often a shop is started that ends by itself: while it was dead,
// another program of this machine may have got its port for a connection.
const starts = 500

func newVictim(t *testing.T) *victim {
	t.Helper()
	v := &victim{t: t, dsn: testdb.New(t), binary: filepath.Join(t.TempDir(), "shop")}
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", v.binary, "onceshop/cmd/shop").CombinedOutput(); err != nil {
		t.Fatalf("build the shop: %v\n%s", err, out)
	}
	var err error
	if v.pool, err = database.Open(t.Context(), v.dsn); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.pool.Close() })
	err = store.New(v.pool).InsertProduct(t.Context(), db.InsertProductParams{
		ID: store.NewID(), Slug: "product", Name: "Product", Summary: "One.", Description: "One.",
		Price: payment.NewAmount(49_000_000), Currency: "USDC", ActivationLimit: 1, Position: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	public, ops := freePort(t), freePort(t)
	v.url, v.ops = "http://"+public, "http://"+ops
	t.Cleanup(v.stop)
	return v
}

// start runs the shop and returns when it is ready.
func (v *victim) start() {
	v.mu.Lock()
	defer v.mu.Unlock()
	for range starts {
		if v.startOnce() || v.t.Failed() {
			return
		}
	}
	v.t.Errorf("the shop doesn't start:\n%s", v.output.String())
}

// startOnce returns false if the shop ended before it was ready.
func (v *victim) startOnce() (ready bool) {
	v.output.Reset()
	cmd := exec.Command(v.binary, "serve")
	cmd.Stdout, cmd.Stderr = &v.output, &v.output
	cmd.Env = append(os.Environ(),
		"SHOP_DATABASE_URL="+v.dsn, "SHOP_BASE_URL="+v.url, "SHOP_DEMO=true",
		"SHOP_LISTEN="+strings.TrimPrefix(v.url, "http://"), "SHOP_OPERATIONS_LISTEN="+strings.TrimPrefix(v.ops, "http://"),
		"SHOP_SECRET=order-token-secret-of-the-kill-test-0001", "SHOP_LICENSE_SECRET=license-secret-of-the-kill-test-000001",
		"SHOP_LICENSE_SIGNING_KEY="+base64.StdEncoding.EncodeToString([]byte("signing-key-of-the-kill-test-001")),
		"SHOP_MAIL_URL=mailbox:", "SHOP_MAIL_FROM=shop@shop.example",
		"SHOP_STABLEIN_BASE_URL="+v.platform, "SHOP_STABLEIN_API_KEY="+platformKey, "SHOP_STABLEIN_WEBHOOK_SECRET="+webhookSecret,
	)
	if err := cmd.Start(); err != nil {
		v.t.Error(err)
		return false
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // killed, or ended by itself, which the output tells
		close(ended)
	}()
	v.process, v.ended = cmd, ended
	eventually(v.t, "the shop is ready", func() bool {
		select {
		case <-ended:
			return true
		default:
		}
		resp, err := http.Get(v.ops + "/readyz")
		if err != nil {
			return false
		}
		defer resp.Body.Close()
		ready = resp.StatusCode == http.StatusOK
		return ready
	})
	return ready
}

// killUntil kills and restarts the shop at random moments until ctx ends, and
// leaves it running.
func (v *victim) killUntil(ctx context.Context) {
	for {
		moment := time.NewTimer(30*time.Millisecond + rand.N(400*time.Millisecond))
		select {
		case <-ctx.Done():
			moment.Stop()
			return
		case <-moment.C:
		}
		v.stop()
		v.kills.Add(1)
		v.start()
	}
}

// stop kills the process without asking it.
func (v *victim) stop() {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.process == nil {
		return
	}
	_ = v.process.Process.Kill() // it may have ended by itself
	<-v.ended
	v.process = nil
	if v.t.Failed() {
		v.t.Logf("output of the shop:\n%s", v.output.String())
	}
}

// expireLeases ends the leases of killed processes: the living one takes over
// without the test having to wait half a minute.
func (v *victim) expireLeases() {
	for _, table := range []string{"shop_events", "shop_fulfillment_outbox"} {
		v.exec("UPDATE " + table + " SET lease_until = NOW(6) - INTERVAL 1 SECOND WHERE status = 'leased'")
	}
}

func (v *victim) exec(query string) {
	if _, err := v.pool.ExecContext(v.t.Context(), query); err != nil {
		v.t.Errorf("%s: %v", query, err)
	}
}

func (v *victim) count(query string) (n int) {
	if err := v.pool.QueryRowContext(v.t.Context(), query).Scan(&n); err != nil {
		v.t.Errorf("%s: %v", query, err)
	}
	return n
}
