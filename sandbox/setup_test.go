package sandbox_test

import (
	"bytes"
	"database/sql"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"onceshop/database"
	"onceshop/sandbox"
	"onceshop/sandbox/sandboxtest"
	"onceshop/testdb"
)

const (
	apiKey = "test-key-of-the-sandbox"
	secret = "a-shop-secret-for-tests"
)

// bench is a sandbox on a database of its own, a client of its API, and a shop
// that records what is delivered to it. Nothing runs by itself.
type bench struct {
	t      *testing.T
	db     *sql.DB
	config sandbox.Config
	*sandbox.Server
	url  string
	shop *shop
	now  *clock
}

func setup(t *testing.T, adjust ...func(*sandbox.Config)) *bench {
	t.Helper()
	b := &bench{t: t, db: open(t), now: &clock{at: time.Unix(1_767_225_600, 0)}}
	b.config = sandbox.Config{
		DB: b.db, APIKey: apiKey, PublicURL: "https://pay.example",
		Log: slog.New(slog.DiscardHandler), Now: b.now.read,
	}
	for _, f := range adjust {
		f(&b.config)
	}
	b.Server = b.another()
	server := httptest.NewServer(b.Handler())
	t.Cleanup(server.Close)
	b.url = server.URL
	b.shop = newShop(t)
	b.register(b.shop)
	return b
}

func open(t *testing.T) *sql.DB {
	t.Helper()
	db, err := database.Open(t.Context(), testdb.NewSandbox(t))
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

// another is a second process on the same database.
func (b *bench) another() *sandbox.Server {
	b.t.Helper()
	s, err := sandbox.New(b.config)
	if err != nil {
		b.t.Fatal(err)
	}
	return s
}

func (b *bench) register(s *shop) sandbox.Endpoint {
	b.t.Helper()
	e, err := b.AddEndpoint(b.t.Context(), sandbox.StableIn, s.url, secret)
	if err != nil {
		b.t.Fatal(err)
	}
	return e
}

// call speaks to the API and decodes the answer.
func (b *bench) call(method, path, key, body string) (status int, answer object) {
	b.t.Helper()
	status, _, raw := b.raw(method, path, key, body)
	if err := json.Unmarshal(raw, &answer); err != nil {
		b.t.Fatalf("%s %s answered %d %q: %v", method, path, status, raw, err)
	}
	return status, answer
}

func (b *bench) raw(method, path, key, body string) (int, http.Header, []byte) {
	b.t.Helper()
	status, header, raw, err := b.try(method, path, key, body)
	if err != nil {
		b.t.Fatal(err)
	}
	return status, header, raw
}

// try is raw for goroutines, which must not end the test.
func (b *bench) try(method, path, key, body string) (int, http.Header, []byte, error) {
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.url+path, strings.NewReader(body))
	if err != nil {
		return 0, nil, nil, err
	}
	r.Header.Set("Authorization", "Bearer "+apiKey)
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, nil, nil, err
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	return response.StatusCode, response.Header, raw, err
}

// together makes n calls at the same moment, each with its own number.
func (b *bench) together(n int, call func(i int) (method, path, key, body string)) (statuses []int, answers []string) {
	b.t.Helper()
	start := make(chan struct{})
	statuses, answers = make([]int, n), make([]string, n)
	var callers sync.WaitGroup
	for i := range n {
		callers.Go(func() {
			<-start
			status, _, raw, err := b.try(call(i))
			if err != nil {
				b.t.Error(err)
			}
			statuses[i], answers[i] = status, string(raw)
		})
	}
	close(start)
	callers.Wait()
	return statuses, answers
}

// must is call for what has to succeed.
func (b *bench) must(method, path, key, body string) object {
	b.t.Helper()
	status, answer := b.call(method, path, key, body)
	if status/100 != 2 {
		b.t.Fatalf("%s %s answered %d %v", method, path, status, answer)
	}
	return answer
}

const euros = `{"merchantOrderId":"A-1001","amount":"4900","currency":"EUR","description":"A license",
	"returnUrl":"https://shop.example/return","cancelUrl":"https://shop.example/cart"}`

// order creates an order of 49.00 and returns its id. Its first event is sent.
func (b *bench) order() string {
	b.t.Helper()
	answer := b.must("POST", "/v1/orders", "key-"+b.t.Name()+time.Now().String(), euros)
	b.deliver()
	return answer.At("order").Text("id")
}

// act presses a practice action and returns the order.
func (b *bench) act(id, action, body string) object {
	b.t.Helper()
	return b.must("POST", "/v1/test/orders/"+id+"/"+action, "", body).At("order")
}

// deliver sends all that is due now.
func (b *bench) deliver() {
	b.t.Helper()
	for {
		n, err := b.DeliverOnce(b.t.Context())
		if err != nil {
			b.t.Fatal(err)
		}
		if n == 0 {
			return
		}
	}
}

// later makes everything that waits due, in place of waiting.
func (b *bench) later() {
	b.t.Helper()
	b.exec("UPDATE pay_webhook_deliveries SET next_attempt_at = NOW(6) WHERE status = 'pending'")
}

func (b *bench) exec(query string, args ...any) {
	b.t.Helper()
	if _, err := b.db.ExecContext(b.t.Context(), query, args...); err != nil {
		b.t.Fatal(err)
	}
}

// count is for SELECT COUNT(*) and the like.
func (b *bench) count(query string, args ...any) (n int) {
	b.t.Helper()
	if err := b.db.QueryRowContext(b.t.Context(), query, args...).Scan(&n); err != nil {
		b.t.Fatal(err)
	}
	return n
}

// faults sets the general switches.
func (b *bench) faults(f sandbox.Faults) {
	b.t.Helper()
	if err := b.SetFaults(b.t.Context(), f); err != nil {
		b.t.Fatal(err)
	}
}

// clock is a host clock that tests move.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) read() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.at }

func (c *clock) move(d time.Duration) { c.mu.Lock(); defer c.mu.Unlock(); c.at = c.at.Add(d) }

// shop is the other end of the deliveries.
type shop struct {
	url string

	mu     sync.Mutex
	got    []delivered
	answer func(delivered) int
}

type delivered struct {
	eventID, timestamp, signature string
	body                          []byte
}

func newShop(t *testing.T) *shop {
	t.Helper()
	s := &shop{answer: func(delivered) int { return http.StatusOK }}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.url = server.URL + "/webhooks/stablein"
	return s
}

func (s *shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body bytes.Buffer
	if _, err := body.ReadFrom(r.Body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	d := delivered{
		r.Header.Get("StableIn-Event-Id"), r.Header.Get("StableIn-Timestamp"), r.Header.Get("StableIn-Signature"), body.Bytes(),
	}
	s.mu.Lock()
	s.got = append(s.got, d)
	answer := s.answer
	s.mu.Unlock()
	w.WriteHeader(answer(d))
}

// answers decides what the shop says from now on.
func (s *shop) answers(f func(delivered) int) { s.mu.Lock(); defer s.mu.Unlock(); s.answer = f }

func (s *shop) always(status int) { s.answers(func(delivered) int { return status }) }

// take returns what has arrived since the last take.
func (s *shop) take() []delivered {
	s.mu.Lock()
	defer s.mu.Unlock()
	got := s.got
	s.got = nil
	return got
}

type object = sandboxtest.Object

func serve(t *testing.T, s *sandbox.Server) (url string) {
	t.Helper()
	server := httptest.NewServer(s.Handler())
	t.Cleanup(server.Close)
	return server.URL
}
