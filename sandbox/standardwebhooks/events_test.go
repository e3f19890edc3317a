package standardwebhooks_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"onceshop/sandbox"
	"onceshop/sandbox/standardwebhooks"
)

func TestWhatHappensIsToldInMessages(t *testing.T) {
	t.Parallel()
	for steps, want := range map[string]string{
		"pay":                             "pending paid",
		`pay:{"confirmations":1} confirm`: "pending confirming paid",
		"attempt_fail pay":                "pending paid",
		"authorise capture":               "pending authorised paid",
		"fail":                            "pending failed",
		"expire pay":                      "pending expired paid",
		"pay refund refund_fail":          "pending paid refunded refund_failed",
		"pay dispute dispute_win":         "pending paid disputed dispute_won",
		"pay dispute dispute_lose":        "pending paid disputed dispute_lost",
	} {
		t.Run(steps, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			p := b.create("order-1").At("payment")
			for step := range strings.FieldsSeq(steps) {
				action, body, _ := strings.Cut(step, ":")
				b.Act("order-1", action, body)
			}
			var told []string
			for _, m := range b.heard() {
				kind := strings.TrimPrefix(m.Text("type"), "payment.")
				told = append(told, kind)
				m.At("data").Expect(t, object{"payment_ref": p["payment_ref"], "order_ref": "order-1", "amount_minor": 4900.0, "currency": "EUR"})
				if total := m.At("data")["refunded_total_minor"]; strings.HasPrefix(kind, "refund") != (total != nil) {
					t.Errorf("%s has the total %v", kind, total)
				}
				if _, err := time.Parse(time.RFC3339Nano, m.Text("timestamp")); err != nil {
					t.Error(err)
				}
			}
			if got := strings.Join(told, " "); got != want {
				t.Errorf("told %s, want %s", got, want)
			}
		})
	}
}

func TestARefundIsToldWithTheRunningTotal(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.create("order-1")
	b.Act("order-1", "pay", "")
	b.heard()
	b.Act("order-1", "refund", `{"amount":"900"}`)
	b.Act("order-1", "refund", "")
	b.Act("order-1", "refund_fail", "")
	for i, m := range b.heard() {
		m.At("data").Expect(t, object{"refunded_total_minor": []float64{900, 4900, 900}[i]})
	}
}

// signed is the entry that a key makes for a delivery.
func signed(key string, header http.Header, body []byte) string {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(header.Get("webhook-id") + "." + header.Get("webhook-timestamp") + "." + string(body)))
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

func TestBothSecretsSignWhileTheyAreRotated(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const newest = "a-new-secret-of-24-bytes"
	if _, err := b.AddEndpoint(t.Context(), standardwebhooks.Name, b.shop.URL, base64.StdEncoding.EncodeToString([]byte(newest)), secret); err != nil {
		t.Fatal(err)
	}
	b.create("order-1")
	b.Deliver()
	got := b.shop.Take()
	if len(got) != 1 {
		t.Fatalf("%d deliveries", len(got))
	}
	d := got[0]
	want := signed(newest, d.Header, d.Body) + " " + signed("secret-of-the-shop-in-tests", d.Header, d.Body)
	if d.Header.Get("webhook-signature") != want {
		t.Errorf("signature %s, want %s", d.Header.Get("webhook-signature"), want)
	}
	if id := d.Header.Get("webhook-id"); !strings.HasPrefix(id, "msg_") || strings.Contains(id, ".") {
		t.Errorf("id %q", id)
	}
}

func TestARetryHasTheSameIDAndBytesUnderANewTime(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.shop.Always(http.StatusFound, "")
	b.create("order-1")
	for range 20 {
		b.Deliver()
		b.Move(time.Hour)
		b.Later()
	}
	got := b.shop.Take()
	if len(got) != 10 {
		t.Errorf("sent %d times, want the first and nine retries", len(got))
	}
	for i, d := range got {
		at, err := strconv.ParseInt(d.Header.Get("webhook-timestamp"), 10, 64)
		first, firstErr := strconv.ParseInt(got[0].Header.Get("webhook-timestamp"), 10, 64)
		if err != nil || firstErr != nil || at != first+int64(i)*3600 {
			t.Errorf("attempt %d at %d after %d", i, at, first)
		}
		if string(d.Body) != string(got[0].Body) || d.Header.Get("webhook-id") != got[0].Header.Get("webhook-id") {
			t.Errorf("attempt %d is another message", i)
		}
		if want := signed("secret-of-the-shop-in-tests", d.Header, d.Body); d.Header.Get("webhook-signature") != want {
			t.Errorf("attempt %d is signed %s, want %s", i, d.Header.Get("webhook-signature"), want)
		}
	}
}

func TestGoneEndsTheEndpointUntilItIsRegisteredAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	other := b.Listen(standardwebhooks.Name, secret)
	b.shop.Always(http.StatusGone, "")
	b.create("order-1")
	b.create("order-2")
	b.Deliver()
	first := len(b.shop.Take()) // both may be on their way when one is refused
	b.Later()
	b.create("order-3")
	b.Deliver()
	if later := len(b.shop.Take()); first < 1 || later != 0 {
		t.Errorf("sent %d, and %d after 410", first, later)
	}
	if n := len(other.Take()); n != 3 {
		t.Errorf("the other endpoint heard %d", n)
	}
	b.shop.Always(http.StatusOK, "")
	if _, err := b.AddEndpoint(t.Context(), standardwebhooks.Name, b.shop.URL, secret); err != nil {
		t.Fatal(err)
	}
	b.create("order-4")
	b.Deliver()
	if n := len(b.shop.Take()); n != 1 {
		t.Errorf("registered again, and heard %d", n)
	}
}

func TestAConflictHasTheSameIDAndAnotherAmount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Faults(sandbox.Faults{Conflict: true})
	b.create("order-1")
	b.Deliver()
	got := b.shop.Take()
	if len(got) != 2 || got[0].Header.Get("webhook-id") != got[1].Header.Get("webhook-id") || string(got[0].Body) == string(got[1].Body) {
		t.Errorf("heard %d", len(got))
	}
}
