package adyen_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"onceshop/sandbox"
	"onceshop/sandbox/adyen"
)

func TestWhatHappensToALinkIsToldInAdyensCodes(t *testing.T) {
	t.Parallel()
	const auth, capture = "AUTHORISATION true 4900", "CAPTURE true 4900"
	for name, tt := range map[string]struct {
		steps   string   // the last one's notifications count
		manual  []string // what is told where captures are asked for
		instead []string // where they are automatic; nil: the same
	}{
		"paid":                    {"pay", []string{auth, capture}, []string{auth}},
		"under way":               {`pay:{"confirmations":1}`, nil, nil},
		"arrived":                 {`pay:{"confirmations":1} confirm`, []string{auth, capture}, []string{auth}},
		"under way and failed":    {`pay:{"confirmations":1} fail`, []string{"AUTHORISATION false 4900"}, nil},
		"an attempt that failed":  {"attempt_fail", []string{"AUTHORISATION false 4900"}, nil},
		"a second attempt":        {"attempt_fail pay", []string{auth, capture}, []string{auth}},
		"failed for good":         {"fail", []string{"AUTHORISATION false 4900"}, nil},
		"expired unused":          {"expire", []string{"OFFER_CLOSED true 4900"}, nil},
		"expired, tried before":   {"attempt_fail expire", []string{"OFFER_CLOSED true 4900"}, nil},
		"part refunded":           {`pay refund:{"amount":"900"}`, []string{"REFUND true 900"}, nil},
		"a refund that came back": {`pay refund:{"amount":"900"} refund_fail`, []string{"REFUND_FAILED true 900"}, nil},
		"taken back":              {"pay capture_fail", []string{"CAPTURE_FAILED true 4900"}, nil},
		"disputed":                {"pay dispute", []string{"NOTIFICATION_OF_CHARGEBACK true 4900", "CHARGEBACK true 4900"}, nil},
		"a dispute won":           {"pay dispute dispute_win", []string{"CHARGEBACK_REVERSED true 4900", "PREARBITRATION_WON true 4900"}, nil},
		"a dispute lost":          {"pay dispute dispute_lose", []string{"CHARGEBACK_REVERSED true 4900", "SECOND_CHARGEBACK true 4900"}, nil},
		"two at once": {`pay:{"confirmations":1,"amount":"900"} pay:{"confirmations":1,"amount":"4000"} confirm`,
			[]string{"AUTHORISATION true 900", "CAPTURE true 900", "AUTHORISATION true 4000", "CAPTURE true 4000"},
			[]string{"AUTHORISATION true 900", "AUTHORISATION true 4000"}},
		"reserved":                {"authorise", []string{auth}, []string{}},
		"captured":                {"authorise capture", []string{capture}, []string{}},
		"a part captured":         {`authorise capture:{"amount":"900"}`, []string{"CAPTURE true 900"}, []string{}},
		"given up while reserved": {"authorise fail", []string{"CANCELLATION true 4900"}, []string{}},
		"run out while reserved":  {"authorise expire", []string{"EXPIRE true 4900"}, []string{}},
	} {
		for _, mode := range []string{adyen.Manual, adyen.Automatic} {
			want := tt.manual
			if mode == adyen.Automatic && tt.instead != nil {
				if want = tt.instead; len(want) == 0 {
					continue // nothing is reserved there
				}
			}
			t.Run(name+", "+mode, func(t *testing.T) {
				t.Parallel()
				b := setup(t, func(c *adyen.Config) { c.CaptureMode = mode })
				id := b.link()
				for step := range strings.FieldsSeq(tt.steps) {
					b.heard()
					action, body, _ := strings.Cut(step, ":")
					b.Act(id, action, body)
				}
				var told []string
				for _, i := range b.heard() {
					i.Expect(t, object{"merchantAccountCode": account, "merchantReference": "order-1", "paymentMethod": "visa"})
					told = append(told, fmt.Sprint(i["eventCode"], " ", i["success"], " ", i.At("amount")["value"]))
				}
				if !slices.Equal(told, want) {
					t.Errorf("told %q, want %q", told, want)
				}
			})
		}
	}
}

func TestReferencesTellWhatBelongsTogether(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.link()
	failed := b.Act(id, "attempt_fail", "").Order.Payments[0].Ref
	paid := b.Act(id, "pay", "").Order.Payments[1].Ref
	b.Act(id, "refund", `{"amount":"900"}`)
	b.Act(id, "refund_fail", "")
	dispute := b.Act(id, "dispute", `{"reason":"fraud"}`).Order.Disputes[0].Ref
	b.Act(id, "dispute_win", "")
	b.Act(id, "capture_fail", "")
	items := map[string]object{}
	for _, i := range b.heard() {
		items[i.Text("eventCode")+" "+i.Text("success")] = i
		if psp := i.Text("pspReference"); len(psp) != 16 || strings.ToUpper(psp) != psp {
			t.Errorf("pspReference %q", psp)
		}
	}
	items["AUTHORISATION false"].Expect(t, object{"pspReference": failed, "originalReference": nil, "reason": "Refused"})
	items["AUTHORISATION true"].Expect(t, object{"pspReference": paid, "originalReference": nil})
	capture := items["CAPTURE true"].Text("pspReference")
	if capture == paid || capture == failed {
		t.Error("the capture has the payment's reference")
	}
	items["CAPTURE true"].Expect(t, object{"originalReference": paid})
	items["CAPTURE_FAILED true"].Expect(t, object{"pspReference": capture, "originalReference": paid})
	items["REFUND true"].Expect(t, object{"originalReference": paid})
	items["REFUND_FAILED true"].Expect(t, object{"pspReference": items["REFUND true"]["pspReference"], "originalReference": paid})
	for _, code := range []string{"NOTIFICATION_OF_CHARGEBACK", "CHARGEBACK", "CHARGEBACK_REVERSED", "PREARBITRATION_WON"} {
		items[code+" true"].Expect(t, object{"pspReference": dispute, "originalReference": paid, "reason": "fraud"})
	}
	items["PREARBITRATION_WON true"].At("additionalData").Expect(t, object{"disputeStatus": "Won"})
	if len(items) != 10 {
		t.Errorf("%d kinds of items", len(items))
	}
}

