package payflow_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"onceshop/payment"
	"onceshop/providers/payflow"
	"onceshop/providers/signing"
)

const (
	secret      = "test-payflow-secret"
	otherSecret = "test-payflow-previous"
	keyID       = "pf_test_canarykey"
	keySecret   = "canary-key-secret"
	clock       = 1767229205
)

var now = time.Unix(clock, 0)

func adapter(t testing.TB, c payflow.Config) *payflow.Adapter {
	t.Helper()
	if c.Secrets == nil {
		c.Secrets = []signing.Secret{{ID: "current", Key: secret}}
	}
	a, err := payflow.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	return a
}

func signed(body string) http.Header {
	h := make(http.Header)
	h.Set(payflow.SignatureHeader, payflow.Sign(secret, []byte(body)))
	return h
}

// receive is what the webhook's route does with a delivery.
func receive(a *payflow.Adapter, h http.Header, body string) (payment.Event, error) {
	if _, err := a.Verify(h, []byte(body), now); err != nil {
		return payment.Event{}, err
	}
	events, err := a.Parse(h, []byte(body))
	if err != nil {
		return payment.Event{}, err
	}
	return events[0], nil
}

// record is one of PayFlow's, as JSON has it.
type record map[string]any

func (r record) with(changes record) record {
	c := record{}
	for _, m := range []record{r, changes} {
		for name, value := range m {
			c[name] = value
		}
	}
	return c
}

func paid(orderID string) record {
	return record{
		"orderId": orderID, "amount": 4999, "currency": "INR", "status": "success", "received": 4999, "refundedTotal": 0, "refunds": []any{}, "disputes": []any{},
		"updatedAt": clock - 60,
	}
}

// fake is a server in PayFlow's place.
type fake struct {
	t testing.TB
	sync.Mutex
	payments []record
	bodies   map[string]record // by idempotency key
	asked    []string
	before   func(w http.ResponseWriter, r *http.Request) (done bool)
}

func (f *fake) adapter(t testing.TB) *payflow.Adapter {
	t.Helper()
	f.t = t
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	return adapter(t, payflow.Config{BaseURL: server.URL + "/v1/", KeyID: keyID, KeySecret: keySecret, HTTP: server.Client()})
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.Lock()
	defer f.Unlock()
	f.asked = append(f.asked, r.Method+" "+r.URL.RequestURI())
	if id, password, ok := r.BasicAuth(); !ok || id != keyID || password != keySecret {
		refuse(w, 401, "UNAUTHORISED")
		return
	}
	if f.before != nil && f.before(w, r) {
		return
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/payment_links", f.create)
	mux.HandleFunc("GET /v1/payments", f.list)
	mux.HandleFunc("GET /v1/payments/{id}", func(w http.ResponseWriter, r *http.Request) {
		if p := f.find(r.PathValue("id")); p != nil {
			answer(w, p)
			return
		}
		refuse(w, 404, "NOT_FOUND")
	})
	mux.HandleFunc("POST /v1/payments/{id}/refund", f.refund)
	mux.ServeHTTP(w, r)
}

func (f *fake) find(id string) record {
	for _, p := range f.payments {
		if p["orderId"] == id {
			return p
		}
	}
	return nil
}

func answer(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(body); err != nil {
		panic(err)
	}
}

func refuse(w http.ResponseWriter, status int, code string) {
	w.WriteHeader(status)
	answer(w, record{"error": record{"code": code, "description": "canary canary"}})
}

// once reads a request's body; known is the first one under its key.
func (f *fake) once(r *http.Request) (body record, known bool) {
	dec := json.NewDecoder(r.Body)
	dec.UseNumber()
	if err := dec.Decode(&body); err != nil {
		f.t.Error(err)
	}
	key := r.Header.Get("Idempotency-Key")
	if key == "" || r.Header.Get("Content-Type") != "application/json" {
		f.t.Errorf("headers %v", r.Header)
	}
	if first, ok := f.bodies[key]; ok {
		return first, true
	}
	if f.bodies == nil {
		f.bodies = map[string]record{}
	}
	f.bodies[key] = body
	return body, false
}

func (f *fake) create(w http.ResponseWriter, r *http.Request) {
	body, _ := f.once(r)
	answer(w, record{"orderId": body["orderId"], "status": "pending", "shortUrl": fmt.Sprintf("https://pay.example/%d", len(f.bodies))})
}

func (f *fake) refund(w http.ResponseWriter, r *http.Request) {
	p := f.find(r.PathValue("id"))
	if p == nil {
		refuse(w, 404, "NOT_FOUND")
		return
	}
	body, known := f.once(r)
	refunds := p["refunds"].([]any)
	if !known {
		n, err := strconv.Atoi(string(body["amount"].(json.Number)))
		if err != nil || len(body) != 1 {
			f.t.Errorf("body %v", body)
		}
		refunds = append(refunds, record{"id": fmt.Sprintf("pf_re_%d", len(refunds)+1), "amount": n, "status": "success"})
		p["refunds"], p["refundedTotal"] = refunds, p["refundedTotal"].(int)+n
	}
	answer(w, refunds[len(refunds)-1])
}

// list has the oldest change first.
func (f *fake) list(w http.ResponseWriter, r *http.Request) {
	number := func(name string) int {
		n, err := strconv.Atoi(r.URL.Query().Get(name))
		if err != nil {
			f.t.Errorf("%s in %s", name, r.URL)
		}
		return n
	}
	found := slices.DeleteFunc(append([]record{}, f.payments...), func(p record) bool { return p["updatedAt"].(int) < number("from") })
	slices.SortStableFunc(found, func(a, b record) int { return a["updatedAt"].(int) - b["updatedAt"].(int) })
	found = found[min(number("skip"), len(found)):]
	found = found[:min(number("count"), len(found))]
	answer(w, record{"items": found, "count": len(found)})
}

func paise(n int64) payment.Amount { return payment.NewAmount(n) }
