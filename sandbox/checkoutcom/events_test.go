package checkoutcom_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"onceshop/sandbox"
	"onceshop/sandbox/checkoutcom"
)

func TestWhatHappensOnAPageIsToldInCheckoutcomsEvents(t *testing.T) {
	t.Parallel()
	const approved, pending, captured = "payment_approved", "payment_capture_pending", "payment_captured"
	balances := func(authorised, captured, refunded, open float64) object {
		return object{"total_authorized": authorised, "total_captured": captured, "total_refunded": refunded, "available_to_capture": open}
	}
	for name, tt := range map[string]struct {
		steps    string // the last one's events count
		want     []string
		status   string // of the newest payment
		balances object
	}{
		"paid":                     {"pay", []string{approved, pending, captured}, "Captured", balances(4900, 4900, 0, 0)},
		"under way":                {`pay:{"confirmations":1}`, []string{"payment_pending"}, "Pending", nil},
		"arrived":                  {`pay:{"confirmations":1} confirm`, []string{approved, pending, captured}, "Captured", balances(4900, 4900, 0, 0)},
		"under way and declined":   {`pay:{"confirmations":1} fail`, []string{"payment_declined"}, "Declined", nil},
		"an attempt that failed":   {"attempt_fail", []string{"payment_declined"}, "Declined", nil},
		"a second attempt":         {"attempt_fail pay", []string{approved, pending, captured}, "Captured", balances(4900, 4900, 0, 0)},
		"reserved":                 {"authorise", []string{approved}, "Authorized", balances(4900, 0, 0, 4900)},
		"captured":                 {"authorise capture", []string{captured}, "Captured", balances(4900, 4900, 0, 0)},
		"a part captured":          {`authorise capture:{"amount":"900"}`, []string{captured}, "Partially Captured", balances(4900, 900, 0, 4000)},
		"given up while reserved":  {"authorise fail", []string{"payment_voided"}, "Voided", balances(4900, 0, 0, 0)},
		"run out while reserved":   {"authorise expire", []string{"payment_expired"}, "Expired", balances(4900, 0, 0, 0)},
		"failed for good":          {"fail", []string{"payment_declined"}, "Declined", nil},
		"expired after an attempt": {"attempt_fail expire", nil, "Declined", nil},
		"part refunded":            {`pay refund:{"amount":"900"}`, []string{"payment_refunded"}, "Partially Refunded", balances(4900, 4900, 900, 0)},
		"disputed":                 {"pay dispute", []string{"dispute_evidence_required"}, "Captured", balances(4900, 4900, 0, 0)},
		"a dispute won":            {"pay dispute dispute_win", []string{"dispute_won"}, "Captured", nil},
		"a dispute lost":           {"pay dispute dispute_lose", []string{"dispute_lost"}, "Captured", nil},
		"two at once": {`pay:{"confirmations":1,"amount":"900"} pay:{"confirmations":1,"amount":"4000"} confirm`,
			[]string{approved, pending, captured, approved + " 2", pending + " 2", captured + " 2"}, "Captured", balances(4000, 4000, 0, 0)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			id := b.page()
			var types, refs []string
			for step := range strings.FieldsSeq(tt.steps) {
				action, body, _ := strings.Cut(step, ":")
				acted := b.Act(id, action, body)
				types, refs = acted.Types(), nil
				for _, p := range acted.Order.Payments {
					refs = append(refs, p.Ref)
				}
			}
			if !slices.Equal(types, tt.want) {
				t.Errorf("told %q, want %q", types, tt.want)
			}
			p := b.get("/payments/" + refs[len(refs)-1])
			p.Expect(t, object{"status": tt.status})
			p.At("balances").Expect(t, tt.balances)
			for _, e := range b.heard() {
				if strings.Contains(e.Text("type"), " ") {
					t.Errorf("a type of ours was sent: %v", e)
				}
			}
		})
	}
}

func TestNothingIsToldOfAPageThatExpires(t *testing.T) {
	t.Parallel()
	b := setup(t)
	if types := b.Act(b.page(), "expire", "").Types(); len(types) != 0 {
		t.Errorf("told %q", types)
	}
}

