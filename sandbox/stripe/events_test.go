package stripe_test

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
	"onceshop/sandbox/stripe"
)

func TestWhatHappensToASessionIsToldInStripesEvents(t *testing.T) {
	t.Parallel()
	const created = "payment_intent.created"
	for name, tt := range map[string]struct {
		steps string // the last one's events count
		want  []string
		state object // of the session
		how   object // of its intent
	}{
		"paid": {"pay", []string{created, "charge.succeeded", "payment_intent.succeeded", "checkout.session.completed"},
			object{"status": "complete", "payment_status": "paid", "url": nil}, object{"status": "succeeded", "amount_received": 4900.0}},
		"a debit under way": {"pay:{\"confirmations\":1}", []string{created, "payment_intent.processing", "checkout.session.completed"},
			object{"status": "complete", "payment_status": "unpaid"}, object{"status": "processing", "amount_received": 0.0}},
		"a debit that arrived": {"pay:{\"confirmations\":1} confirm",
			[]string{"charge.succeeded", "payment_intent.succeeded", "checkout.session.async_payment_succeeded"},
			object{"payment_status": "paid"}, object{"status": "succeeded"}},
		"a debit that failed": {"pay:{\"confirmations\":1} fail",
			[]string{"charge.failed", "payment_intent.payment_failed", "checkout.session.async_payment_failed"},
			object{"status": "complete", "payment_status": "unpaid"}, object{"status": "requires_payment_method"}},
		"an attempt that failed": {"attempt_fail", []string{created, "charge.failed", "payment_intent.payment_failed"},
			object{"status": "open", "payment_status": "unpaid"}, object{"status": "requires_payment_method"}},
		"a second attempt": {"attempt_fail pay", []string{"charge.succeeded", "payment_intent.succeeded", "checkout.session.completed"},
			object{"payment_status": "paid"}, object{"status": "succeeded", "last_payment_error": nil}},
		"reserved": {"authorise", []string{created, "charge.succeeded", "payment_intent.amount_capturable_updated", "checkout.session.completed"},
			object{"status": "complete", "payment_status": "unpaid"}, object{"status": "requires_capture", "amount_capturable": 4900.0}},
		"captured": {"authorise capture", []string{"charge.captured", "payment_intent.succeeded"},
			object{"payment_status": "paid"}, object{"status": "succeeded", "amount_capturable": 0.0, "amount_received": 4900.0}},
		"a part captured": {"authorise capture:{\"amount\":\"900\"}", []string{"payment_intent.amount_capturable_updated"},
			object{"payment_status": "unpaid"}, object{"status": "requires_capture", "amount_capturable": 4000.0, "amount_received": 900.0}},
		"given up while reserved": {"authorise fail", []string{"payment_intent.canceled"},
			object{"status": "complete", "payment_status": "unpaid"}, object{"status": "canceled", "cancellation_reason": "requested_by_customer"}},
		"run out while reserved": {"authorise expire", []string{"charge.expired", "payment_intent.canceled"},
			object{"status": "complete", "payment_status": "unpaid"}, object{"status": "canceled", "cancellation_reason": "automatic"}},
		"failed for good": {"fail",
			[]string{created, "charge.failed", "payment_intent.payment_failed", "checkout.session.completed", "checkout.session.async_payment_failed"},
			object{"status": "complete", "payment_status": "unpaid"}, object{"status": "requires_payment_method"}},
		"expired unused": {"expire", []string{"checkout.session.expired"}, object{"status": "expired", "payment_intent": nil, "url": nil}, nil},
		"expired after an attempt": {"attempt_fail expire", []string{"payment_intent.canceled", "checkout.session.expired"},
			object{"status": "expired"}, object{"status": "canceled", "cancellation_reason": "expired"}},
		"part refunded": {"pay refund:{\"amount\":\"900\"}", []string{"refund.created", "charge.refunded"},
			object{"payment_status": "paid"}, object{"status": "succeeded", "amount_received": 4900.0}},
		"a refund that came back": {"pay refund refund_fail", []string{"charge.refund.updated", "refund.updated", "refund.failed"},
			object{"payment_status": "paid"}, object{"status": "succeeded"}},
		"disputed":       {"pay dispute", []string{"charge.dispute.created", "charge.dispute.funds_withdrawn"}, object{"payment_status": "paid"}, nil},
		"a dispute won":  {"pay dispute dispute_win", []string{"charge.dispute.closed", "charge.dispute.funds_reinstated"}, object{}, nil},
		"a dispute lost": {"pay dispute dispute_lose", []string{"charge.dispute.closed"}, object{}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			id := b.session()
			var types []string
			for step := range strings.FieldsSeq(tt.steps) {
				action, body, _ := strings.Cut(step, ":")
				types = b.Act(id, action, body).Types()
			}
			if !slices.Equal(types, tt.want) {
				t.Errorf("told %q, want %q", types, tt.want)
			}
			s := b.get("/v1/checkout/sessions/" + id + "?expand[]=payment_intent")
			s.Expect(t, tt.state)
			if tt.how != nil {
				s.At("payment_intent").Expect(t, tt.how)
			}
		})
	}
}

