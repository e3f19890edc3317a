package razorpay_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"onceshop/payment"
	"onceshop/providers/razorpay"
	"onceshop/providers/signing"
)

// record is one of Razorpay's, as JSON has it.
type record map[string]any

// with is a copy with other members.
func (r record) with(changes record) record {
	c := record{}
	for _, m := range []record{r, changes} {
		for name, value := range m {
			c[name] = value
		}
	}
	return c
}

// fake is a server in Razorpay's place: it keeps records and refuses what Razorpay
// refuses, names that it doesn't know among it.
type fake struct {
	t testing.TB
	sync.Mutex
	payments, orders, links, refunds, disputes []record
	refundKeys                                 map[string]string // body by X-Refund-Idempotency
	asked                                      []string          // method and address
	unlisted                                   bool              // the list of links is behind
	before                                     func(w http.ResponseWriter, r *http.Request) (done bool)
}

const (
	keyID     = "rzp_test_canarykey"
	keySecret = "canary-key-secret"
)

// at is an adapter that asks the fake, with the clock at now.
func (f *fake) adapter(t testing.TB) *razorpay.Adapter {
	t.Helper()
	f.t = t
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	return adapter(t, razorpay.Config{
		Secrets: []signing.Secret{{ID: "current", Key: secret}}, BaseURL: server.URL + "/v1", KeyID: keyID, KeySecret: keySecret,
		HTTP: server.Client(), Now: func() time.Time { return now },
	})
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.Lock()
	defer f.Unlock()
	f.asked = append(f.asked, r.Method+" "+r.URL.RequestURI())
	if id, password, ok := r.BasicAuth(); !ok || id != keyID || password != keySecret {
		refuse(w, 401, "The api key provided is invalid")
		return
	}
	if f.before != nil && f.before(w, r) {
		return
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/payment_links", f.createLink)
	mux.HandleFunc("GET /v1/payment_links", f.listLinks)
	mux.HandleFunc("GET /v1/payment_links/{id}", func(w http.ResponseWriter, r *http.Request) { one(w, r, f.links) })
	mux.HandleFunc("GET /v1/payments", func(w http.ResponseWriter, r *http.Request) { list(w, r, f.payments, "") })
	mux.HandleFunc("GET /v1/payments/{id}", func(w http.ResponseWriter, r *http.Request) { one(w, r, f.payments) })
	mux.HandleFunc("GET /v1/payments/{id}/refunds", func(w http.ResponseWriter, r *http.Request) { list(w, r, f.refunds, "payment_id") })
	mux.HandleFunc("POST /v1/payments/{id}/refund", f.refund)
	mux.HandleFunc("GET /v1/orders", func(w http.ResponseWriter, r *http.Request) {
		receipt := r.URL.Query().Get("receipt")
		answer(w, collection(slices.DeleteFunc(slices.Clone(f.orders), func(o record) bool { return o["receipt"] != receipt })))
	})
	mux.HandleFunc("GET /v1/orders/{id}", func(w http.ResponseWriter, r *http.Request) { one(w, r, f.orders) })
	mux.HandleFunc("GET /v1/orders/{id}/payments", func(w http.ResponseWriter, r *http.Request) {
		answer(w, collection(slices.DeleteFunc(slices.Clone(f.payments), func(p record) bool { return p["order_id"] != r.PathValue("id") })))
	})
	mux.HandleFunc("GET /v1/refunds", func(w http.ResponseWriter, r *http.Request) { list(w, r, f.refunds, "") })
	mux.HandleFunc("GET /v1/disputes", func(w http.ResponseWriter, r *http.Request) { list(w, r, f.disputes, "") })
	mux.ServeHTTP(w, r)
}

func answer(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(body); err != nil {
		panic(err)
	}
}

func refuse(w http.ResponseWriter, status int, description string) {
	w.WriteHeader(status)
	answer(w, record{"error": record{"code": "BAD_REQUEST_ERROR", "description": description, "metadata": record{}}})
}

func collection(items []record) record {
	if items == nil {
		items = []record{}
	}
	return record{"entity": "collection", "count": len(items), "items": items}
}

func one(w http.ResponseWriter, r *http.Request, records []record) {
	for _, record := range records {
		if record["id"] == r.PathValue("id") {
			answer(w, record)
			return
		}
	}
	refuse(w, 400, "The id provided does not exist")
}

// list is a page of what was created in a window, the newest first.
func list(w http.ResponseWriter, r *http.Request, records []record, by string) {
	q := r.URL.Query()
	for name := range q {
		if !slices.Contains([]string{"from", "to", "count", "skip"}, name) {
			refuse(w, 400, name+" is/are not required and should not be sent")
			return
		}
	}
	number := func(name string, otherwise int) int {
		if n, err := strconv.Atoi(q.Get(name)); err == nil {
			return n
		}
		return otherwise
	}
	var found []record
	for _, record := range records {
		created := record["created_at"].(int)
		if created >= number("from", 0) && created <= number("to", 1<<40) && (by == "" || record[by] == r.PathValue("id")) {
			found = append(found, record)
		}
	}
	slices.Reverse(found)
	found = found[min(number("skip", 0), len(found)):]
	answer(w, collection(found[:min(number("count", 10), len(found))]))
}

func (f *fake) listLinks(w http.ResponseWriter, r *http.Request) {
	q, found := r.URL.Query(), []record{}
	for _, l := range f.links {
		switch {
		case f.unlisted:
		case q.Has("reference_id") && l["reference_id"] == q.Get("reference_id"):
			found = append(found, l)
		case q.Has("payment_id"):
			for _, p := range f.payments {
				if p["id"] == q.Get("payment_id") && p["order_id"] == l["order_id"] {
					found = append(found, l)
				}
			}
		}
	}
	answer(w, record{"payment_links": found})
}

func (f *fake) createLink(w http.ResponseWriter, r *http.Request) {
	var link record
	dec := json.NewDecoder(r.Body)
	dec.UseNumber()
	if err := dec.Decode(&link); err != nil {
		refuse(w, 400, "wrong input fields sent.")
		return
	}
	for name := range link {
		if !slices.Contains([]string{"amount", "currency", "accept_partial", "expire_by", "reference_id", "description", "notify", "notes", "callback_url", "callback_method", "reminder_enable"}, name) {
			refuse(w, 400, name+" is/are not required and should not be sent")
			return
		}
	}
	for _, known := range f.links {
		if known["reference_id"] == link["reference_id"] {
			refuse(w, 400, "payment link creation with reference ID already attempted")
			return
		}
	}
	link = link.with(record{
		"id": fmt.Sprintf("plink_%d", len(f.links)+1), "status": "created", "amount_paid": 0, "payments": nil, "customer": []any{},
		"short_url": fmt.Sprintf("https://rzp.io/i/%d", len(f.links)+1), "created_at": int(now.Unix()),
	})
	f.links = append(f.links, link)
	answer(w, link)
}

func (f *fake) refund(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		f.t.Error(err)
	}
	key := r.Header.Get("X-Refund-Idempotency")
	switch known, repeated := f.refundKeys[key]; {
	case len(key) < 10:
		refuse(w, 400, "The idempotency key must be at least 10 characters long.")
		return
	case repeated && known != r.URL.Path+string(body):
		refuse(w, 409, "Different request with the same idempotency key has already been processed.")
		return
	case !repeated:
		if f.refundKeys == nil {
			f.refundKeys = map[string]string{}
		}
		f.refundKeys[key] = r.URL.Path + string(body)
		var asked struct {
			Amount int
			Notes  record
		}
		if err := json.Unmarshal(body, &asked); err != nil {
			f.t.Error(err)
		}
		f.refunds = append(f.refunds, refund(fmt.Sprintf("rfnd_%d", len(f.refunds)+1), r.PathValue("id"), asked.Amount, "processed").with(record{"notes": asked.Notes}))
	}
	answer(w, f.refunds[len(f.refunds)-1])
}