func TestAnEventIsAnEnvelopeWithBalances(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.paid()
	events := b.heard()
	if len(events) != 3 {
		t.Fatalf("%d events", len(events))
	}
	seen := map[string]bool{}
	for _, e := range events {
		created, err := time.Parse("2006-01-02T15:04:05.0000000Z", e.Text("created_on"))
		if err != nil || time.Since(created).Abs() > time.Hour || !strings.HasPrefix(e.Text("id"), "evt_") || seen[e.Text("id")] {
			t.Errorf("event %v: %v", e, err)
		}
		seen[e.Text("id")] = true
		e.At("data").Expect(t, object{"id": id, "reference": "order-1", "amount": 4900.0, "currency": "EUR", "response_code": "10000"})
		e.At("data.metadata").Expect(t, object{"order_ref": "order-1"})
		e.At("_links.payment").Expect(t, object{"href": "/payments/" + id})
	}
	events[0].At("data.balances").Expect(t, object{"total_authorized": 4900.0, "available_to_void": 4900.0, "total_captured": 0.0, "available_to_capture": 4900.0})
	events[2].At("data.balances").Expect(t, object{"total_captured": 4900.0, "available_to_capture": 0.0, "available_to_refund": 4900.0})
	actions := b.actions(id)
	if events[0].At("data").Text("action_id") != actions[1].Text("id") || events[2].At("data").Text("action_id") != actions[0].Text("id") {
		t.Errorf("the actions of events and of the API have other ids")
	}

	b.Act(id, "dispute", `{"reason":"fraudulent"}`)
	e := b.heard()[0]
	e.Expect(t, object{"type": "dispute_evidence_required", "created_on": nil})
	e.At("data").Expect(t, object{"payment_id": id, "payment_reference": "order-1", "amount": 4900.0, "currency": "EUR", "category": "fraudulent"})
	if e.Text("timestamp") == "" || !strings.HasPrefix(e.At("data").Text("id"), "dsp_") {
		t.Errorf("event %v", e)
	}
}

func TestDeliveriesAreSignedOverTheirBytesWithTheNewestKey(t *testing.T) {
	t.Parallel()
	b := setup(t, func(c *checkoutcom.Config) { c.AuthorizationHeader = "a-fixed-value" })
	check := func(key string) {
		t.Helper()
		b.Act(b.page(), "attempt_fail", "")
		b.Deliver()
		got := b.shop.Take()
		if len(got) != 1 {
			t.Fatalf("%d deliveries", len(got))
		}
		mac := hmac.New(sha256.New, []byte(key))
		mac.Write(got[0].Body)
		if want := hex.EncodeToString(mac.Sum(nil)); got[0].Header.Get("Cko-Signature") != want {
			t.Errorf("signature %s, want %s", got[0].Header.Get("Cko-Signature"), want)
		}
		if v := got[0].Header.Get("Authorization"); v != "a-fixed-value" {
			t.Errorf("Authorization: %q", v)
		}
	}
	check(secret)
	if _, err := b.AddEndpoint(t.Context(), checkoutcom.Name, b.shop.URL, "the-next-signature-key", secret); err != nil {
		t.Fatal(err)
	}
	check("the-next-signature-key")
	b.Faults(sandbox.Faults{PreviousSecret: true})
	check(secret)
}

func TestARetryIsTheSameBytesUntilAny2xx(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.shop.Always(http.StatusConflict, "")
	b.Act(b.page(), "attempt_fail", "")
	b.Deliver()
	b.Move(time.Hour)
	b.Later()
	b.shop.Always(http.StatusAccepted, "")
	b.Deliver()
	b.Later()
	b.Deliver()
	got := b.shop.Take()
	if len(got) != 2 || string(got[0].Body) != string(got[1].Body) || got[0].Header.Get("Cko-Signature") != got[1].Header.Get("Cko-Signature") {
		t.Fatalf("sent %d times", len(got))
	}
}

func TestThereAreEightRetries(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.shop.Always(http.StatusServiceUnavailable, "")
	b.Act(b.page(), "attempt_fail", "")
	for range 12 {
		b.Deliver()
		b.Later()
	}
	if n := len(b.shop.Take()); n != 9 {
		t.Errorf("sent %d times, want the first and eight retries", n)
	}
}

func TestAConflictIsAnotherAmountUnderTheSameID(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Faults(sandbox.Faults{Conflict: true})
	b.Act(b.page(), "attempt_fail", "")
	events := b.heard()
	if len(events) != 2 || events[0].Text("id") != events[1].Text("id") || events[0].At("data")["amount"] == events[1].At("data")["amount"] {
		t.Errorf("heard %v", events)
	}
}