func TestAnEventIsAnEnvelopeAroundTheObject(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.session()
	b.Act(id, "pay", "")
	events := b.heard()
	if len(events) != 4 {
		t.Fatalf("%d events", len(events))
	}
	for _, e := range events {
		e.Expect(t, object{"object": "event", "api_version": stripe.Version, "livemode": false, "pending_webhooks": 1.0})
		if !strings.HasPrefix(e.Text("id"), "evt_") || e["created"] == nil || e.At("request") == nil {
			t.Errorf("event %v", e)
		}
	}
	session := events[3].At("data.object")
	session.Expect(t, object{"id": id, "object": "checkout.session", "client_reference_id": "order-1", "amount_total": 4900.0,
		"currency": "eur", "payment_status": "paid", "mode": "payment"})
	session.At("metadata").Expect(t, object{"order_ref": "order-1"})
	intent := events[2].At("data.object")
	intent.At("metadata").Expect(t, object{"order_ref": "order-1"})
	if intent.Text("id") != session.Text("payment_intent") {
		t.Errorf("intent %v of session %v", intent["id"], session["payment_intent"])
	}
	charge := events[1].At("data.object")
	charge.Expect(t, object{"id": intent.Text("latest_charge"), "payment_intent": intent.Text("id"), "amount_captured": 4900.0, "captured": true})
}

func TestARefundIsToldWithTheRunningTotalAndWhatItWas(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.session()
	b.Act(id, "pay", "")
	b.Act(id, "refund", `{"amount":"900"}`)
	b.heard()
	b.Act(id, "refund", "")
	events := b.heard()
	last := events[len(events)-1]
	last.At("data.object").Expect(t, object{"amount_refunded": 4900.0, "refunded": true, "amount_captured": 4900.0})
	last.At("data.previous_attributes").Expect(t, object{"amount_refunded": 900.0, "refunded": false})
	b.Act(id, "refund_fail", "")
	failed := b.heard()[2].At("data.object")
	failed.Expect(t, object{"status": "failed", "amount": 4000.0})
	b.get("/v1/charges/"+failed.Text("charge")).Expect(t, object{"amount_refunded": 900.0, "refunded": false})
}

func TestBothSecretsSignWhileTheyAreRotated(t *testing.T) {
	t.Parallel()
	b := setup(t)
	if _, err := b.AddEndpoint(t.Context(), stripe.Name, b.shop.URL, "whsec_the_new_one_of_the_shop", secret); err != nil {
		t.Fatal(err)
	}
	b.Act(b.session(), "expire", "")
	b.Deliver()
	got := b.shop.Take()
	if len(got) != 1 {
		t.Fatalf("%d deliveries", len(got))
	}
	parts := strings.Split(got[0].Header.Get("Stripe-Signature"), ",")
	if len(parts) != 3 {
		t.Fatalf("header %q", parts)
	}
	at, _ := strings.CutPrefix(parts[0], "t=")
	for i, key := range []string{"whsec_the_new_one_of_the_shop", secret} {
		mac := hmac.New(sha256.New, []byte(key))
		mac.Write([]byte(at + "." + string(got[0].Body)))
		if want := "v1=" + hex.EncodeToString(mac.Sum(nil)); parts[i+1] != want {
			t.Errorf("signature %d is %s, want %s", i+1, parts[i+1], want)
		}
	}
}

func TestARetryIsSignedAfreshOverTheSameBytes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.shop.Always(http.StatusFound, "")
	b.Act(b.session(), "expire", "")
	b.Deliver()
	b.Move(time.Hour)
	b.Later()
	b.shop.Always(http.StatusAccepted, "")
	b.Deliver()
	got := b.shop.Take()
	if len(got) != 2 || string(got[0].Body) != string(got[1].Body) {
		t.Fatalf("got %d", len(got))
	}
	if got[0].Header.Get("Stripe-Signature") == got[1].Header.Get("Stripe-Signature") {
		t.Error("signed as before")
	}
	b.Later()
	b.Deliver()
	if n := len(b.shop.Take()); n != 0 {
		t.Errorf("accepted, and sent %d times again", n)
	}
}

func TestTheScheduleIsStripesOwn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.shop.Always(http.StatusConflict, "")
	b.Act(b.session(), "expire", "")
	for range 20 {
		b.Deliver()
		b.Later()
	}
	if n := len(b.shop.Take()); n != 12 {
		t.Errorf("sent %d times, want the first and eleven retries", n)
	}
}

func TestOtherProvidersEndpointsHearNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	other := b.Listen(sandbox.StableIn, "a-secret-of-another-shop")
	b.Act(b.session(), "pay", "")
	b.Deliver()
	if n := len(other.Take()); n != 0 {
		t.Errorf("heard %d", n)
	}
	if status, raw := b.Practice("GET", "/v1/events", ""); status != 200 || strings.Contains(string(raw), "evt_") {
		t.Errorf("StableIn's list of events: %d %s", status, raw)
	}
	if status, raw := b.Practice("GET", "/v1/orders", ""); status != 200 || strings.Contains(string(raw), "order-1") {
		t.Errorf("StableIn's list of orders: %d %s", status, raw)
	}
}

func TestAConflictIsAnotherAmountUnderTheSameID(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.session()
	b.Faults(sandbox.Faults{Conflict: true})
	b.Act(id, "expire", "")
	events := b.heard()
	if len(events) != 2 || events[0].Text("id") != events[1].Text("id") {
		t.Fatalf("heard %v", events)
	}
	one, two := events[0].At("data.object"), events[1].At("data.object")
	if one["amount_total"] == two["amount_total"] && one["amount_subtotal"] == two["amount_subtotal"] {
		t.Error("the bodies are alike")
	}
}
