package payflow_test

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"onceshop/sandbox"
	"onceshop/sandbox/payflow"
	"onceshop/sandbox/sandboxtest"
)

func TestAKeyMakesOnePaymentAndAnOrderIDIsUsedOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	made := b.must("POST", "/payment_links", "key-1", asked("order-1/2"))
	made.Expect(t, object{"orderId": "order-1/2", "status": "pending"})
	if !strings.HasPrefix(made.Text("shortUrl"), b.URL+"/pay/") {
		t.Errorf("shortUrl %v", made["shortUrl"])
	}
	if again := b.must("POST", "/payment_links", "key-1", asked("order-1/2")); again.Text("shortUrl") != made.Text("shortUrl") {
		t.Error("the same key made another payment")
	}
	for key, body := range map[string]string{"key-1": asked("order-2"), "key-2": asked("order-1/2"), "": asked("order-3")} {
		if status, answer := b.call("POST", "/payment_links", key, body); status != 400 || answer.At("error").Text("code") == "" {
			t.Errorf("%q: %d %v", key, status, answer)
		}
	}
	b.get("order-1/2").Expect(t, object{"orderId": "order-1/2", "status": "pending", "amount": 4900.0, "currency": "INR", "received": 0.0, "refundedTotal": 0.0})
}

func TestAmountsAreInTheMinorUnitsOfISO4217(t *testing.T) {
	t.Parallel()
	for _, currency := range []string{"INR", "JPY", "KWD"} {
		t.Run(currency, func(t *testing.T) {
			t.Parallel()
			b := setupIn(t, currency)
			body := strings.Replace(asked("order-1"), `"INR"`, `"`+currency+`"`, 1)
			b.must("POST", "/payment_links", "key", strings.Replace(body, "4900", "4901", 1))
			paid := b.Act("order-1", "pay", "")
			if paid.Order.Amount != "4901" {
				t.Errorf("the engine counts %s", paid.Order.Amount)
			}
			b.get("order-1").Expect(t, object{"amount": 4901.0, "received": 4901.0, "currency": currency})
			for _, bad := range []string{"0", "-1", "49.01", `"4901"`, "null"} {
				if status, answer := b.call("POST", "/payment_links", bad, strings.Replace(body, "4900", bad, 1)); status != 400 {
					t.Errorf("%s was taken: %v", bad, answer)
				}
			}
		})
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
		"another currency":     {"POST", "/payment_links", strings.Replace(asked("x"), "INR", "EUR", 1), 400, "INVALID_FIELD"},
		"no order":             {"POST", "/payment_links", asked(""), 400, "INVALID_FIELD"},
		"a mistyped name":      {"POST", "/payment_links", strings.Replace(asked("x"), "returnUrl", "return_url", 1), 400, "MALFORMED_JSON"},
		"nowhere to go":        {"POST", "/payment_links", strings.Replace(asked("x"), "https://shop.example/back", "", 1), 400, "INVALID_FIELD"},
		"over before it began": {"POST", "/payment_links", strings.Replace(asked("x"), "{", `{"expireBy":1000,`, 1), 400, "INVALID_FIELD"},
		"an unknown payment":   {"GET", "/payments/nobody", "", 404, "NOT_FOUND"},
		"a refund of nobody's": {"POST", "/payments/nobody/refund", `{"amount":1}`, 404, "NOT_FOUND"},
		"a refund of nothing":  {"POST", "/payments/order-1/refund", `{}`, 400, "INVALID_FIELD"},
		"a refund unpaid":      {"POST", "/payments/order-1/refund", `{"amount":1}`, 400, "NOT_REFUNDABLE"},
		"a long list":          {"GET", "/payments?count=101", "", 400, "INVALID_FIELD"},
		"a mistyped parameter": {"GET", "/payments?form=1", "", 400, "INVALID_FIELD"},
		"an unknown route":     {"GET", "/orders", "", 404, "NOT_FOUND"},
	} {
		status, answer := b.call(tt.method, tt.path, name, tt.body)
		if e := answer.At("error"); status != tt.status || e.Text("code") != tt.code || e.Text("description") == "" {
			t.Errorf("%s: answered %d %v, want %d %s", name, status, answer, tt.status, tt.code)
		}
	}
	for _, authorization := range []string{"", "Bearer " + keySecret, sandboxtest.Basic(keyID, "of-somebody-else"), sandboxtest.Basic("nobody", keySecret)} {
		status, header, raw := b.Do("GET", "/payflow/payments", http.Header{"Authorization": {authorization}}, "")
		if status != 401 || !strings.Contains(string(raw), `"error"`) || header.Get("WWW-Authenticate") == "" {
			t.Errorf("with %q: %d %s", authorization, status, raw)
		}
	}
}

