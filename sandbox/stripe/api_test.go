package stripe_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"onceshop/sandbox"
	"onceshop/sandbox/stripe"
)

func TestASessionIsOpenWithAnAddressAndNoIntent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := b.post("/v1/checkout/sessions", "k", asked())
	s.Expect(t, object{"object": "checkout.session", "status": "open", "payment_status": "unpaid", "payment_intent": nil,
		"amount_total": 4900.0, "currency": "eur", "client_reference_id": "order-1", "livemode": false})
	if !strings.HasPrefix(s.Text("id"), "cs_test_") || !strings.HasPrefix(s.Text("url"), b.URL+"/pay/") {
		t.Errorf("id %v, url %v", s["id"], s["url"])
	}
	ends, _ := s["expires_at"].(float64)
	if left := time.Until(time.Unix(int64(ends), 0)); left < 23*time.Hour || left > 25*time.Hour {
		t.Errorf("open for %s", left)
	}
	again := b.post("/v1/checkout/sessions", "k", asked())
	if again.Text("id") != s.Text("id") {
		t.Error("the same key made another session")
	}
	status, refused := b.call("POST", "/v1/checkout/sessions", "k", in("eur", "4901"))
	if status != http.StatusBadRequest || refused.At("error").Text("type") != "idempotency_error" {
		t.Errorf("another request under the key: %d %v", status, refused)
	}
}

func TestAmountsAreInStripesMinorUnits(t *testing.T) {
	t.Parallel()
	for currency, tt := range map[string]struct{ theirs, ours, bad string }{
		"eur": {"4900", "4900", "490000000"},
		"jpy": {"4900", "4900", "-1"},
		"isk": {"490000", "4900", "490001"},
		"ugx": {"4900", "4900", "0"},
		"kwd": {"4900", "4900", "4901"},
		"mga": {"49", "4900", "4.9"},
	} {
		t.Run(currency, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			s := b.post("/v1/checkout/sessions", "", in(currency, tt.theirs))
			theirs, err := strconv.ParseFloat(tt.theirs, 64)
			if err != nil {
				t.Fatal(err)
			}
			s.Expect(t, object{"amount_total": theirs, "currency": currency})
			paid := b.Act(s.Text("id"), "pay", "")
			if paid.Order.Amount != tt.ours {
				t.Errorf("the engine counts %s", paid.Order.Amount)
			}
			s = b.get("/v1/checkout/sessions/" + s.Text("id") + "?expand[]=payment_intent.latest_charge")
			s.At("payment_intent").Expect(t, object{"amount_received": theirs})
			s.At("payment_intent.latest_charge").Expect(t, object{"amount_captured": theirs})
			if status, answer := b.call("POST", "/v1/checkout/sessions", "", in(currency, tt.bad)); status != http.StatusBadRequest {
				t.Errorf("%s was taken: %v", tt.bad, answer)
			}
		})
	}
}

