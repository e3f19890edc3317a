package razorpay_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"onceshop/sandbox"
	"onceshop/sandbox/razorpay"
	"onceshop/sandbox/sandboxtest"
)

func TestALinkIsCreatedWithAnAddressAndNoOrder(t *testing.T) {
	t.Parallel()
	b := setup(t)
	l := b.post("/payment_links/", "", asked("order-1"))
	l.Expect(t, object{"amount": 4900.0, "amount_paid": 0.0, "currency": "INR", "status": "created", "reference_id": "order-1", "order_id": nil,
		"payments": nil, "accept_partial": false, "callback_method": "get", "expire_by": 0.0, "expired_at": 0.0, "cancelled_at": 0.0})
	l.At("notes").Expect(t, object{"order_ref": "order-1"})
	if !strings.HasPrefix(l.Text("id"), "plink_") || len(l.Text("id")) != 20 || !strings.HasPrefix(l.Text("short_url"), b.URL+"/pay/") {
		t.Errorf("id %v, short_url %v", l["id"], l["short_url"])
	}
	if again := b.get("/payment_links/" + l.Text("id")); again.Text("short_url") != l.Text("short_url") {
		t.Errorf("fetched as %v", again)
	}
	if status, _, page := b.Do("GET", strings.TrimPrefix(l.Text("short_url"), b.URL), nil, ""); status != 200 || !strings.Contains(string(page), "Razorpay") {
		t.Errorf("the page answers %d", status)
	}
}

func TestAReferenceIsTakenOnceEvenByTheSameRequest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.link("order-1")
	for _, body := range []object{asked("order-1"), asked("order-1").With(object{"amount": 5000})} {
		if said := b.refused(400, "POST", "/payment_links", "", body); said != "payment link creation with reference ID already attempted" {
			t.Error(said)
		}
	}
	if list := b.get("/payment_links?reference_id=order-1").List("payment_links"); !slices.Equal(ids(list), []string{id}) {
		t.Errorf("listed %v", ids(list))
	}
	if list := b.get("/payment_links?reference_id=order-2").List("payment_links"); len(list) != 0 {
		t.Errorf("listed %v", list)
	}
	for range 2 {
		b.post("/payment_links", "", asked("").With(object{"reference_id": nil}))
	}
	if list := b.get("/payment_links?count=2").List("payment_links"); len(list) != 2 || slices.Contains(ids(list), id) {
		t.Errorf("the newest are %v", ids(list))
	}
}

func TestAmountsAreInRazorpaysMinorUnits(t *testing.T) {
	t.Parallel()
	for currency, tt := range map[string]struct {
		theirs float64
		ours   string
		bad    []any
	}{
		"INR": {4900, "4900", []any{99, 49.5, "4900", -4900, nil}},
		"JPY": {4900, "4900", []any{0, 4.9}},
		"KWD": {4900, "4900", []any{4901}},
		"EUR": {1, "1", []any{0}},
		"UGX": {4900, "4900", []any{0}},
	} {
		t.Run(currency, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			l := b.post("/payment_links", "", in(currency, tt.theirs))
			l.Expect(t, object{"amount": tt.theirs, "currency": currency})
			paid := b.Act(l.Text("id"), "pay", "")
			if paid.Order.Amount != tt.ours {
				t.Errorf("the engine counts %s", paid.Order.Amount)
			}
			b.get("/payments/"+paid.Order.Payments[0].Ref).Expect(t, object{"amount": tt.theirs, "status": "captured", "captured": true})
			b.get("/orders/"+paid.Order.IntentRef).Expect(t, object{"amount_paid": tt.theirs, "amount_due": 0.0, "status": "paid"})
			for _, bad := range tt.bad {
				b.refused(400, "POST", "/payment_links", "", in(currency, tt.theirs).With(object{"amount": bad, "reference_id": "bad"}))
			}
		})
	}
}

func TestWhatCantBeAskedForIsRefusedInRazorpaysWay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.link("order-1")
	with := func(name string, value any) object { return asked("order-2").With(object{name: value}) }
	soon := time.Now().Add(5 * time.Minute).Unix()
	for name, tt := range map[string]struct {
		method, path string
		body         object
	}{
		"a mistyped name":       {"POST", "/payment_links", with("reference", "x")},
		"an unknown currency":   {"POST", "/payment_links", with("currency", "XYZ")},
		"small letters":         {"POST", "/payment_links", with("currency", "inr")},
		"a long reference":      {"POST", "/payment_links", with("reference_id", strings.Repeat("x", 41))},
		"nowhere to go back to": {"POST", "/payment_links", with("callback_url", nil)},
		"another way back":      {"POST", "/payment_links", with("callback_method", "post")},
		"a short life":          {"POST", "/payment_links", with("expire_by", soon)},
		"a long life":           {"POST", "/payment_links", with("expire_by", soon+int64(200*24*3600))},
		"a long note":           {"POST", "/payment_links", with("notes", object{"a": strings.Repeat("x", 256)})},
		"an unknown link":       {"GET", "/payment_links/plink_nobody", nil},
		"an id of another kind": {"GET", "/payments/" + id, nil},
		"an unknown order":      {"GET", "/orders/order_nobody", nil},
		"an unknown refund":     {"GET", "/refunds/rfnd_nobody", nil},
		"an unknown dispute":    {"GET", "/disputes/disp_nobody", nil},
		"a refund of nobody's":  {"POST", "/payments/pay_nobody/refund", object{}},
		"a long list":           {"GET", "/payments?count=101", nil},
		"a mistyped parameter":  {"GET", "/payments?form=1", nil},
		"an unknown route":      {"GET", "/customers", nil},
	} {
		if said := b.refused(400, tt.method, tt.path, "", tt.body); said == "" {
			t.Errorf("%s: taken", name)
		}
	}
	for _, authorization := range []string{"", "Bearer " + keySecret, sandboxtest.Basic(keyID, "of-somebody-else"), sandboxtest.Basic("rzp_test_x", keySecret), sandboxtest.Basic(keyID, "")} {
		status, header, raw := b.Do("GET", "/razorpay/v1/payments", http.Header{"Authorization": {authorization}}, "")
		if status != 401 || !strings.Contains(string(raw), "BAD_REQUEST_ERROR") || header.Get("WWW-Authenticate") == "" {
			t.Errorf("with %q: %d %s", authorization, status, raw)
		}
	}
}

