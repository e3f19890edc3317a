package checkoutcom_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"onceshop/sandbox"
	"onceshop/sandbox/checkoutcom"
	"onceshop/sandbox/sandboxtest"
)

func TestEveryRequestMakesAPageOfItsOwn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	made := b.post("/hosted-payments", "k", asked(), http.StatusCreated)
	made.Expect(t, object{"reference": "order-1"})
	if href := made.At("_links.redirect").Text("href"); !strings.HasPrefix(href, b.URL+"/pay/") || !strings.HasPrefix(made.Text("id"), "hpp_") {
		t.Errorf("made %v", made)
	}
	if again := b.post("/hosted-payments", "k", asked(), http.StatusCreated); again.Text("id") == made.Text("id") {
		t.Error("there is no idempotency key for pages, and one was looked at")
	}
	page := b.get("/hosted-payments/" + made.Text("id"))
	page.Expect(t, object{"status": "Payment Pending", "payment_id": nil, "amount": 4900.0, "currency": "EUR", "reference": "order-1",
		"success_url": "https://shop.example/back", "failure_url": "https://shop.example/again", "cancel_url": "https://shop.example/cart"})
	if n := len(b.heard()); n != 0 {
		t.Errorf("%d events of a page that nobody has paid", n)
	}
	b.get("/payments?reference=order-1").Expect(t, object{"total_count": 0.0})

	b.Act(made.Text("id"), "attempt_fail", "")
	b.get("/hosted-payments/"+made.Text("id")).Expect(t, object{"status": "Payment Pending"})
	paid := b.Act(made.Text("id"), "pay", "")
	b.get("/hosted-payments/"+made.Text("id")).Expect(t, object{"status": "Payment Received", "payment_id": paid.Order.Payments[1].Ref})
	other := b.page()
	b.Act(other, "expire", "")
	b.get("/hosted-payments/"+other).Expect(t, object{"status": "Expired"})
}

func TestAmountsAreInCheckoutcomsMinorUnits(t *testing.T) {
	t.Parallel()
	for currency, tt := range map[string]struct{ theirs, ours, bad string }{
		"EUR": {"4900", "4900", "1000000000"},
		"JPY": {"4900", "4900", "-1"},
		"ISK": {"4900", "4900", "0"},
		"KWD": {"4900", "4900", "4901"},
		"UGX": {"4900", "4900", "4900.0"},
	} {
		t.Run(currency, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			made := b.post("/hosted-payments", "", in(currency, tt.theirs), http.StatusCreated)
			theirs, err := strconv.ParseFloat(tt.theirs, 64)
			if err != nil {
				t.Fatal(err)
			}
			paid := b.Act(made.Text("id"), "pay", "")
			if paid.Order.Amount != tt.ours {
				t.Errorf("the engine counts %s", paid.Order.Amount)
			}
			p := b.get("/payments/" + paid.Order.Payments[0].Ref)
			p.Expect(t, object{"amount": theirs, "currency": currency})
			p.At("balances").Expect(t, object{"total_captured": theirs, "total_authorized": theirs})
			if status, raw := b.call("POST", "/hosted-payments", "", in(currency, tt.bad)); status != http.StatusUnprocessableEntity {
				t.Errorf("%s was taken: %s", tt.bad, raw)
			}
		})
	}
}

