package razorpay_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"onceshop/sandbox"
	"onceshop/sandbox/razorpay"
)

func TestWhatHappensToALinkIsToldInRazorpaysEvents(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		steps   string // the last one's events count
		want    string
		link    string
		payment string // status of the newest
	}{
		"paid":                    {"pay", "payment.authorized payment.captured order.paid payment_link.paid", "paid", "captured"},
		"under way":               {"pay:{\"confirmations\":1}", "", "created", "created"},
		"arrived":                 {"pay:{\"confirmations\":1} confirm", "payment.authorized payment.captured order.paid payment_link.paid", "paid", "captured"},
		"failed under way":        {"pay:{\"confirmations\":1} fail", "payment.failed payment_link.cancelled", "cancelled", "failed"},
		"an attempt that failed":  {"attempt_fail", "payment.failed", "created", "failed"},
		"a second attempt":        {"attempt_fail pay", "payment.authorized payment.captured order.paid payment_link.paid", "paid", "captured"},
		"reserved":                {"authorise", "payment.authorized", "created", "authorized"},
		"captured":                {"authorise capture", "payment.captured order.paid payment_link.paid", "paid", "captured"},
		"given up while reserved": {"authorise fail", "refund.created refund.processed payment_link.cancelled", "cancelled", "refunded"},
		"run out while reserved":  {"authorise expire", "refund.created refund.processed payment_link.expired", "expired", "refunded"},
		"failed for good":         {"fail", "payment.failed payment_link.cancelled", "cancelled", "failed"},
		"expired":                 {"expire", "payment_link.expired", "expired", ""},
		"paid late":               {"expire pay", "payment.authorized payment.captured order.paid payment_link.paid", "paid", "captured"},
		"paid in part":            {"underpay", "payment.authorized payment.captured payment_link.partially_paid", "partially_paid", "captured"},
		"the rest":                {"underpay pay", "payment.authorized payment.captured order.paid payment_link.paid", "paid", "captured"},
		"paid twice":              {"pay pay:{\"amount\":\"4900\"}", "payment.authorized payment.captured", "paid", "captured"},
		"part refunded":           {"pay refund:{\"amount\":\"900\"}", "refund.created refund.processed", "paid", "captured"},
		"refunded":                {"pay refund", "refund.created refund.processed", "paid", "refunded"},
		"a refund that came back": {"pay refund refund_fail", "refund.failed", "paid", "captured"},
		"disputed":                {"pay dispute", "payment.dispute.created", "paid", "captured"},
		"a dispute won":           {"pay dispute dispute_win", "payment.dispute.won", "paid", "captured"},
		"a dispute lost":          {"pay dispute dispute_lose", "payment.dispute.lost", "paid", "captured"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			id := b.link("order-1")
			var types, payments []string
			for step := range strings.FieldsSeq(tt.steps) {
				action, body, _ := strings.Cut(step, ":")
				acted := b.Act(id, action, body)
				types, payments = acted.Types(), nil
				for _, p := range acted.Order.Payments {
					payments = append(payments, p.Ref)
				}
			}
			if got := strings.Join(types, " "); got != tt.want {
				t.Errorf("told %s, want %s", got, tt.want)
			}
			b.get("/payment_links/"+id).Expect(t, object{"status": tt.link})
			if tt.payment != "" {
				b.get("/payments/"+payments[len(payments)-1]).Expect(t, object{"status": tt.payment})
			}
		})
	}
}

func TestAnEventIsAnEnvelopeAroundEntities(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.link("order-1")
	order := b.Act(id, "pay", "").Order
	events := b.heard()
	if len(events) != 4 {
		t.Fatalf("%d events", len(events))
	}
	seen := map[string]bool{}
	for i, contains := range []string{"payment", "payment", "order payment", "payment_link order payment"} {
		e := events[i]
		e.Expect(t, object{"entity": "event", "account_id": account})
		var names []string
		for _, name := range e.object["contains"].([]any) {
			names = append(names, name.(string))
		}
		if strings.Join(names, " ") != contains || len(e.At("payload")) != len(names) {
			t.Errorf("%s contains %q", e.Text("event"), names)
		}
		e.entity("payment").Expect(t, object{"id": order.Payments[0].Ref, "status": "captured", "captured": true, "order_id": order.IntentRef, "amount": 4900.0})
		e.entity("payment").At("notes").Expect(t, object{"order_ref": "order-1"})
		seen[e.header.Get("X-Razorpay-Event-Id")] = true
	}
	if len(seen) != 4 || seen[""] {
		t.Errorf("ids of events: %v", seen)
	}
	events[2].entity("order").Expect(t, object{"id": order.IntentRef, "receipt": "order-1", "amount_paid": 4900.0, "status": "paid"})
	link := events[3].entity("payment_link")
	link.Expect(t, object{"id": id, "reference_id": "order-1", "status": "paid", "order_id": order.IntentRef, "short_url": b.URL + "/pay/" + order.ID})
	events[3].entity("order").Expect(t, object{"id": strings.TrimPrefix(order.IntentRef, "order_")})
	if events[3].object["created_at"] != link["created_at"] {
		t.Error("the link's event isn't of when the link was made")
	}
}