func TestAPaymentLeadsToItsOrderAndItsLink(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.link("order-1")
	b.link("order-2")
	b.Act(id, "attempt_fail", "")
	order := b.Act(id, "pay", "").Order
	b.get("/payment_links/"+id).Expect(t, object{"order_id": order.IntentRef, "status": "paid", "amount_paid": 4900.0})
	p := b.get("/payments/" + order.Payments[1].Ref)
	p.Expect(t, object{"order_id": order.IntentRef, "status": "captured", "refund_status": nil, "amount_refunded": 0.0})
	p.At("notes").Expect(t, object{"order_ref": "order-1"})
	attempts := b.get("/orders/" + order.IntentRef + "/payments").List("items")
	if len(attempts) != 2 || attempts[0].Text("status") != "failed" || attempts[1].Text("id") != p.Text("id") {
		t.Errorf("attempts %v", attempts)
	}
	if list := b.get("/orders?receipt=order-1").List("items"); !slices.Equal(ids(list), []string{order.IntentRef}) {
		t.Errorf("by receipt %v", list)
	}
	if list := b.get("/orders").List("items"); len(list) != 1 {
		t.Errorf("orders of links that nobody has tried: %v", list)
	}
	if list := b.get("/payment_links?payment_id=" + p.Text("id")).List("payment_links"); !slices.Equal(ids(list), []string{id}) {
		t.Errorf("by payment %v", list)
	}
}

func TestNotesAreAnObjectAnEmptyArrayOrNull(t *testing.T) {
	t.Parallel()
	b := setup(t)
	l := b.post("/payment_links", "", asked("order-1").With(object{"notes": []any{}}))
	paid := b.Act(l.Text("id"), "pay", "").Order
	p := b.get("/payments/" + paid.Payments[0].Ref)
	if empty, ok := p["notes"].([]any); !ok || len(empty) != 0 || l["notes"] != nil {
		t.Errorf("of the payment %v, of the link %v", p["notes"], l["notes"])
	}
	r := b.post("/payments/"+p.Text("id")+"/refund", "", object{"amount": 900, "notes": object{"why": "asked for"}})
	r.At("notes").Expect(t, object{"why": "asked for"})
}

func TestTheListGoesOnFromTheNewestBack(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var made, seen []string
	for _, ref := range strings.Fields("a b c d e") {
		made = append(made, b.Act(b.link(ref), "pay", "").Order.Payments[0].Ref)
	}
	now := time.Now().Unix()
	window := "&from=" + seconds(now-3600) + "&to=" + seconds(now+3600)
	for _, skip := range []string{"0", "2", "4", "6"} {
		page := b.get("/payments?count=2&skip=" + skip + window)
		page.Expect(t, object{"entity": "collection", "count": float64(len(page.List("items")))})
		seen = append(seen, ids(page.List("items"))...)
	}
	slices.Reverse(seen)
	if !slices.Equal(seen, made) {
		t.Errorf("saw %v of %v", seen, made)
	}
	p := b.get("/payments/" + made[0])
	at := seconds(int64(p["created_at"].(float64)))
	if list := b.get("/payments?from=" + at + "&to=" + at).List("items"); !slices.Contains(ids(list), made[0]) {
		t.Error("the second that it was made in isn't of the window")
	}
	if list := b.get("/payments?from=" + seconds(now+3600)).List("items"); len(list) != 0 {
		t.Errorf("%d from the future", len(list))
	}
}

func TestTheFaultsOfTheAPIReachRazorpay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.link("a")
	order := b.Act(id, "pay", "").Order
	b.Faults(sandbox.Faults{APIBehind: true})
	b.get("/payment_links/"+id).Expect(t, object{"status": "created", "order_id": nil})
	b.refused(400, "GET", "/orders/"+order.IntentRef, "", nil)
	b.refused(400, "GET", "/payments/"+order.Payments[0].Ref, "", nil)
	if list := b.get("/payments").List("items"); len(list) != 0 {
		t.Errorf("listed %v", list)
	}
	b.Faults(sandbox.Faults{APIDown: true})
	status, answer := b.call("GET", "/payment_links/"+id, "", nil)
	if status != http.StatusServiceUnavailable || answer.At("error").Text("code") != "SERVER_ERROR" {
		t.Errorf("answered %d %v", status, answer)
	}
}

func TestWhatIsNoKeyOrSecretOfRazorpaysIsRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []razorpay.Config{
		{}, {KeyID: "rzp_live_1234", KeySecret: keySecret}, {KeyID: "rzp_test_a:b", KeySecret: keySecret},
		{KeyID: keyID, KeySecret: "short"}, {KeyID: keyID, KeySecret: keySecret, Account: "mine"},
	} {
		if _, err := razorpay.New(c); err == nil || c.KeySecret != "" && strings.Contains(err.Error(), c.KeySecret) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	b := setup(t)
	if _, err := b.AddEndpoint(t.Context(), razorpay.Name, "https://shop.example/x", "short"); err == nil {
		t.Error("a short secret was taken")
	}
}