func TestWhatCantBeAskedForIsRefusedInCheckoutcomsWay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	paid := b.paid()
	for name, tt := range map[string]struct {
		method, path, body string
		status             int
		code               string
	}{
		"no amount":             {"POST", "/hosted-payments", asked(`"amount"`), 422, "amount_required"},
		"no currency":           {"POST", "/hosted-payments", asked(`"currency"`), 422, "currency_required"},
		"an unknown currency":   {"POST", "/hosted-payments", in("XYZ", "100"), 422, "currency_invalid"},
		"a rule not known":      {"POST", "/hosted-payments", in("CLP", "100"), 422, "currency_invalid"},
		"nothing to pay":        {"POST", "/hosted-payments", in("EUR", "0"), 422, "amount_invalid"},
		"an amount in a text":   {"POST", "/hosted-payments", in("EUR", `"100"`), 422, "request_json_invalid"},
		"no country":            {"POST", "/hosted-payments", asked(`"billing"`), 422, "billing_address_country_required"},
		"no way back":           {"POST", "/hosted-payments", asked(`"failure_url"`), 422, "failure_url_required"},
		"a way to nowhere":      {"POST", "/hosted-payments", asked(`"success_url":"shop"`), 422, "success_url_invalid"},
		"a long reference":      {"POST", "/hosted-payments", asked(`"reference":"` + strings.Repeat("r", 51) + `"`), 422, "reference_invalid"},
		"capture by hand":       {"POST", "/hosted-payments", asked(`"capture":false`), 422, "capture_invalid"},
		"a mistyped member":     {"POST", "/hosted-payments", asked(`"sucess_url":"x"`), 422, "request_json_invalid"},
		"an unknown page":       {"GET", "/hosted-payments/hpp_nobody", "", 404, ""},
		"an id of another kind": {"GET", "/hosted-payments/" + paid, "", 404, ""},
		"an unknown payment":    {"GET", "/payments/pay_nobody", "", 404, ""},
		"a list of everything":  {"GET", "/payments", "", 422, "reference_required"},
		"a long list":           {"GET", "/payments?reference=a&limit=101", "", 422, "limit_invalid"},
		"a long list of wrongs": {"GET", "/disputes?limit=251", "", 422, "limit_invalid"},
		"an unknown parameter":  {"GET", "/disputes?payment=a", "", 422, "payment_invalid"},
		"a time of no form":     {"GET", "/disputes?from=yesterday", "", 422, "from_invalid"},
		"more than there is":    {"POST", "/payments/" + paid + "/refunds", `{"amount":4901}`, 422, "refund_amount_exceeds_balance"},
		"a refund of nothing":   {"POST", "/payments/" + paid + "/refunds", `{"amount":0}`, 422, "amount_invalid"},
		"a refund of nobody":    {"POST", "/payments/pay_nobody/refunds", `{}`, 404, ""},
		"a broad search":        {"POST", "/payments/search", `{"limit":1001}`, 422, "limit_invalid"},
		"a clever search":       {"POST", "/payments/search", `{"query":"amount>5"}`, 422, "query_invalid"},
		"an unknown search":     {"GET", "/payments/search/nobody?token=t", "", 404, ""},
		"an unknown route":      {"GET", "/customers", "", 404, ""},
	} {
		t.Run(name, func(t *testing.T) {
			status, raw := b.call(tt.method, tt.path, "", tt.body)
			if status != tt.status || tt.code == "" && len(raw) > 0 {
				t.Fatalf("answered %d %s, want %d %s", status, raw, tt.status, tt.code)
			}
			if tt.code == "" {
				return
			}
			answer := sandboxtest.Decode[object](t, raw)
			if codes, _ := answer["error_codes"].([]any); answer.Text("error_type") != "request_invalid" || len(codes) != 1 || codes[0] != tt.code {
				t.Errorf("answered %s, want %s", raw, tt.code)
			}
		})
	}
	for _, token := range []string{"", "Bearer sk_sbox_of_somebody_else", "Basic " + key, "Bearer test-key-of-the-sandbox"} {
		status, _, raw := b.Do("GET", "/checkoutcom/disputes", http.Header{"Authorization": {token}}, "")
		if status != http.StatusUnauthorized || len(raw) > 0 {
			t.Errorf("with %q: %d %s", token, status, raw)
		}
	}
}

