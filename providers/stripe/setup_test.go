package stripe_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"onceshop/payment"
	"onceshop/providers/signing"
	"onceshop/providers/stripe"
)

const (
	current  = "whsec_ourown_current_secret"
	previous = "whsec_ourown_previous_secret"
	apiKey   = "sk_test_canary51Key"
	clock    = 1767225600
)

var now = time.Unix(clock, 0)

func adapter(t testing.TB, c stripe.Config) *stripe.Adapter {
	t.Helper()
	if c.Secrets == nil {
		c.Secrets = []signing.Secret{{ID: "current", Key: current}, {ID: "previous", Key: previous}}
	}
	a, err := stripe.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	return a
}

func header(value string) http.Header {
	h := make(http.Header)
	h.Set(stripe.SignatureHeader, value)
	return h
}

func signed(body string) http.Header { return header(stripe.Sign(current, clock, []byte(body))) }

// receive is what the webhook's handler does with a correct delivery of body.
func receive(t testing.TB, a *stripe.Adapter, body string) payment.Event {
	t.Helper()
	if _, err := a.Verify(signed(body), []byte(body), now); err != nil {
		t.Fatal(err)
	}
	events, err := a.Parse(signed(body), []byte(body))
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return events[0]
}

// asked is one question to the API.
type asked struct {
	method, target string // path, and the query as it was sent
	header         http.Header
	body           string
}

// standIn answers in Stripe's place, by path and query, unescaped.
type standIn struct {
	sync.Mutex
	answers map[string]string
	asked   []asked
}

func (s *standIn) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	s.Lock()
	defer s.Unlock()
	target := r.URL.Path
	if r.URL.RawQuery != "" {
		target += "?" + unescaped.Replace(r.URL.RawQuery)
	}
	s.asked = append(s.asked, asked{r.Method, target, r.Header, string(body)})
	w := httptest.NewRecorder()
	answer, known := s.answers[r.Method+" "+target]
	if !known {
		w.WriteHeader(http.StatusNotFound)
		answer = `{"error":{"code":"resource_missing","message":"No such canary","type":"invalid_request_error"}}`
	}
	io.WriteString(w, answer)
	return w.Result(), nil
}

var unescaped = strings.NewReplacer("%5B", "[", "%5D", "]")

func (s *standIn) targets() (all []string) {
	for _, a := range s.asked {
		all = append(all, a.method+" "+a.target)
	}
	return all
}

// asking is an adapter that asks a stand-in with these answers.
func asking(t testing.TB, answers map[string]string) (*stripe.Adapter, *standIn) {
	t.Helper()
	s := &standIn{answers: answers}
	return adapter(t, stripe.Config{
		APIKey: apiKey, BaseURL: "http://api.example/", HTTP: &http.Client{Transport: s}, Now: func() time.Time { return now },
	}), s
}

// The questions that Fetch asks.
const (
	getSession  = "GET /v1/checkout/sessions/cs_test_1?expand[]=payment_intent.latest_charge"
	getByIntent = "GET /v1/checkout/sessions?expand[]=data.payment_intent.latest_charge&limit=2&payment_intent=pi_1"
	getIntent   = "GET /v1/payment_intents/pi_1?expand[]=latest_charge"
	getCharge   = "GET /v1/charges/ch_1"
	getRefund   = "GET /v1/refunds/re_1"
	getDispute  = "GET /v1/disputes/dp_1"
	getRefunds  = "GET /v1/refunds?limit=100&payment_intent=pi_1"
	getDisputes = "GET /v1/disputes?limit=10&payment_intent=pi_1"
)

func listOf(items ...string) string {
	return `{"object":"list","has_more":false,"url":"/v1/x","data":[` + strings.Join(items, ",") + `]}`
}

func more(items ...string) string {
	return strings.Replace(listOf(items...), `"has_more":false`, `"has_more":true`, 1)
}

// chargeJSON, intentJSON and sessionJSON are as Stripe answers them, shortened.
func chargeJSON(refunded string, disputed bool) string {
	return fmt.Sprintf(`{"id":"ch_1","object":"charge","amount":2500,"amount_captured":2500,"amount_refunded":%s,"captured":true,"currency":"eur",
		"disputed":%v,"livemode":false,"metadata":{"order_ref":"our-1"},"paid":true,"payment_intent":"pi_1","refunded":false,"status":"succeeded"}`, refunded, disputed)
}

func intentJSON(status, received, charge string) string {
	return fmt.Sprintf(`{"id":"pi_1","object":"payment_intent","amount":2500,"amount_capturable":0,"amount_received":%s,"cancellation_reason":null,
		"currency":"eur","latest_charge":%s,"livemode":false,"metadata":{"order_ref":"our-1"},"status":%q}`, received, charge, status)
}

func sessionJSON(status, paymentStatus, intent string) string {
	return fmt.Sprintf(`{"id":"cs_test_1","object":"checkout.session","amount_total":2500,"client_reference_id":"our-1","currency":"eur","created":1767225600,
		"livemode":false,"metadata":{"order_ref":"our-1"},"mode":"payment","payment_intent":%s,"payment_status":%q,"status":%q,"url":null}`, intent, paymentStatus, status)
}

func refundJSON(id, amount, status string) string {
	return fmt.Sprintf(`{"id":%q,"object":"refund","amount":%s,"charge":"ch_1","currency":"eur","metadata":{},"payment_intent":"pi_1","reason":null,"status":%q}`, id, amount, status)
}

func disputeJSON(id, status string) string {
	return fmt.Sprintf(`{"id":%q,"object":"dispute","amount":2500,"charge":"ch_1","currency":"eur","livemode":false,"payment_intent":"pi_1","reason":"product_not_received","status":%q}`, id, status)
}

func paidSession(refunded string, disputed bool) string {
	return sessionJSON("complete", "paid", intentJSON("succeeded", "2500", chargeJSON(refunded, disputed)))
}

// paid are the answers about a payment that was paid, and nothing more.
func paid() map[string]string {
	return map[string]string{
		getSession: paidSession("0", false), getByIntent: listOf(paidSession("0", false)), getRefunds: listOf(), getDisputes: listOf(),
	}
}

// with are other answers to some of the questions.
func with(answers map[string]string, changes ...string) map[string]string {
	for i := 0; i < len(changes); i += 2 {
		answers[changes[i]] = changes[i+1]
	}
	return answers
}

func checkQuiet(t *testing.T, err error) {
	t.Helper()
	for _, canary := range []string{"canary", apiKey, "Bearer", current} {
		if strings.Contains(fmt.Sprintf("%v %+v", err, err), canary) {
			t.Errorf("the error says too much: %v", err)
		}
	}
}