// signed recomputes an item's signature by hand.
func signed(t *testing.T, secret string, i object) string {
	t.Helper()
	key, err := hex.DecodeString(secret)
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("%s:%s:%s:%s:%v:%s:%s:%s", i.Text("pspReference"), i.Text("originalReference"), i.Text("merchantAccountCode"),
		i.Text("merchantReference"), i.At("amount")["value"], i.At("amount").Text("currency"), i.Text("eventCode"), i.Text("success"))
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(text))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

func TestItemsAreSignedWithTheNewestKeyAndTheEndpointsPassword(t *testing.T) {
	t.Parallel()
	next := strings.Repeat("AB", 32)
	b := setup(t, func(c *adyen.Config) { c.BasicUser, c.BasicPassword = "shop", "a:password" })
	check := func(key string) {
		t.Helper()
		b.paid()
		b.Deliver()
		got := b.shop.Take()
		if len(got) != 2 {
			t.Fatalf("%d deliveries", len(got))
		}
		for _, d := range got {
			i := only(t, d.Body)
			if want := signed(t, key, i); i.At("additionalData").Text("hmacSignature") != want {
				t.Errorf("%s: signature %v, want %s", i.Text("eventCode"), i["additionalData"], want)
			}
			r := http.Request{Header: d.Header}
			if user, password, ok := r.BasicAuth(); !ok || user != "shop" || password != "a:password" {
				t.Errorf("Authorization: %q", d.Header.Get("Authorization"))
			}
		}
	}
	check(secret)
	if _, err := b.AddEndpoint(t.Context(), adyen.Name, b.shop.URL, next, secret); err != nil {
		t.Fatal(err)
	}
	check(next)
	b.Faults(sandbox.Faults{PreviousSecret: true})
	check(secret)
}

func TestARepeatHasALaterDateAndTheSameSignature(t *testing.T) {
	t.Parallel()
	b := setup(t, automatic)
	b.shop.Always(http.StatusBadGateway, "[accepted]")
	b.paid()
	b.Deliver()
	b.Move(time.Hour)
	b.Later()
	b.shop.Always(http.StatusAccepted, "")
	b.Deliver()
	b.Later()
	b.Deliver()
	got := b.shop.Take()
	if len(got) != 2 {
		t.Fatalf("sent %d times", len(got))
	}
	first, second := only(t, got[0].Body), only(t, got[1].Body)
	one, err := time.Parse("2006-01-02T15:04:05-07:00", first.Text("eventDate"))
	if err != nil {
		t.Fatal(err)
	}
	two, err := time.Parse("2006-01-02T15:04:05-07:00", second.Text("eventDate"))
	if err != nil || two.Sub(one) != time.Hour {
		t.Errorf("dates %v and %v: %v", one, two, err)
	}
	second["eventDate"] = first["eventDate"]
	if fmt.Sprint(first) != fmt.Sprint(second) {
		t.Errorf("%v\n%v", first, second)
	}
}

func TestAttemptsGoOnForThirtyDays(t *testing.T) {
	t.Parallel()
	d, err := adyen.New(adyen.Config{APIKey: key, MerchantAccount: account, CaptureMode: adyen.Manual})
	if err != nil {
		t.Fatal(err)
	}
	waits := d.Profile().Retries
	var sum time.Duration
	for _, w := range waits {
		sum += w
	}
	if waits[0] != 9*time.Second || waits[3] != 2*time.Minute || waits[11] != 8*time.Hour || sum > 30*24*time.Hour || sum < 29*24*time.Hour {
		t.Errorf("%d waits of %s", len(waits), sum)
	}
	b := setup(t)
	b.shop.Always(http.StatusServiceUnavailable, "")
	b.Act(b.link(), "expire", "")
	for range 20 {
		b.Deliver()
		b.Later()
	}
	if n := len(b.shop.Take()); n != 20 {
		t.Errorf("sent %d times, and isn't through", n)
	}
}

func TestAConflictIsAnotherAmountOfTheSameEventAndSigned(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Faults(sandbox.Faults{Conflict: true})
	b.Act(b.link(), "attempt_fail", "")
	items := b.heard()
	if len(items) != 2 || items[0]["pspReference"] != items[1]["pspReference"] || items[0].At("amount")["value"] == items[1].At("amount")["value"] {
		t.Fatalf("heard %v", items)
	}
	for _, i := range items {
		if i.At("additionalData").Text("hmacSignature") != signed(t, secret, i) {
			t.Errorf("not signed: %v", i)
		}
	}
}

func TestNothingIsReservedWhereCapturesAreAutomatic(t *testing.T) {
	t.Parallel()
	b := setup(t, automatic)
	for _, action := range []string{"authorise", "capture", "underpay", "risk"} {
		if status, raw := b.Practice("POST", "/v1/test/orders/"+b.link()+"/"+action, ""); status != http.StatusConflict {
			t.Errorf("%s: %d %s", action, status, raw)
		}
	}
}