func TestWhatCantBeAskedForIsRefusedInStripesWay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.session()
	with := func(name, value string) url.Values {
		form := asked()
		form.Set(name, value)
		return form
	}
	for name, tt := range map[string]struct {
		method, path string
		form         url.Values
		status       int
		code         string
	}{
		"no mode":               {"POST", "/v1/checkout/sessions", with("mode", ""), 400, "parameter_missing"},
		"a subscription":        {"POST", "/v1/checkout/sessions", with("mode", "subscription"), 400, "parameter_invalid"},
		"a mistyped parameter":  {"POST", "/v1/checkout/sessions", with("sucess_url", "x"), 400, "parameter_unknown"},
		"an unknown currency":   {"POST", "/v1/checkout/sessions", in("xyz", "100"), 400, "parameter_invalid"},
		"capital letters":       {"POST", "/v1/checkout/sessions", in("EUR", "100"), 400, "parameter_invalid"},
		"nothing to pay":        {"POST", "/v1/checkout/sessions", in("eur", "0"), 400, "parameter_invalid"},
		"over before it begins": {"POST", "/v1/checkout/sessions", with("expires_at", "1000"), 400, "parameter_invalid"},
		"open for too long":     {"POST", "/v1/checkout/sessions", with("expires_at", "99999999999"), 400, "parameter_invalid"},
		"an unknown session":    {"GET", "/v1/checkout/sessions/cs_test_nobody", nil, 404, "resource_missing"},
		"an id of another kind": {"GET", "/v1/charges/" + id, nil, 404, "resource_missing"},
		"an unknown expansion":  {"GET", "/v1/checkout/sessions/" + id + "?expand[]=customer", nil, 400, "parameter_invalid"},
		"a long list":           {"GET", "/v1/checkout/sessions?limit=101", nil, 400, "parameter_invalid"},
		"a refund of nothing":   {"POST", "/v1/refunds", url.Values{}, 400, "parameter_missing"},
		"a refund unpaid":       {"POST", "/v1/refunds", url.Values{"payment_intent": {"pi_nobody"}}, 404, "resource_missing"},
		"an unknown route":      {"GET", "/v1/customers", nil, 404, ""},
	} {
		t.Run(name, func(t *testing.T) {
			status, answer := b.call(tt.method, tt.path, "", tt.form)
			if e := answer.At("error"); status != tt.status || e.Text("code") != tt.code || e.Text("message") == "" || e.Text("type") == "" {
				t.Errorf("answered %d %v, want %d %s", status, answer, tt.status, tt.code)
			}
		})
	}
	for _, token := range []string{"", "Bearer sk_test_of_somebody_else", "Basic " + key, "Bearer " + "test-key-of-the-sandbox"} {
		status, _, raw := b.Do("GET", "/stripe/v1/checkout/sessions", http.Header{"Authorization": {token}}, "")
		if status != http.StatusUnauthorized || !strings.Contains(string(raw), `"error"`) {
			t.Errorf("with %q: %d %s", token, status, raw)
		}
	}
}

func TestASessionIsFoundByItsIntentAndTheListGoesOn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var ids []string
	for range 5 {
		ids = append(ids, b.session())
	}
	intent := b.Act(ids[1], "pay", "").Order.IntentRef
	found := b.get("/v1/checkout/sessions?expand[]=data.payment_intent.latest_charge&payment_intent=" + intent)
	if list := found.List("data"); len(list) != 1 || list[0].Text("id") != ids[1] || list[0].At("payment_intent.latest_charge") == nil {
		t.Errorf("found %v", found)
	}
	b.get("/v1/payment_intents/"+intent+"?expand[]=latest_charge").Expect(t, object{"id": intent, "status": "succeeded"})

	var seen []string
	after, since := "", "&created[gte]="+strconv.FormatInt(time.Now().Add(-time.Hour).Unix(), 10)
	for range 4 {
		page := b.get("/v1/checkout/sessions?limit=2" + since + after)
		for _, s := range page.List("data") {
			seen = append(seen, s.Text("id"))
		}
		if page["has_more"] != true {
			break
		}
		after = "&starting_after=" + seen[len(seen)-1]
	}
	if len(seen) != 5 || seen[0] != ids[4] || seen[4] != ids[0] {
		t.Errorf("saw %v of %v", seen, ids)
	}
	later := strconv.FormatInt(time.Now().Add(time.Hour).Unix(), 10)
	if list := b.get("/v1/checkout/sessions?created[gte]=" + later).List("data"); len(list) != 0 {
		t.Errorf("%d from the future", len(list))
	}
}