const (
	ours = "7d0c2a54-1c1b-4c8e-9a55-3b1d6f2e9001"
	born = 1767225600 // when things began, well before now
)

// link is the page of our order, with 2500 paise to pay.
func link(status string, paid int) record {
	return record{
		"id": "plink_A", "reference_id": ours, "order_id": "order_A", "amount": 2500, "amount_paid": paid, "currency": "INR", "status": status,
		"short_url": "https://rzp.io/i/A", "notes": record{"order_ref": ours}, "created_at": born, "customer": []any{},
	}
}

func order(paid int) record {
	return record{
		"id": "order_A", "entity": "order", "amount": 2500, "amount_paid": paid, "amount_due": 2500 - paid, "currency": "INR", "receipt": ours,
		"status": "attempted", "notes": record{"order_ref": ours}, "created_at": born,
	}
}

func attempt(id, status string) record {
	return record{
		"id": id, "entity": "payment", "amount": 2500, "currency": "INR", "status": status, "order_id": "order_A", "captured": status == "captured",
		"amount_refunded": 0, "refund_status": nil, "notes": []any{}, "created_at": born + 30,
	}
}

func refund(id, paymentID string, amount int, status string) record {
	return record{
		"id": id, "entity": "refund", "amount": amount, "currency": "INR", "payment_id": paymentID, "status": status, "notes": []any{}, "created_at": born + 600,
	}
}

func dispute(id, paymentID, phase, status string, deducted int) record {
	return record{
		"id": id, "entity": "dispute", "amount": 2500, "amount_deducted": deducted, "currency": "INR", "payment_id": paymentID, "status": status, "phase": phase,
		"reason_code": "goods_or_services_not_received", "created_at": born + 900,
	}
}

// paid is a page whose second attempt succeeded.
func paid() *fake {
	return &fake{
		links: []record{link("paid", 2500)}, orders: []record{order(2500)},
		payments: []record{attempt("pay_1", "failed"), attempt("pay_2", "captured")},
	}
}

func paise(n int64) payment.Amount { return payment.NewAmount(n) }
