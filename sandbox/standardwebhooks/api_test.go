package standardwebhooks_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"onceshop/sandbox"
	"onceshop/sandbox/standardwebhooks"
)

func TestAPaymentIsFoundByBothItsReferences(t *testing.T) {
	t.Parallel()
	b := setup(t)
	made := b.post("/payments", "key-1", asked("order-1/2"))
	p := made.At("payment")
	p.Expect(t, object{"order_ref": "order-1/2", "status": "pending", "amount_minor": 4900.0, "received_minor": 0.0, "refunded_total_minor": 0.0, "currency": "EUR"})
	if !strings.HasPrefix(made.Text("url"), b.URL+"/pay/") || !strings.HasPrefix(p.Text("payment_ref"), "pay_") {
		t.Errorf("made %v", made)
	}
	for _, ref := range []string{"order-1/2", p.Text("payment_ref")} {
		b.get(path(ref)).Expect(t, object{"payment_ref": p["payment_ref"], "order_ref": "order-1/2", "updated_at": p["updated_at"]})
	}
}

func TestAKeyMakesOnePaymentAndAnOrderRefIsUsedOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	made := b.post("/payments", "key-1", asked("order-1"))
	if again := b.post("/payments", "key-1", asked("order-1")); again.Text("url") != made.Text("url") {
		t.Error("the same key made another payment")
	}
	for _, tt := range []struct {
		key, body, code string
		status          int
	}{
		{"key-1", asked("order-2"), "IDEMPOTENCY_KEY_REUSED", 409},
		{"key-2", asked("order-1"), "REFERENCE_TAKEN", 409},
		{"", asked("order-3"), "IDEMPOTENCY_KEY_MISSING", 400},
	} {
		if status, answer := b.call("POST", "/payments", tt.key, tt.body); status != tt.status || answer.Text("code") != tt.code {
			t.Errorf("%q: %d %v", tt.key, status, answer)
		}
	}
}

func TestAmountsAreInTheMinorUnitsOfISO4217(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, currency := range []string{"EUR", "JPY", "KWD", "ISK"} {
		body := strings.NewReplacer("EUR", currency, "4900", "4901").Replace(asked("in-" + currency))
		b.post("/payments", currency, body)
		if paid := b.Act("in-"+currency, "pay", ""); paid.Order.Amount != "4901" {
			t.Errorf("the engine counts %s", paid.Order.Amount)
		}
		b.get(path("in-"+currency)).Expect(t, object{"amount_minor": 4901.0, "received_minor": 4901.0, "currency": currency})
	}
	for _, bad := range []string{"0", "-1", "49.01", `"4901"`, "null", "9007199254740992"} {
		if status, answer := b.call("POST", "/payments", bad, strings.Replace(asked("bad"), "4900", bad, 1)); status != 422 {
			t.Errorf("%s was taken: %v", bad, answer)
		}
	}
}

func TestWhatCantBeAskedForIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.create("order-1")
	for name, tt := range map[string]struct {
		method, path, body string
		status             int
		code               string
	}{
		"an unknown currency":  {"POST", "/payments", strings.Replace(asked("x"), "EUR", "XYZ", 1), 422, "INVALID_FIELD"},
		"no order":             {"POST", "/payments", asked(""), 422, "INVALID_FIELD"},
		"a mistyped name":      {"POST", "/payments", strings.Replace(asked("x"), "return_url", "returnUrl", 1), 400, "MALFORMED_JSON"},
		"nowhere to go":        {"POST", "/payments", strings.Replace(asked("x"), "https://shop.example/back", "", 1), 422, "INVALID_FIELD"},
		"over before it began": {"POST", "/payments", strings.Replace(asked("x"), "{", `{"expires_at":"2001-01-01T00:00:00Z",`, 1), 422, "INVALID_FIELD"},
		"an unknown payment":   {"GET", "/payments/nobody", "", 404, "NOT_FOUND"},
		"another unknown one":  {"GET", "/payments/pay_00000000000000000000000000000000", "", 404, "NOT_FOUND"},
		"a refund of nobody's": {"POST", "/payments/nobody/refunds", `{"amount_minor":1}`, 404, "NOT_FOUND"},
		"a refund of nothing":  {"POST", "/payments/order-1/refunds", `{}`, 422, "INVALID_FIELD"},
		"a refund unpaid":      {"POST", "/payments/order-1/refunds", `{"amount_minor":1}`, 409, "NOT_REFUNDABLE"},
		"a long list":          {"GET", "/payments?limit=101", "", 422, "INVALID_FIELD"},
		"a made-up cursor":     {"GET", "/payments?cursor=abc", "", 422, "INVALID_FIELD"},
		"a mistyped parameter": {"GET", "/payments?since=1", "", 422, "INVALID_FIELD"},
		"an unknown route":     {"GET", "/orders", "", 404, "NOT_FOUND"},
	} {
		status, answer := b.call(tt.method, tt.path, name, tt.body)
		if status != tt.status || answer.Text("code") != tt.code || answer.Text("detail") == "" {
			t.Errorf("%s: answered %d %v, want %d %s", name, status, answer, tt.status, tt.code)
		}
	}
	for _, authorization := range []string{"", "Bearer of-somebody-else", "Basic " + key} {
		if status, _, raw := b.Do("GET", "/standardwebhooks/payments", http.Header{"Authorization": {authorization}}, ""); status != 401 {
			t.Errorf("with %q: %d %s", authorization, status, raw)
		}
	}
}

