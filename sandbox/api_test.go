package sandbox_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

func TestACreatedOrderIsWaitingAllowedAndPayable(t *testing.T) {
	t.Parallel()
	b := setup(t)
	status, answer := b.call("POST", "/v1/orders", "k-1", euros)
	if status != http.StatusCreated {
		t.Fatalf("answered %d %v", status, answer)
	}
	o := answer.At("order")
	o.Expect(t, object{
		"merchantOrderId": "A-1001", "revision": "1", "paymentStatus": "pending", "refundStatus": "none",
		"amount": "4900", "receivedAmount": "0", "refundedAmount": "0", "currency": "EUR", "confirmations": "0",
		"fulfillmentDecision": "allow",
	})
	o.At("merchantRisk").Expect(t, object{"serviceStatus": "enabled", "chainEnforcement": "allowed"})
	if o.At("merchantRisk").Text("validUntil") <= o.At("merchantRisk").Text("assessedAt") {
		t.Errorf("the risk is not valid for a while: %v", o["merchantRisk"])
	}
	if got, want := answer.Text("paymentUrl"), "https://pay.example/pay/"+o.Text("id"); got != want {
		t.Errorf("payment URL %s, want %s", got, want)
	}
	if got := b.must("GET", "/v1/orders/"+o.Text("id"), "", ""); got.Text("updatedAt") != o.Text("updatedAt") {
		t.Errorf("reading it back gives %v", got)
	}
}

func TestTwentyCreationsWithOneKeyMakeOneOrderAndOneAnswer(t *testing.T) {
	t.Parallel()
	b := setup(t)
	statuses, answers := b.together(20, func(int) (string, string, string, string) {
		return "POST", "/v1/orders", "one-key", euros
	})
	for i := range answers {
		if statuses[i] != http.StatusCreated || answers[i] != answers[0] {
			t.Errorf("caller %d got %d %s, the first %s", i, statuses[i], answers[i], answers[0])
		}
	}
	if n := b.count("SELECT COUNT(*) FROM pay_orders"); n != 1 {
		t.Errorf("%d orders", n)
	}
	if n := b.count("SELECT COUNT(*) FROM pay_webhook_deliveries"); n != 1 {
		t.Errorf("%d deliveries", n)
	}
}

func TestARepeatedCreationIsAnsweredAsBeforeHoweverTheOrderWentOn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, _, first := b.raw("POST", "/v1/orders", "k", euros)
	var created object
	if err := json.Unmarshal(first, &created); err != nil {
		t.Fatal(err)
	}
	b.act(created.At("order").Text("id"), "pay", "")
	respaced := strings.ReplaceAll(euros, ",", " , ")
	if _, _, again := b.raw("POST", "/v1/orders", "k", respaced); string(again) != string(first) {
		t.Errorf("first %s\nagain %s", first, again)
	}
}

func TestAKeyWithAnotherRequestIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.must("POST", "/v1/orders", "k", euros)
	status, answer := b.call("POST", "/v1/orders", "k", strings.Replace(euros, "4900", "4901", 1))
	if status != http.StatusConflict || answer.Text("code") != "IDEMPOTENCY_KEY_REUSED" {
		t.Errorf("answered %d %v", status, answer)
	}
}

func TestAKnownKeyDecidesBeforeAnExpiryThatHasPassed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	with := func(expiry string) string {
		return strings.Replace(euros, `"amount"`, `"expiresAt":"`+expiry+`","amount"`, 1)
	}
	b.must("POST", "/v1/orders", "known", with("2999-01-01T00:00:00Z"))
	past := with("2001-01-01T00:00:00Z")
	if status, answer := b.call("POST", "/v1/orders", "unknown", past); answer.Text("code") != "INVALID_FIELD" {
		t.Errorf("an expiry in the past answered %d %v", status, answer)
	}
	if status, answer := b.call("POST", "/v1/orders", "known", past); answer.Text("code") != "IDEMPOTENCY_KEY_REUSED" {
		t.Errorf("the key was not looked at first: %d %v", status, answer)
	}
}

