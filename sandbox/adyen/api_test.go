package adyen_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"onceshop/sandbox"
	"onceshop/sandbox/adyen"
)

func TestALinkIsActiveUntilItIsPaidOrOver(t *testing.T) {
	t.Parallel()
	b := setup(t)
	made := b.do("POST", "/paymentLinks", "k", asked(`"metadata":{"a":"b"}`), http.StatusCreated)
	made.Expect(t, object{"status": "active", "reference": "order-1", "merchantAccount": account, "reusable": false,
		"returnUrl": "https://shop.example/back", "description": "A license"})
	made.At("amount").Expect(t, object{"currency": "EUR", "value": 4900.0})
	made.At("metadata").Expect(t, object{"a": "b"})
	id := made.Text("id")
	if !strings.HasPrefix(id, "PL") || len(id) != 18 || !strings.HasPrefix(made.Text("url"), b.URL+"/pay/") {
		t.Errorf("made %v", made)
	}
	if ends, err := time.Parse(time.RFC3339, made.Text("expiresAt")); err != nil || time.Until(ends) < 23*time.Hour || time.Until(ends) > 25*time.Hour {
		t.Errorf("open until %v: %v", ends, err)
	}
	if again := b.do("POST", "/v71/paymentLinks", "k", asked(`"metadata":{"a":"b"}`), http.StatusCreated); again.Text("id") != id {
		t.Error("the same key made another link")
	}
	b.do("POST", "/paymentLinks", "k", in("EUR", "4901"), http.StatusUnprocessableEntity).Expect(t, object{"errorCode": "704"})

	status := func(want string) {
		t.Helper()
		b.do("GET", "/v71/paymentLinks/"+id, "", "", http.StatusOK).Expect(t, object{"id": id, "status": want})
	}
	b.Act(id, "attempt_fail", "")
	status("active")
	b.Act(id, "pay", `{"confirmations":1}`)
	status("paymentPending")
	b.Act(id, "confirm", "")
	status("completed")
	b.Act(id, "refund", "")
	status("completed")

	id = b.link()
	b.do("PATCH", "/paymentLinks/"+id, "", `{"status":"expired"}`, http.StatusOK).Expect(t, object{"status": "expired"})
	status("expired")
	b.do("PATCH", "/paymentLinks/"+id, "", `{"status":"expired"}`, http.StatusUnprocessableEntity)
	bare := b.do("POST", "/paymentLinks", "", asked(`"returnUrl"`, `"description"`), http.StatusCreated)
	bare.Expect(t, object{"returnUrl": nil, "description": nil})
}

func TestAmountsAreInAdyensMinorUnits(t *testing.T) {
	t.Parallel()
	for currency, tt := range map[string]struct{ theirs, ours, bad string }{
		"EUR": {"4900", "4900", "0"},
		"JPY": {"4900", "4900", "-1"},
		"ISK": {"490000", "4900", "490001"},
		"CLP": {"490000", "4900", "490050"},
		"IDR": {"49", "4900", "4.9"},
		"KWD": {"4901", "4901", `"4901"`},
	} {
		t.Run(currency, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			made := b.do("POST", "/paymentLinks", "", in(currency, tt.theirs), http.StatusCreated)
			theirs, err := strconv.ParseFloat(tt.theirs, 64)
			if err != nil {
				t.Fatal(err)
			}
			made.At("amount").Expect(t, object{"currency": currency, "value": theirs})
			paid := b.Act(made.Text("id"), "pay", "")
			if paid.Order.Amount != tt.ours {
				t.Errorf("the engine counts %s", paid.Order.Amount)
			}
			for _, i := range b.heard() {
				i.At("amount").Expect(t, object{"currency": currency, "value": theirs})
			}
			if status, answer := b.call("POST", "/paymentLinks", "", in(currency, tt.bad)); status < 400 || status >= 500 {
				t.Errorf("%s was taken: %v", tt.bad, answer)
			}
			psp := paid.Order.Payments[0].Ref
			b.do("POST", "/payments/"+psp+"/refunds", "", refund(currency, tt.theirs, ""), http.StatusCreated)
			b.heard()[0].At("amount").Expect(t, object{"currency": currency, "value": theirs})
		})
	}
}