func TestMoneyGoesBackOncePerKeyAndMayComeBackItself(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ref := b.create("order-1").At("payment").Text("payment_ref")
	b.Act("order-1", "pay", "")
	first := b.post(path(ref)+"/refunds", "refund-1", `{"amount_minor":900,"reason":"asked for"}`).At("refund")
	first.Expect(t, object{"amount_minor": 900.0, "status": "done"})
	if again := b.post(path("order-1")+"/refunds", "refund-1", `{"amount_minor":900,"reason":"asked for"}`); again.At("refund").Text("refund_ref") != first.Text("refund_ref") {
		t.Error("the same key refunded twice")
	}
	if status, answer := b.call("POST", path(ref)+"/refunds", "refund-1", `{"amount_minor":901}`); status != 409 {
		t.Errorf("another refund under the key: %d %v", status, answer)
	}
	if status, answer := b.call("POST", path(ref)+"/refunds", "refund-2", `{"amount_minor":4001}`); status != 409 {
		t.Errorf("more than is left: %d %v", status, answer)
	}
	b.get(path(ref)).Expect(t, object{"status": "paid", "refunded_total_minor": 900.0})
	b.Act("order-1", "refund_fail", "")
	p := b.get(path(ref))
	p.Expect(t, object{"status": "paid", "refunded_total_minor": 0.0})
	p.List("refunds")[0].Expect(t, object{"refund_ref": first["refund_ref"], "amount_minor": 900.0, "status": "failed"})
}

func TestDisputesAreWithTheirPayment(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.create("order-1")
	b.Act("order-1", "pay", "")
	b.Act("order-1", "dispute", `{"amount":"900","reason":"not_received"}`)
	b.get(path("order-1")).List("disputes")[0].Expect(t, object{"amount_minor": 900.0, "reason": "not_received", "status": "open"})
	b.Act("order-1", "dispute_lose", "")
	b.get(path("order-1")).List("disputes")[0].Expect(t, object{"status": "lost"})
}

func TestTheListIsByChangeAndMissesNobodyWhoMoves(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, ref := range strings.Fields("a b c d e") {
		b.create(ref)
	}
	b.Act("b", "pay", "")
	var seen []string
	query := url.Values{"limit": {"2"}}
	for i := 0; ; i++ {
		page := b.get("/payments?" + query.Encode())
		seen = append(seen, orderRefs(page.List("payments"))...)
		if i == 0 {
			b.Act("a", "pay", "") // was listed already
			b.Act("d", "pay", "") // still to come
		}
		if page["next_cursor"] == nil {
			break
		}
		query.Set("cursor", page.Text("next_cursor"))
	}
	if !slices.Equal(seen, strings.Fields("a c e b a d")) {
		t.Errorf("saw %v", seen)
	}
	since := url.QueryEscape(b.get(path("a")).Text("updated_at"))
	if list := b.get("/payments?updated_since=" + since).List("payments"); !slices.Equal(orderRefs(list), strings.Fields("a d")) {
		t.Errorf("since its own change: %v", orderRefs(list))
	}
	later := url.QueryEscape(time.Now().Add(time.Hour).Format(time.RFC3339))
	if list := b.get("/payments?updated_since=" + later).List("payments"); len(list) != 0 {
		t.Errorf("%d from the future", len(list))
	}
}

func TestTheFaultsOfTheAPIReachIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.create("a")
	b.create("b")
	b.Act("a", "pay", "")
	b.Faults(sandbox.Faults{APIBehind: true})
	b.get(path("a")).Expect(t, object{"status": "pending"})
	if list := b.get("/payments?limit=1").List("payments"); !slices.Equal(orderRefs(list), []string{"a"}) {
		t.Errorf("listed %v", orderRefs(list))
	}
	b.Faults(sandbox.Faults{APIDown: true})
	if status, answer := b.call("GET", path("a"), "", ""); status != http.StatusServiceUnavailable || answer.Text("code") != "UNAVAILABLE" {
		t.Errorf("answered %d %v", status, answer)
	}
}

func TestWhatIsNoKeyOrSecretIsRefused(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"", "short", "a key with blanks in it"} {
		if _, err := standardwebhooks.New(standardwebhooks.Config{APIKey: key}); err == nil {
			t.Errorf("%q was taken", key)
		}
	}
	b := setup(t)
	for _, secret := range []string{"whsec_", "whsec_c2hvcnQ=", "whsec_not base64 at all", strings.Repeat("YWFh", 22)} {
		if _, err := b.AddEndpoint(t.Context(), standardwebhooks.Name, "https://shop.example/x", secret); err == nil {
			t.Errorf("%q was taken", secret)
		}
	}
}
