package sandbox_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"onceshop/sandbox"
	"onceshop/sandbox/sandboxtest"
	"onceshop/testdb"
)

const (
	apiKey = sandboxtest.Key
	secret = "a-shop-secret-for-tests"
)

// bench is a sandbox, a client of StableIn's API, and a shop that hears StableIn's
// events.
type bench struct {
	*sandboxtest.Bench
	shop *sandboxtest.Shop
}

func setup(t *testing.T, adjust ...func(*sandbox.Config)) *bench {
	t.Helper()
	public := func(c *sandbox.Config) { c.PublicURL = "https://pay.example" }
	b := sandboxtest.With(t, testdb.NewSandbox(t), append(adjust, public)...)
	return &bench{b, b.Listen(sandbox.StableIn, secret)}
}

// call speaks to the API and decodes the answer.
func (b *bench) call(method, path, key, body string) (status int, answer object) {
	b.T.Helper()
	status, _, raw := b.raw(method, path, key, body)
	if err := json.Unmarshal(raw, &answer); err != nil {
		b.T.Fatalf("%s %s answered %d %q: %v", method, path, status, raw, err)
	}
	return status, answer
}

func (b *bench) raw(method, path, key, body string) (int, http.Header, []byte) {
	b.T.Helper()
	status, header, raw, err := b.try(method, path, key, body)
	if err != nil {
		b.T.Fatal(err)
	}
	return status, header, raw
}

// try is raw for goroutines, which must not end the test.
func (b *bench) try(method, path, key, body string) (int, http.Header, []byte, error) {
	r, err := http.NewRequestWithContext(b.T.Context(), method, b.URL+path, strings.NewReader(body))
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
	b.T.Helper()
	start := make(chan struct{})
	statuses, answers = make([]int, n), make([]string, n)
	var callers sync.WaitGroup
	for i := range n {
		callers.Go(func() {
			<-start
			status, _, raw, err := b.try(call(i))
			if err != nil {
				b.T.Error(err)
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
	b.T.Helper()
	status, answer := b.call(method, path, key, body)
	if status/100 != 2 {
		b.T.Fatalf("%s %s answered %d %v", method, path, status, answer)
	}
	return answer
}

const euros = `{"merchantOrderId":"A-1001","amount":"4900","currency":"EUR","description":"A license",
	"returnUrl":"https://shop.example/return","cancelUrl":"https://shop.example/cart"}`

// order creates an order of 49.00 and returns its id. Its first event is sent.
func (b *bench) order() string {
	b.T.Helper()
	answer := b.must("POST", "/v1/orders", "key-"+b.T.Name()+time.Now().String(), euros)
	b.Deliver()
	return answer.At("order").Text("id")
}

// act presses a practice action and returns the order.
func (b *bench) act(id, action, body string) object {
	b.T.Helper()
	return b.must("POST", "/v1/test/orders/"+id+"/"+action, "", body).At("order")
}

func (b *bench) exec(query string, args ...any) {
	b.T.Helper()
	if _, err := b.DB.ExecContext(b.T.Context(), query, args...); err != nil {
		b.T.Fatal(err)
	}
}

// count is for SELECT COUNT(*) and the like.
func (b *bench) count(query string, args ...any) (n int) {
	b.T.Helper()
	if err := b.DB.QueryRowContext(b.T.Context(), query, args...).Scan(&n); err != nil {
		b.T.Fatal(err)
	}
	return n
}

type delivered = sandboxtest.Delivered

// The headers of a delivery.
func eventID(d delivered) string   { return d.Header.Get("StableIn-Event-Id") }
func timestamp(d delivered) string { return d.Header.Get("StableIn-Timestamp") }
func signed(d delivered) string    { return d.Header.Get("StableIn-Signature") }

type object = sandboxtest.Object

func serve(t *testing.T, s *sandbox.Server) (url string) {
	t.Helper()
	server := httptest.NewServer(s.Handler())
	t.Cleanup(server.Close)
	return server.URL
}