func TestWhatCantBeAskedForIsRefusedInAdyensWay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	psp := b.paid()
	for name, tt := range map[string]struct {
		method, path, key, body string
		status                  int
		code                    string
	}{
		"no amount":             {"POST", "/paymentLinks", "", asked(`"amount"`), 422, "100"},
		"an unknown currency":   {"POST", "/paymentLinks", "", in("XYZ", "100"), 422, "138"},
		"nothing to pay":        {"POST", "/paymentLinks", "", in("EUR", "0"), 422, "137"},
		"no reference":          {"POST", "/paymentLinks", "", asked(`"reference"`), 422, "702"},
		"a long reference":      {"POST", "/paymentLinks", "", asked(`"reference":"` + strings.Repeat("r", 81) + `"`), 422, "702"},
		"somebody's account":    {"POST", "/paymentLinks", "", asked(`"merchantAccount":"Other"`), 403, "901"},
		"for many payments":     {"POST", "/paymentLinks", "", asked(`"reusable":true`), 422, "702"},
		"over before it begins": {"POST", "/paymentLinks", "", asked(`"expiresAt":"2020-01-01T00:00:00Z"`), 422, "702"},
		"open for too long":     {"POST", "/paymentLinks", "", asked(`"expiresAt":"2099-01-01T00:00:00Z"`), 422, "702"},
		"a way to nowhere":      {"POST", "/paymentLinks", "", asked(`"returnUrl":"shop"`), 422, "702"},
		"a mistyped member":     {"POST", "/paymentLinks", "", asked(`"return_url":"x"`), 400, "702"},
		"a long key":            {"POST", "/paymentLinks", strings.Repeat("k", 65), asked(), 422, "702"},
		"an unknown link":       {"GET", "/paymentLinks/PLNOBODY", "", "", 404, "702"},
		"an id of another kind": {"GET", "/paymentLinks/" + psp, "", "", 404, "702"},
		"a link brought back":   {"PATCH", "/paymentLinks/" + b.link(), "", `{"status":"active"}`, 422, "702"},
		"an unknown payment":    {"POST", "/payments/NOBODY/refunds", "", refund("EUR", "1", ""), 422, "167"},
		"another currency":      {"POST", "/payments/" + psp + "/refunds", "", refund("USD", "1", ""), 422, "138"},
		"more than there is":    {"POST", "/payments/" + psp + "/refunds", "", refund("EUR", "4901", ""), 422, "702"},
		"a refund of nothing":   {"POST", "/payments/" + psp + "/refunds", "", refund("EUR", "0", ""), 422, "137"},
		"a refund of no amount": {"POST", "/payments/" + psp + "/refunds", "", `{"merchantAccount":"TestShopECOM"}`, 422, "100"},
		"a reason in own words": {"POST", "/payments/" + psp + "/refunds", "", refund("EUR", "1", `,"merchantRefundReason":"asked for"`), 422, "702"},
		"the state of it":       {"GET", "/payments/" + psp, "", "", 404, "702"},
	} {
		t.Run(name, func(t *testing.T) {
			status, answer := b.call(tt.method, tt.path, tt.key, tt.body)
			if status != tt.status || answer.Text("errorCode") != tt.code || answer["status"] != float64(tt.status) ||
				answer.Text("message") == "" || answer.Text("errorType") == "" {
				t.Errorf("answered %d %v, want %d %s", status, answer, tt.status, tt.code)
			}
		})
	}
	for _, header := range []http.Header{{}, {"X-Api-Key": {"AQE-key-of-somebody-else"}}, {"Authorization": {"Bearer " + key}}} {
		status, _, raw := b.Do("POST", "/adyen/paymentLinks", header, asked())
		if status != http.StatusUnauthorized || !strings.Contains(string(raw), `"errorType":"security"`) {
			t.Errorf("with %v: %d %s", header, status, raw)
		}
	}
}