func TestMoneyGoesBackOncePerKey(t *testing.T) {
	t.Parallel()
	b := setup(t)
	paid := b.Act(b.session(), "pay", "")
	part := url.Values{"payment_intent": {paid.Order.IntentRef}, "amount": {"900"}, "reason": {"requested_by_customer"}, "metadata[key]": {"a"}}
	first := b.post("/v1/refunds", "refund-1", part)
	first.Expect(t, object{"object": "refund", "amount": 900.0, "status": "succeeded", "charge": paid.Order.Payments[0].Ref,
		"payment_intent": paid.Order.IntentRef, "reason": "requested_by_customer"})
	first.At("metadata").Expect(t, object{"key": "a"})
	if again := b.post("/v1/refunds", "refund-1", part); again.Text("id") != first.Text("id") {
		t.Error("the same key refunded twice")
	}
	rest := url.Values{"charge": {paid.Order.Payments[0].Ref}}
	all := b.post("/v1/refunds", "refund-2", rest)
	all.Expect(t, object{"amount": 4000.0})
	if again := b.post("/v1/refunds", "refund-2", rest); again.Text("id") != all.Text("id") {
		t.Error("all of it, repeated, is another refund")
	}
	if status, answer := b.call("POST", "/v1/refunds", "refund-3", rest); status != http.StatusBadRequest {
		t.Errorf("more than all: %d %v", status, answer)
	}
	list := b.get("/v1/refunds?limit=1&payment_intent=" + paid.Order.IntentRef)
	if data := list.List("data"); len(data) != 1 || data[0].Text("id") != all.Text("id") || list["has_more"] != true {
		t.Errorf("listed %v", list)
	}
	list = b.get("/v1/refunds?payment_intent=" + paid.Order.IntentRef + "&starting_after=" + all.Text("id"))
	if data := list.List("data"); len(data) != 1 || data[0].Text("id") != first.Text("id") {
		t.Errorf("after the first: %v", list)
	}
	b.get("/v1/refunds/"+first.Text("id")).Expect(t, object{"id": first.Text("id")})
}

func TestDisputesAreFoundByTheirIntent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	paid := b.Act(b.session(), "pay", "")
	ref := b.Act(paid.Order.Payments[0].Ref, "dispute", `{"reason":"fraudulent"}`).Order.Disputes[0].Ref
	want := object{"id": ref, "status": "needs_response", "amount": 4900.0, "reason": "fraudulent", "payment_intent": paid.Order.IntentRef}
	b.get("/v1/disputes/"+ref).Expect(t, want)
	list := b.get("/v1/disputes?payment_intent=" + paid.Order.IntentRef).List("data")
	if len(list) != 1 {
		t.Fatalf("listed %v", list)
	}
	list[0].Expect(t, want)
	b.get("/v1/charges/"+paid.Order.Payments[0].Ref).Expect(t, object{"disputed": true})
	b.Act("order-1", "dispute_win", "")
	b.get("/v1/disputes/"+ref).Expect(t, object{"status": "won"})
}

func TestTheFaultsOfTheAPIReachStripe(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.session()
	b.Act(id, "pay", "")
	b.Faults(sandbox.Faults{APIBehind: true})
	b.get("/v1/checkout/sessions/"+id).Expect(t, object{"payment_status": "unpaid", "payment_intent": nil})
	b.Faults(sandbox.Faults{APIDown: true})
	status, answer := b.call("GET", "/v1/checkout/sessions/"+id, "", nil)
	if status != http.StatusServiceUnavailable || answer.At("error").Text("type") != "api_error" {
		t.Errorf("answered %d %v", status, answer)
	}
}

func TestMerchantsCaptureCancelAndExpire(t *testing.T) {
	t.Parallel()
	b := setup(t)
	one := b.Act(b.session(), "authorise", "")
	b.post("/v1/payment_intents/"+one.Order.IntentRef+"/capture", "", nil).Expect(t, object{"status": "succeeded"})
	two := b.Act(b.session(), "authorise", "")
	b.post("/v1/payment_intents/"+two.Order.IntentRef+"/cancel", "", nil).Expect(t, object{"status": "canceled"})
	b.post("/v1/checkout/sessions/"+b.session()+"/expire", "", nil).Expect(t, object{"status": "expired"})
}

func TestWhatIsNoKeyOrSecretOfStripesIsRefused(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"", "sk_live_0123456789", "sk_test_short", "test-key-of-the-sandbox"} {
		if _, err := stripe.New(stripe.Config{APIKey: key}); err == nil || key != "" && strings.Contains(err.Error(), key) {
			t.Errorf("%q: %v", key, err)
		}
	}
	b := setup(t)
	if _, err := b.AddEndpoint(t.Context(), stripe.Name, "https://shop.example/x", "a-secret-without-its-prefix"); err == nil {
		t.Error("a secret without prefix was taken")
	}
	if _, err := b.AddEndpoint(t.Context(), "nobody", "https://shop.example/x", secret); err == nil {
		t.Error("a dialect that isn't served was taken")
	}
}