func TestTheAttemptsOfAReferenceAreListedNewestFirst(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.Act(b.page(), "attempt_fail", "").Order.Payments[0].Ref
	second := b.paid() // on another page under the same reference
	b.post("/hosted-payments", "", asked(`"reference":"order-10"`), http.StatusCreated)
	b.Act("order-10", "pay", "")
	list := b.get("/payments?reference=order-1")
	list.Expect(t, object{"total_count": 2.0, "limit": 10.0, "skip": 0.0})
	data := list.List("data")
	if len(data) != 2 || data[0].Text("id") != second || data[1].Text("id") != first {
		t.Fatalf("listed %v", data)
	}
	data[0].Expect(t, object{"status": "Captured", "approved": true, "reference": "order-1"})
	data[0].At("metadata").Expect(t, object{"order_ref": "order-1"})
	data[1].Expect(t, object{"status": "Declined", "approved": false, "balances": nil})
	list = b.get("/payments?reference=order-1&skip=1&limit=1")
	if data = list.List("data"); len(data) != 1 || data[0].Text("id") != first {
		t.Errorf("the second page is %v", list)
	}
	b.post("/hosted-payments", "", asked(`"reference"`), http.StatusCreated)
	b.get("/payments?reference=none").Expect(t, object{"total_count": 0.0})
}

func TestASearchGoesOnFromPageToPage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var ids []string
	for range 5 {
		ids = append(ids, b.paid())
	}
	from := time.Now().Add(-time.Hour).UTC().Format(time.RFC3339)
	page := b.post("/payments/search", "", `{"limit":2,"from":"`+from+`"}`, http.StatusOK)
	var seen []string
	for {
		for _, p := range page.List("data") {
			p.Expect(t, object{"reference": "order-1", "status": "Captured", "balances": nil})
			seen = append(seen, p.Text("id"))
		}
		next, found := strings.CutPrefix(page.At("_links.next").Text("href"), b.URL+"/checkoutcom")
		if !found {
			break
		}
		page = b.get(next)
	}
	if len(seen) != 5 || seen[0] != ids[4] || seen[4] != ids[0] {
		t.Errorf("saw %v of %v", seen, ids)
	}
	for query, want := range map[string]int{
		`{}`: 5, `{"query":"id:'` + ids[2] + `'"}`: 1, `{"query":"reference:'order-1'"}`: 5, `{"query":"reference:'order-2'"}`: 0,
		`{"to":"` + from + `"}`: 0,
	} {
		if data := b.post("/payments/search", "", query, http.StatusOK).List("data"); len(data) != want {
			t.Errorf("%s found %d", query, len(data))
		}
	}
}

func TestTheFaultsOfTheAPIReachCheckoutcom(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.paid()
	b.Act(id, "refund", "")
	b.Faults(sandbox.Faults{APIBehind: true})
	b.get("/payments/"+id).Expect(t, object{"status": "Captured"})
	late := b.paid()
	if status, _ := b.call("GET", "/payments/"+late, "", ""); status != http.StatusNotFound {
		t.Errorf("what the API doesn't know yet: %d", status)
	}
	b.Faults(sandbox.Faults{APIDown: true})
	if status, raw := b.call("GET", "/payments/"+id, "", ""); status != http.StatusServiceUnavailable || len(raw) > 0 {
		t.Errorf("answered %d %s", status, raw)
	}
}

func TestWhatIsNoKeyOrSecretOfCheckoutcomsIsRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []checkoutcom.Config{
		{}, {APIKey: "sk_live_0123456789"}, {APIKey: "sk_sbox_"}, {APIKey: "test-key-of-the-sandbox"}, {APIKey: key, AuthorizationHeader: " x"},
	} {
		if _, err := checkoutcom.New(c); err == nil {
			t.Errorf("%+v was taken", c)
		}
	}
	b := setup(t)
	if _, err := b.AddEndpoint(t.Context(), checkoutcom.Name, "https://shop.example/x", "short"); err == nil {
		t.Error("a short secret was taken")
	}
}