func TestMoneyGoesBackOncePerKeyAndAWebhookTells(t *testing.T) {
	t.Parallel()
	b := setup(t)
	psp := b.paid()
	b.heard()
	path, part := "/payments/"+psp+"/refunds", refund("EUR", "900", `,"reference":"back-1","merchantRefundReason":"CUSTOMER REQUEST"`)
	first := b.do("POST", path, "refund-1", part, http.StatusCreated)
	first.Expect(t, object{"status": "received", "paymentPspReference": psp, "reference": "back-1", "merchantAccount": account,
		"merchantRefundReason": "CUSTOMER REQUEST"})
	first.At("amount").Expect(t, object{"currency": "EUR", "value": 900.0})
	if again := b.do("POST", path, "refund-1", part, http.StatusCreated); again.Text("pspReference") != first.Text("pspReference") {
		t.Error("the same key refunded twice")
	}
	b.do("POST", path, "refund-1", refund("EUR", "901", ""), http.StatusUnprocessableEntity).Expect(t, object{"errorCode": "704"})
	rest := b.do("POST", path, "refund-2", refund("EUR", "4000", ""), http.StatusCreated)
	items := b.heard()
	if len(items) != 2 {
		t.Fatalf("heard %v", items)
	}
	items[0].Expect(t, object{"eventCode": "REFUND", "success": "true", "pspReference": first.Text("pspReference"), "originalReference": psp, "merchantReference": "back-1"})
	items[1].Expect(t, object{"eventCode": "REFUND", "success": "true", "pspReference": rest.Text("pspReference"), "originalReference": psp, "merchantReference": "order-1"})
	items[1].At("amount").Expect(t, object{"value": 4000.0})
}

func TestTheFaultsOfTheAPIReachAdyen(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.link()
	b.Act(id, "pay", "")
	b.Faults(sandbox.Faults{APIBehind: true})
	b.do("GET", "/paymentLinks/"+id, "", "", http.StatusOK).Expect(t, object{"status": "active"})
	b.Faults(sandbox.Faults{APIDown: true})
	b.do("GET", "/paymentLinks/"+id, "", "", http.StatusServiceUnavailable).Expect(t, object{"errorType": "internal"})
}

func TestWhatIsNoSettingOrSecretOfAdyensIsRefused(t *testing.T) {
	t.Parallel()
	good := adyen.Config{APIKey: key, MerchantAccount: account, CaptureMode: adyen.Manual}
	for name, spoil := range map[string]func(*adyen.Config){
		"no key":         func(c *adyen.Config) { c.APIKey = "" },
		"a padded key":   func(c *adyen.Config) { c.APIKey += " " },
		"no account":     func(c *adyen.Config) { c.MerchantAccount = "" },
		"a colon":        func(c *adyen.Config) { c.MerchantAccount = "a:b" },
		"no mode":        func(c *adyen.Config) { c.CaptureMode = "" },
		"only a user":    func(c *adyen.Config) { c.BasicUser = "user" },
		"a user's colon": func(c *adyen.Config) { c.BasicUser, c.BasicPassword = "a:b", "password" },
	} {
		c := good
		spoil(&c)
		if _, err := adyen.New(c); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
	b := setup(t)
	for _, secret := range []string{"short", "0011", strings.Repeat("0g", 32), strings.Repeat("0", 33)} {
		if _, err := b.AddEndpoint(t.Context(), adyen.Name, "https://shop.example/x", secret); err == nil {
			t.Errorf("%q was taken", secret)
		}
	}
	d, err := adyen.New(good)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.CheckSecret(d.NewSecret()); err != nil {
		t.Error(err)
	}
}
