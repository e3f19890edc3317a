// Package sandboxtest is a sandbox in a test's hands: on a database of its own, with
// the dialects under test, behind a test server. Nothing runs by itself: a test acts,
// delivers, and looks.
package sandboxtest

import (
	"database/sql"
	"encoding/base64"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"onceshop/database"
	"onceshop/sandbox"
)

// Key is the bearer token of StableIn's API and of the practice API.
const Key = "test-key-of-the-sandbox"

// Bench is a sandbox and what a test does with it.
type Bench struct {
	T  testing.TB
	DB *sql.DB
	*sandbox.Server
	Config sandbox.Config // what it was made of
	URL    string         // where it answers, without a slash at the end

	mu  sync.Mutex
	now time.Time
}

// New starts a sandbox that serves the dialects, on a database of its own:
// testdb.NewSandbox makes one.
func New(t testing.TB, dsn string, dialects ...sandbox.Dialect) *Bench {
	t.Helper()
	return With(t, dsn, func(c *sandbox.Config) { c.Dialects = dialects })
}

// With is New for other settings.
func With(t testing.TB, dsn string, adjust ...func(*sandbox.Config)) *Bench {
	t.Helper()
	b := &Bench{T: t, DB: Open(t, dsn), now: time.Now()}
	var handler http.Handler
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.ServeHTTP(w, r) }))
	t.Cleanup(server.Close)
	b.URL = server.URL
	b.Config = sandbox.Config{DB: b.DB, APIKey: Key, PublicURL: b.URL, Now: b.Now, Log: slog.New(slog.DiscardHandler)}
	for _, f := range adjust {
		f(&b.Config)
	}
	b.Server = b.Another()
	handler = b.Handler()
	return b
}

// Open connects to a database until the test ends.
func Open(t testing.TB, dsn string) *sql.DB {
	t.Helper()
	db, err := database.Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// Another is a second process on the same database.
func (b *Bench) Another() *sandbox.Server {
	b.T.Helper()
	s, err := sandbox.New(b.Config)
	if err != nil {
		b.T.Fatal(err)
	}
	return s
}

// Now is the clock that signatures are made by.
func (b *Bench) Now() time.Time { b.mu.Lock(); defer b.mu.Unlock(); return b.now }

// Move moves that clock.
func (b *Bench) Move(d time.Duration) { b.mu.Lock(); defer b.mu.Unlock(); b.now = b.now.Add(d) }

// Do makes a call of any API and returns its answer.
func (b *Bench) Do(method, path string, header http.Header, body string) (int, http.Header, []byte) {
	b.T.Helper()
	r, err := http.NewRequestWithContext(b.T.Context(), method, b.URL+path, strings.NewReader(body))
	if err != nil {
		b.T.Fatal(err)
	}
	maps.Copy(r.Header, header)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		b.T.Fatal(err)
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		b.T.Fatal(err)
	}
	return response.StatusCode, response.Header, raw
}

// Act does one thing with an order through the practice API, which must take it. ref
// is any id or the merchant's reference; body may be empty.
func (b *Bench) Act(ref, action, body string) Acted {
	b.T.Helper()
	status, raw := b.Practice("POST", "/v1/test/orders/"+url.PathEscape(ref)+"/"+action, body)
	if status != http.StatusOK {
		b.T.Fatalf("%s answered %d %s", action, status, raw)
	}
	var a Acted
	if err := json.Unmarshal(raw, &a, json.MatchCaseInsensitiveNames(true)); err != nil {
		b.T.Fatalf("%s: %v", raw, err)
	}
	return a
}

// Practice makes a call of StableIn's or the practice API.
func (b *Bench) Practice(method, path, body string) (int, []byte) {
	b.T.Helper()
	status, _, raw := b.Do(method, path, http.Header{"Authorization": {"Bearer " + Key}}, body)
	return status, raw
}

// Acted is what an action came to, in the engine's words.
type Acted struct {
	Order struct {
		ID, PageRef, IntentRef, Revision, PaymentStatus, RefundStatus           string
		Amount, ReceivedAmount, RefundedAmount, ReversedAmount, TakenBackAmount string
		Payments, Refunds, Disputes                                             []Named
	}
	Events []struct{ ID, Type string }
}

// Named is an attempt to pay, a refund or a dispute.
type Named struct{ Ref, Status, Amount string }

// Types are the events' types in their order.
func (a Acted) Types() []string {
	var types []string
	for _, e := range a.Events {
		types = append(types, e.Type)
	}
	return types
}

// Faults sets the general switches.
func (b *Bench) Faults(f sandbox.Faults) {
	b.T.Helper()
	if err := b.SetFaults(b.T.Context(), f); err != nil {
		b.T.Fatal(err)
	}
}

// Deliver sends all that is due now.
func (b *Bench) Deliver() {
	b.T.Helper()
	for {
		n, err := b.DeliverOnce(b.T.Context())
		if err != nil {
			b.T.Fatal(err)
		}
		if n == 0 {
			return
		}
	}
}

// Later makes everything that waits due, in place of waiting.
func (b *Bench) Later() {
	b.T.Helper()
	if _, err := b.DB.ExecContext(b.T.Context(),
		"UPDATE pay_webhook_deliveries SET next_attempt_at = NOW(6) WHERE status = 'pending'"); err != nil {
		b.T.Fatal(err)
	}
}

// Heard are the bodies of what arrives at a shop when all is delivered.
func (b *Bench) Heard(s *Shop) (bodies []Object) {
	b.T.Helper()
	b.Deliver()
	for _, d := range s.Take() {
		bodies = append(bodies, Decode[Object](b.T, d.Body))
	}
	return bodies
}

// Basic is the Authorization of basic authentication.
func Basic(id, secret string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(id+":"+secret))
}