func TestAFailedRefundIsStillCountedByThePaymentInItsEvent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.Act(b.link("order-1"), "pay", "").Order.Payments[0].Ref
	b.Act(p, "refund", `{"amount":"900"}`)
	b.heard()
	b.Act(p, "refund_fail", "")
	e := b.heard()[0]
	e.entity("refund").Expect(t, object{"amount": 900.0, "status": "failed", "payment_id": p})
	e.entity("payment").Expect(t, object{"amount_refunded": 900.0, "refund_status": "partial"})
	b.get("/payments/"+p).Expect(t, object{"amount_refunded": 0.0, "refund_status": nil})
	b.get("/refunds/"+e.entity("refund").Text("id")).Expect(t, object{"status": "failed"})
}

func TestAnAutomaticRefundSaysThatNothingWasCaptured(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.link("order-1")
	b.Act(id, "authorise", "")
	b.Act(id, "expire", "")
	events := b.heard()
	last := events[len(events)-1]
	last.Expect(t, object{"event": "payment_link.expired"})
	last.entity("payment_link").Expect(t, object{"status": "expired", "order_id": nil})
	e := events[len(events)-2]
	e.Expect(t, object{"event": "refund.processed"})
	e.entity("payment").Expect(t, object{"status": "refunded", "captured": false})
	e.entity("refund").Expect(t, object{"amount": 4900.0, "status": "processed"})
}

func mac(key, message string) string {
	m := hmac.New(sha256.New, []byte(key))
	m.Write([]byte(message))
	return hex.EncodeToString(m.Sum(nil))
}

func TestTheNewestSecretSignsTheBytes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const newest = "the-new-secret-of-the-shop"
	if _, err := b.AddEndpoint(t.Context(), razorpay.Name, b.shop.URL, newest, secret); err != nil {
		t.Fatal(err)
	}
	id := b.link("order-1")
	b.Act(id, "expire", "")
	b.Deliver()
	b.Faults(sandbox.Faults{PreviousSecret: true})
	b.Act(b.link("order-2"), "expire", "")
	b.Deliver()
	got := b.shop.Take()
	if len(got) != 2 {
		t.Fatalf("%d deliveries", len(got))
	}
	for i, key := range []string{newest, secret} {
		if want := mac(key, string(got[i].Body)); got[i].Header.Get("X-Razorpay-Signature") != want {
			t.Errorf("signature %d is %s, want %s", i, got[i].Header.Get("X-Razorpay-Signature"), want)
		}
	}
}

func TestARetryIsTheSameInEveryByte(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.shop.Always(http.StatusFound, "")
	b.Act(b.link("order-1"), "expire", "")
	for range 20 {
		b.Deliver()
		b.Move(time.Hour)
		b.Later()
	}
	got := b.shop.Take()
	if len(got) != 12 {
		t.Errorf("sent %d times, want the first and eleven retries", len(got))
	}
	for _, d := range got {
		if string(d.Body) != string(got[0].Body) || d.Header.Get("X-Razorpay-Signature") != got[0].Header.Get("X-Razorpay-Signature") ||
			d.Header.Get("X-Razorpay-Event-Id") != got[0].Header.Get("X-Razorpay-Event-Id") {
			t.Error("an attempt differs from the first")
		}
	}
}

func TestAConflictHasTheSameIDAndAnotherAmount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Faults(sandbox.Faults{Conflict: true})
	b.Act(b.link("order-1"), "expire", "")
	events := b.heard()
	if len(events) != 2 || events[0].header.Get("X-Razorpay-Event-Id") != events[1].header.Get("X-Razorpay-Event-Id") {
		t.Fatalf("heard %v", events)
	}
	one, two := events[0].entity("payment_link"), events[1].entity("payment_link")
	if one["amount"] == two["amount"] && one["amount_paid"] == two["amount_paid"] {
		t.Error("the bodies are alike")
	}
}

func TestTheBuyerComesBackWithASignedPayment(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.link("order-1")
	order := b.Act(id, "pay", "").Order
	_, _, page := b.Do("GET", "/pay/"+order.ID, nil, "")
	at := strings.Index(string(page), "https://shop.example/back?")
	if at < 0 {
		t.Fatal("no way back on the page")
	}
	link := strings.ReplaceAll(string(page[at:at+strings.IndexByte(string(page[at:]), '"')]), "&amp;", "&")
	u, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	values := []string{id, "order-1", "paid", order.Payments[0].Ref}
	got := []string{q.Get("razorpay_payment_link_id"), q.Get("razorpay_payment_link_reference_id"), q.Get("razorpay_payment_link_status"), q.Get("razorpay_payment_id")}
	if !slices.Equal(got, values) || q.Get("order") != "1" {
		t.Errorf("came back with %v", q)
	}
	if want := mac(keySecret, strings.Join(values, "|")); q.Get("razorpay_signature") != want {
		t.Errorf("signature %s, want %s", q.Get("razorpay_signature"), want)
	}
}