func TestMoneyGoesBackOncePerKey(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.create("order-1")
	b.create("order-2")
	b.Act("order-1", "pay", "")
	b.Act("order-2", "pay", "")
	first := b.must("POST", "/payments/order-1/refund", "refund-1", `{"amount":900}`)
	first.Expect(t, object{"amount": 900.0, "status": "success"})
	if again := b.must("POST", "/payments/order-1/refund", "refund-1", `{"amount":900}`); again.Text("id") != first.Text("id") {
		t.Error("the same key refunded twice")
	}
	for key, path := range map[string]string{"refund-1": "/payments/order-2/refund", "refund-2": "/payments/order-1/refund"} {
		if status, answer := b.call("POST", path, key, `{"amount":4900}`); status != 400 {
			t.Errorf("%s %s: %d %v", key, path, status, answer)
		}
	}
	p := b.get("order-1")
	p.Expect(t, object{"status": "success", "received": 4900.0, "refundedTotal": 900.0})
	if list := p.List("refunds"); len(list) != 1 || list[0].Text("id") != first.Text("id") || list[0].Text("status") != "success" {
		t.Errorf("refunds %v", list)
	}
}

func TestAPaymentIsWhatItsEventsSay(t *testing.T) {
	t.Parallel()
	for steps, want := range map[string]object{
		"attempt_fail":            {"status": "pending", "received": 0.0},
		"authorise":               {"status": "authorized", "received": 0.0},
		"authorise capture":       {"status": "success", "received": 4900.0},
		"pay":                     {"status": "success", "received": 4900.0},
		"underpay":                {"status": "pending", "received": 2450.0},
		"fail":                    {"status": "failed"},
		"expire":                  {"status": "expired"},
		"pay refund":              {"status": "success", "received": 4900.0, "refundedTotal": 4900.0},
		"pay dispute":             {"status": "success"},
		"pay dispute dispute_win": {"status": "success"},
	} {
		t.Run(steps, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.create("order-1")
			for step := range strings.FieldsSeq(steps) {
				b.Act("order-1", step, "")
			}
			p := b.get("order-1")
			p.Expect(t, want)
			disputes := p.List("disputes")
			if strings.Contains(steps, "dispute") != (len(disputes) == 1) {
				t.Fatalf("disputes %v", disputes)
			}
			if len(disputes) == 1 && disputes[0].Text("status") != map[bool]string{true: "won", false: "open"}[strings.HasSuffix(steps, "win")] {
				t.Errorf("disputes %v", disputes)
			}
		})
	}
}

func TestTheListIsByChangeTheOldestFirst(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, id := range strings.Fields("a b c d e") {
		b.create(id)
	}
	b.Act("b", "pay", "")
	b.Act("a", "attempt_fail", "")
	var seen []string
	for _, skip := range []string{"0", "2", "4", "6"} {
		page := b.must("GET", "/payments?count=2&skip="+skip+"&from=0", "", "")
		page.Expect(t, object{"count": float64(len(page.List("items")))})
		seen = append(seen, orderIDs(page.List("items"))...)
	}
	if !slices.Equal(seen, strings.Fields("c d e b a")) {
		t.Errorf("saw %v", seen)
	}
	at := int64(b.get("a")["updatedAt"].(float64))
	second := strconv.FormatInt(at, 10)
	if list := b.must("GET", "/payments?from="+second+"&to="+second, "", "").List("items"); !slices.Contains(orderIDs(list), "a") {
		t.Error("the second of its last change isn't of the window")
	}
	later := strconv.FormatInt(time.Now().Add(time.Hour).Unix(), 10)
	for _, query := range []string{"from=" + later, "to=1000"} {
		if list := b.must("GET", "/payments?"+query, "", "").List("items"); len(list) != 0 {
			t.Errorf("%s: %v", query, list)
		}
	}
}

func TestWhileTheAPIIsBehindItsListIsToo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, id := range strings.Fields("a b c") {
		b.create(id)
	}
	b.Act("a", "attempt_fail", "")
	b.Act("c", "pay", "")
	b.Act("a", "pay", "")
	b.Faults(sandbox.Faults{APIBehind: true})
	list := b.must("GET", "/payments", "", "").List("items")
	if ids := orderIDs(list); !slices.Equal(ids, strings.Fields("b c a")) {
		t.Errorf("listed %v", ids)
	}
	for _, p := range list {
		p.Expect(t, object{"status": "pending"})
	}
	b.Faults(sandbox.Faults{APIDown: true})
	if status, answer := b.call("GET", "/payments/a", "", ""); status != http.StatusServiceUnavailable || answer.At("error").Text("code") != "UNAVAILABLE" {
		t.Errorf("answered %d %v", status, answer)
	}
}

func TestWhatIsNoSettingOfPayFlowsIsRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []payflow.Config{
		{}, {KeyID: "a:b", KeySecret: keySecret}, {KeyID: keyID, KeySecret: "short"}, {KeyID: keyID, KeySecret: keySecret, Currency: "rupees"},
	} {
		if _, err := payflow.New(c); err == nil || c.KeySecret != "" && strings.Contains(err.Error(), c.KeySecret) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	b := setup(t)
	if _, err := b.AddEndpoint(t.Context(), payflow.Name, "https://shop.example/x", "short"); err == nil {
		t.Error("a short secret was taken")
	}
}