func TestBadRequestsAreToldWhatIsWrong(t *testing.T) {
	t.Parallel()
	b := setup(t)
	with := func(old, replacement string) string { return strings.Replace(euros, old, replacement, 1) }
	for name, tt := range map[string]struct {
		method, path, key, body string
		status                  int
		code                    string
	}{
		"no key":              {"POST", "/v1/orders", "", euros, 400, "IDEMPOTENCY_KEY_MISSING"},
		"key too long":        {"POST", "/v1/orders", strings.Repeat("k", 256), euros, 400, "IDEMPOTENCY_KEY_MISSING"},
		"not JSON":            {"POST", "/v1/orders", "k", "{", 400, "MALFORMED_JSON"},
		"two documents":       {"POST", "/v1/orders", "k", euros + euros, 400, "MALFORMED_JSON"},
		"a member twice":      {"POST", "/v1/orders", "k", with(`"currency"`, `"amount":"1","currency"`), 400, "MALFORMED_JSON"},
		"an unknown member":   {"POST", "/v1/orders", "k", with(`"currency"`, `"price":"1","currency"`), 400, "MALFORMED_JSON"},
		"a number as amount":  {"POST", "/v1/orders", "k", with(`"4900"`, `4900`), 400, "MALFORMED_JSON"},
		"an amount of 0":      {"POST", "/v1/orders", "k", with(`"4900"`, `"0"`), 422, "INVALID_FIELD"},
		"a negative amount":   {"POST", "/v1/orders", "k", with(`"4900"`, `"-1"`), 422, "INVALID_FIELD"},
		"61 digits":           {"POST", "/v1/orders", "k", with("4900", strings.Repeat("9", 61)), 422, "INVALID_FIELD"},
		"no currency":         {"POST", "/v1/orders", "k", with("EUR", "e"), 422, "INVALID_FIELD"},
		"a script as return":  {"POST", "/v1/orders", "k", with("https://shop.example/return", "javascript:alert(1)"), 422, "INVALID_FIELD"},
		"a password in a URL": {"POST", "/v1/orders", "k", with("https://shop", "https://u:p@shop"), 422, "INVALID_FIELD"},
		"a long description":  {"POST", "/v1/orders", "k", with("A license", strings.Repeat("ä", 128)), 422, "INVALID_FIELD"},
		"NUL in a text":       {"POST", "/v1/orders", "k", with("A license", `A\u0000`), 422, "INVALID_FIELD"},
		"1 MiB and more":      {"POST", "/v1/orders", "k", strings.Repeat(" ", 1<<20+1), 413, "BODY_TOO_LARGE"},
		"unknown order":       {"GET", "/v1/orders/nobody", "", "", 404, "NOT_FOUND"},
		"unknown route":       {"GET", "/v1/nothing", "", "", 404, "NOT_FOUND"},
		"unknown action":      {"POST", "/v1/test/orders/x/dance", "", "", 404, "NOT_FOUND"},
		"bad limit":           {"GET", "/v1/orders?limit=0", "", "", 422, "INVALID_FIELD"},
		"bad time":            {"GET", "/v1/orders?updatedSince=today", "", "", 422, "INVALID_FIELD"},
		"bad cursor":          {"GET", "/v1/orders?cursor=%21", "", "", 422, "INVALID_FIELD"},
		"bad event cursor":    {"GET", "/v1/events?cursor=eA", "", "", 422, "INVALID_FIELD"},
		"short secret":        {"POST", "/v1/webhook-endpoints", "", `{"url":"http://127.0.0.1/x","secrets":["short"]}`, 422, "INVALID_FIELD"},
		"no secret":           {"POST", "/v1/webhook-endpoints", "", `{"url":"http://127.0.0.1/x"}`, 422, "INVALID_FIELD"},
		"51 duplicates":       {"PUT", "/v1/test/faults", "", `{"duplicate":51}`, 422, "INVALID_FIELD"},
		"unknown fault":       {"PUT", "/v1/test/faults", "", `{"earthquake":true}`, 400, "MALFORMED_JSON"},
		"unknown endpoint":    {"PUT", "/v1/test/faults?endpoint=x", "", `{}`, 404, "NOT_FOUND"},
		"unknown delivery":    {"POST", "/v1/test/deliveries/999/resend", "", "", 404, "NOT_FOUND"},
	} {
		t.Run(name, func(t *testing.T) {
			status, answer := b.call(tt.method, tt.path, tt.key, tt.body)
			if status != tt.status || answer.Text("code") != tt.code || answer.Text("detail") == "" {
				t.Errorf("answered %d %v, want %d %s", status, answer, tt.status, tt.code)
			}
		})
	}
	if n := b.count("SELECT COUNT(*) FROM pay_orders"); n != 0 {
		t.Errorf("%d orders came of it", n)
	}
}

