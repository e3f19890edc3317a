package payflow_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"testing"
	"time"

	"onceshop/sandbox"
	"onceshop/sandbox/payflow"
	"onceshop/sandbox/sandboxtest"
)

func TestEveryChangeIsOneEvent(t *testing.T) {
	t.Parallel()
	for steps, want := range map[string]string{
		"pay":                             "payment.pending payment.success",
		`pay:{"confirmations":1} confirm`: "payment.pending payment.processing payment.success",
		"attempt_fail pay":                "payment.pending payment.failed payment.success",
		"authorise capture":               "payment.pending payment.authorized payment.success",
		"fail":                            "payment.pending payment.failed",
		"expire":                          "payment.pending payment.expired",
		"underpay pay":                    "payment.pending payment.pending payment.success",
		"pay refund":                      "payment.pending payment.success refund.success",
		"pay dispute dispute_win":         "payment.pending payment.success dispute.opened dispute.won",
		"pay dispute dispute_lose":        "payment.pending payment.success dispute.opened dispute.lost",
	} {
		t.Run(steps, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.create("order-1")
			for step := range strings.FieldsSeq(steps) {
				action, body, _ := strings.Cut(step, ":")
				b.Act("order-1", action, body)
			}
			var told []string
			ids := map[string]bool{}
			for _, e := range b.heard() {
				told = append(told, e.Text("event"))
				ids[e.Text("eventId")] = true
				e.Expect(t, object{"orderId": "order-1", "amount": 4900.0})
			}
			if got := strings.Join(told, " "); got != want {
				t.Errorf("told %s, want %s", got, want)
			}
			if len(ids) != len(told) {
				t.Errorf("ids %v", ids)
			}
		})
	}
}

func TestARefundIsToldWithTheRunningTotal(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.create("order-1")
	b.Act("order-1", "pay", "")
	for _, e := range b.heard() {
		if e["refundAmount"] != nil || e["refundedTotal"] != nil {
			t.Errorf("no refund, and told %v", e)
		}
	}
	b.Act("order-1", "refund", `{"amount":"900"}`)
	b.Act("order-1", "refund", "")
	events := b.heard()
	events[0].Expect(t, object{"event": "refund.success", "amount": 4900.0, "refundAmount": 900.0, "refundedTotal": 900.0})
	events[1].Expect(t, object{"event": "refund.success", "amount": 4900.0, "refundAmount": 4000.0, "refundedTotal": 4900.0})
}

func TestEachAttemptIsStampedAndSignedAnew(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const newest = "the-new-secret-of-the-shop"
	if _, err := b.AddEndpoint(t.Context(), payflow.Name, b.shop.URL, newest, secret); err != nil {
		t.Fatal(err)
	}
	b.shop.Always(http.StatusAccepted, "") // not 200, so it wasn't taken
	b.create("order-1")
	for range 20 {
		b.Deliver()
		b.Move(time.Hour)
		b.Later()
	}
	got := b.shop.Take()
	if len(got) != 9 {
		t.Errorf("sent %d times, want the first and eight retries", len(got))
	}
	first, before := sandboxtest.Decode[object](t, got[0].Body), 0.0
	for _, d := range got {
		mac := hmac.New(sha256.New, []byte(newest))
		mac.Write(d.Body)
		if want := hex.EncodeToString(mac.Sum(nil)); d.Header.Get("X-PayFlow-Signature") != want {
			t.Errorf("signature %s, want %s", d.Header.Get("X-PayFlow-Signature"), want)
		}
		e := sandboxtest.Decode[object](t, d.Body)
		at, _ := e["timestamp"].(float64)
		if before != 0 && at != before+3600 {
			t.Errorf("stamped %v after %v", at, before)
		}
		before = at
		e.Expect(t, object{"eventId": first["eventId"], "event": "payment.pending", "orderId": "order-1", "amount": 4900.0})
	}
}

func TestAStaleDeliveryIsStampedInThePast(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Faults(sandbox.Faults{StaleTimestamp: true})
	b.create("order-1")
	e := b.heard()[0]
	if at, _ := e["timestamp"].(float64); b.Now().Unix()-int64(at) < 301 {
		t.Errorf("stamped %v at %d", at, b.Now().Unix())
	}
}

func TestAConflictHasTheSameIDAndAnotherAmount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Faults(sandbox.Faults{Conflict: true})
	b.create("order-1")
	events := b.heard()
	if len(events) != 2 || events[0].Text("eventId") != events[1].Text("eventId") || events[0]["amount"] == events[1]["amount"] {
		t.Errorf("heard %v", events)
	}
}
