package checkoutcom_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"onceshop/payment"
	"onceshop/providers/checkoutcom"
	"onceshop/providers/signing"
	"onceshop/providers/vectortest"
)

const (
	secret   = "test-cko-signature-key"
	previous = "test-cko-signature-key-previous"
	apiKey   = "sk_sbox_canaryabcdefghijklmnopq"
	ref      = "7d0c2a54-1c1b-4c8e-9a55-3b1d6f2e9001"
)

var now = time.Unix(1767229205, 0)

func config() checkoutcom.Config {
	return checkoutcom.Config{
		Secrets: []signing.Secret{{ID: "current", Key: secret}}, APIKey: apiKey, BillingCountry: "DE", Now: func() time.Time { return now },
	}
}

func adapter(t testing.TB, c checkoutcom.Config) *checkoutcom.Adapter {
	t.Helper()
	a, err := checkoutcom.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	return a
}

func signed(body string) http.Header {
	return http.Header{checkoutcom.SignatureHeader: {checkoutcom.Sign(secret, []byte(body))}}
}

// parse is what an event with this body says.
func parse(t testing.TB, body string) payment.Event {
	t.Helper()
	a := adapter(t, config())
	if _, err := a.Verify(signed(body), []byte(body), now); err != nil {
		t.Fatal(err)
	}
	events, err := a.Parse(signed(body), []byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return events[0]
}

func sample(t testing.TB, id string) vectortest.Event {
	t.Helper()
	for _, e := range vectortest.Read(t, "checkout", "testdata").Events.Events {
		if e.ID == id {
			return e
		}
	}
	t.Fatalf("no sample %s", id)
	return vectortest.Event{}
}

// platform stands in for Checkout.com: payments with what was done to them.
type platform struct {
	sync.Mutex
	payments []*pay // the newest first
	disputes []string
	unlisted map[string]bool // by id: the list by reference is behind
	refuse   int             // status of the answer to a refund; 0: it is taken
	asked    []string        // "GET /payments?…"
	bodies   []string
	keys     []string // of refunds
	pages    int      // hosted pages that were made
}

type pay struct {
	id, reference, status string
	amount                int64
	captured, refunded    int64
	currency              string
	actions               []string
	briefly, unbalanced   bool  // lists leave the balances out; nobody has them
	withheld              int64 // of what could be refunded
	noReference           bool
}

func (p *pay) json(listed bool) string {
	fields := []string{
		fmt.Sprintf(`"id":%q`, p.id), fmt.Sprintf(`"status":%q`, p.status), fmt.Sprintf(`"amount":%d`, p.amount), fmt.Sprintf(`"currency":%q`, cmp.Or(p.currency, "EUR")),
		`"requested_on":"2026-01-01T00:00:00.1234567Z","approved":true,"risk":{"flagged":false,"score":0},"metadata":{"zz":[]}`,
	}
	if !p.noReference {
		reference, _ := json.Marshal(p.reference)
		fields = append(fields, `"reference":`+string(reference))
	}
	if !p.unbalanced && !(listed && p.briefly) {
		fields = append(fields, fmt.Sprintf(`"balances":{"total_authorized":%d,"total_captured":%d,"total_refunded":%d,"available_to_refund":%d}`,
			p.amount, p.captured, p.refunded, p.captured-p.refunded-p.withheld))
	}
	return "{" + strings.Join(fields, ",") + "}"
}

func (p *platform) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.Lock()
	defer p.Unlock()
	body, _ := io.ReadAll(r.Body)
	p.asked = append(p.asked, r.Method+" "+r.URL.RequestURI())
	p.bodies = append(p.bodies, string(body))
	if r.Header.Get("Authorization") != "Bearer "+apiKey {
		w.WriteHeader(401)
		return
	}
	rest, ofPayment := strings.CutPrefix(r.URL.Path, "/payments/")
	id, what, _ := strings.Cut(rest, "/")
	i := slices.IndexFunc(p.payments, func(c *pay) bool { return c.id == id })
	switch {
	case r.Method == "POST" && r.URL.Path == "/hosted-payments":
		p.hosted(w, body)
	case r.Method == "POST" && r.URL.Path == "/payments/search":
		p.search(w, 0, body)
	case r.Method == "GET" && strings.HasPrefix(r.URL.Path, "/payments/search/"):
		skip, _ := strconv.Atoi(r.URL.Query().Get("token"))
		p.search(w, skip, []byte(`{"limit":2}`))
	case r.Method == "GET" && r.URL.Path == "/payments":
		p.list(w, r)
	case r.Method == "GET" && r.URL.Path == "/disputes":
		p.disputed(w, r)
	case !ofPayment || i < 0:
		w.WriteHeader(404)
	case r.Method == "GET" && what == "":
		io.WriteString(w, p.payments[i].json(false))
	case r.Method == "GET" && what == "actions":
		io.WriteString(w, "["+strings.Join(p.payments[i].actions, ",")+"]")
	case r.Method == "POST" && what == "refunds":
		p.refund(w, r, p.payments[i], body)
	default:
		w.WriteHeader(404)
	}
}