func TestWithoutTheKeyNothingIsAnswered(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, header := range map[string]string{
		"nothing": "", "another key": "Bearer test-key-of-the-sandboxX", "the key alone": apiKey,
		"another scheme": "Basic " + apiKey, "an empty key": "Bearer ",
	} {
		t.Run(name, func(t *testing.T) {
			for _, path := range []string{"/v1/orders", "/v1/test/faults", "/v1/nothing"} {
				r, err := http.NewRequestWithContext(t.Context(), "GET", b.URL+path, nil)
				if err != nil {
					t.Fatal(err)
				}
				if header != "" {
					r.Header.Set("Authorization", header)
				}
				response, err := http.DefaultClient.Do(r)
				if err != nil {
					t.Fatal(err)
				}
				response.Body.Close()
				if response.StatusCode != http.StatusUnauthorized {
					t.Errorf("%s answered %d", path, response.StatusCode)
				}
			}
		})
	}
}

func TestAmountsBeyondSixtyFourBitsSurvive(t *testing.T) {
	t.Parallel()
	b := setup(t)
	huge := "1" + strings.Repeat("0", 24)
	body := strings.NewReplacer("4900", huge, "EUR", "DAI").Replace(euros)
	id := b.must("POST", "/v1/orders", "k", body).At("order").Text("id")
	b.act(id, "underpay", `{"amount":"`+strings.Repeat("9", 24)+`"}`).Expect(t, object{"paymentStatus": "pending"})
	b.act(id, "pay", `{"amount":"1"}`).Expect(t, object{"paymentStatus": "paid", "receivedAmount": huge})
}

func TestOddCharactersInADescriptionComeBackUnchanged(t *testing.T) {
	t.Parallel()
	b := setup(t)
	odd := `Pro 🚀 Édition <b>"x"</b> & عربى`
	quoted, err := json.Marshal(odd)
	if err != nil {
		t.Fatal(err)
	}
	body := strings.Replace(euros, `"A license"`, string(quoted), 1)
	o := b.must("POST", "/v1/orders", "k", body).At("order")
	if got := b.must("GET", "/v1/orders/"+o.Text("id"), "", "").Text("description"); got != odd {
		t.Errorf("got %q", got)
	}
}

func TestAnExpiryIsKeptToTheMicrosecondEverywhere(t *testing.T) {
	t.Parallel()
	b := setup(t)
	body := strings.Replace(euros, `"amount"`, `"expiresAt":"2999-06-01T12:00:00.123456789+02:00","amount"`, 1)
	o := b.must("POST", "/v1/orders", "k", body).At("order")
	o.Expect(t, object{"expiresAt": "2999-06-01T10:00:00.123456Z"})
	b.must("GET", "/v1/orders/"+o.Text("id"), "", "").Expect(t, object{"expiresAt": "2999-06-01T10:00:00.123456Z"})
}