func (p *platform) hosted(w http.ResponseWriter, body []byte) {
	var c struct{ Reference string }
	if err := json.Unmarshal(body, &c); err != nil {
		w.WriteHeader(422)
		return
	}
	p.pages++
	w.WriteHeader(201)
	fmt.Fprintf(w, `{"id":"hpp_%d","reference":%q,"_links":{"self":{"href":"https://api.sandbox.checkout.com/hosted-payments/hpp_1"},"redirect":{"href":"https://pay.sandbox.checkout.com/page/hpp_%d"}}}`,
		p.pages, c.Reference, p.pages)
}

func (p *platform) list(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	limit, _ := strconv.Atoi(q.Get("limit"))
	skip, _ := strconv.Atoi(q.Get("skip"))
	if limit < 1 || limit > 100 || q.Get("reference") == "" {
		w.WriteHeader(422)
		return
	}
	var found []string
	for _, c := range p.payments {
		if strings.HasPrefix(strings.ToLower(c.reference), strings.ToLower(q.Get("reference"))) && !p.unlisted[c.id] {
			found = append(found, c.json(true))
		}
	}
	page := found[min(skip, len(found)):min(skip+limit, len(found))]
	fmt.Fprintf(w, `{"limit":%d,"skip":%d,"total_count":%d,"data":[%s]}`, limit, skip, len(found), strings.Join(page, ","))
}

func (p *platform) disputed(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	limit, _ := strconv.Atoi(q.Get("limit"))
	skip, _ := strconv.Atoi(q.Get("skip"))
	var found []string
	for _, d := range p.disputes {
		if strings.Contains(d, `"`+cmp.Or(q.Get("payment_reference"), q.Get("payment_id"), "dsp_")) || q.Get("from") != "" {
			found = append(found, d)
		}
	}
	page := found[min(skip, len(found)):min(skip+limit, len(found))]
	fmt.Fprintf(w, `{"limit":%d,"skip":%d,"total_count":%d,"data":[%s]}`, limit, skip, len(found), strings.Join(page, ","))
}

// search writes words as the search does, and knows nothing of balances.
func (p *platform) search(w http.ResponseWriter, skip int, body []byte) {
	var c struct{ Limit int }
	if err := json.Unmarshal(body, &c); err != nil || c.Limit < 1 || c.Limit > 1000 {
		w.WriteHeader(422)
		return
	}
	var found []string
	for _, c := range p.payments {
		found = append(found, fmt.Sprintf(`{"id":%q,"reference":%q,"status":"captured","amount":1,"balances":{"total_captured":1},"actions":[{"processed_on":"2023-08-25T14:15:24.3448464ZZ"}]}`, c.id, c.reference))
	}
	end := min(skip+c.Limit, len(found))
	links := "{}"
	if end < len(found) {
		links = fmt.Sprintf(`{"next":{"href":"https://elsewhere.example/payments/search/nGd7-alt?token=%d"}}`, end)
	}
	fmt.Fprintf(w, `{"data":[%s],"_links":%s}`, strings.Join(found[min(skip, len(found)):end], ","), links)
}

func (p *platform) refund(w http.ResponseWriter, r *http.Request, c *pay, body []byte) {
	if p.refuse != 0 {
		w.WriteHeader(p.refuse)
		io.WriteString(w, `{"request_id":"canary","error_type":"request_invalid","error_codes":["refund_not_allowed"]}`)
		return
	}
	var asked struct {
		Amount   int64
		Metadata map[string]string
	}
	if err := json.Unmarshal(body, &asked); err != nil {
		w.WriteHeader(422)
		return
	}
	p.keys = append(p.keys, r.Header.Get("Cko-Idempotency-Key"))
	metadata, _ := json.Marshal(asked.Metadata)
	id := fmt.Sprintf("act_refund_%d", len(p.keys))
	c.refunded += asked.Amount
	c.actions = append(c.actions, fmt.Sprintf(`{"id":%q,"type":"Refund","amount":%d,"approved":true,"response_code":"10000","metadata":%s}`, id, asked.Amount, metadata))
	w.WriteHeader(202)
	fmt.Fprintf(w, `{"action_id":%q,"reference":"","_links":{}}`, id)
}

// serve is an adapter that asks p.
func serve(t testing.TB, p http.Handler) *checkoutcom.Adapter {
	t.Helper()
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	c := config()
	c.BaseURL, c.HTTP = server.URL, server.Client()
	return adapter(t, c)
}

func captured(id string, amount int64) *pay {
	return &pay{id: id, reference: ref, status: "Captured", amount: amount, captured: amount, actions: []string{capture("act_"+id, amount)}}
}

func attempted(id, status string) *pay {
	return &pay{id: id, reference: ref, status: status, amount: 2500, unbalanced: true}
}

func capture(id string, amount int64) string {
	return fmt.Sprintf(`{"id":%q,"type":"Capture","amount":%d,"approved":true,"response_code":"10000"}`, id, amount)
}

func dispute(id, paymentID, status string) string {
	return fmt.Sprintf(`{"id":%q,"category":"general","status":%q,"amount":2500.0,"currency":"EUR","payment_id":%q,"payment_reference":%q}`, id, status, paymentID, ref)
}

func checkQuiet(t *testing.T, err error) {
	t.Helper()
	for _, hidden := range []string{"canary", apiKey, "Bearer", secret} {
		if strings.Contains(fmt.Sprintf("%v %+v", err, err), hidden) {
			t.Errorf("the error says too much: %v", err)
		}
	}
}
