package checkoutcom_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"
)

func TestMoneyGoesBackOncePerKey(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.paid()
	b.heard()
	part := `{"amount":900,"reference":"back-1","metadata":{"refund_key":"a"}}`
	first := b.post("/payments/"+id+"/refunds", "refund-1", part, http.StatusAccepted)
	first.Expect(t, object{"reference": "back-1"})
	if again := b.post("/payments/"+id+"/refunds", "refund-1", part, http.StatusAccepted); again.Text("action_id") != first.Text("action_id") {
		t.Error("the same key refunded twice")
	}
	if status, raw := b.call("POST", "/payments/"+id+"/refunds", "refund-1", `{"amount":901}`); status != http.StatusUnprocessableEntity {
		t.Errorf("another request under the key: %d %s", status, raw)
	}
	b.get("/payments/"+id).Expect(t, object{"status": "Partially Refunded"})
	all := b.post("/payments/"+id+"/refunds", "refund-2", `{}`, http.StatusAccepted)
	if again := b.post("/payments/"+id+"/refunds", "refund-2", "", http.StatusAccepted); again.Text("action_id") != all.Text("action_id") {
		t.Error("all of it, repeated, is another refund")
	}
	p := b.get("/payments/" + id)
	p.Expect(t, object{"status": "Refunded", "amount": 4900.0})
	p.At("balances").Expect(t, object{"total_captured": 4900.0, "total_refunded": 4900.0, "available_to_refund": 0.0})

	actions := b.actions(id)
	if len(actions) != 4 {
		t.Fatalf("actions %v", actions)
	}
	for i, want := range []object{
		{"id": all.Text("action_id"), "type": "Refund", "amount": 4000.0}, {"id": first.Text("action_id"), "type": "Refund", "amount": 900.0, "reference": "back-1"},
		{"type": "Capture", "amount": 4900.0}, {"type": "Authorization", "amount": 4900.0},
	} {
		want["approved"], want["response_code"] = true, "10000"
		actions[i].Expect(t, want)
	}
	actions[1].At("metadata").Expect(t, object{"refund_key": "a"})

	events := b.heard()
	if len(events) != 2 {
		t.Fatalf("heard %v", events)
	}
	for i, want := range []object{
		{"action_id": first.Text("action_id"), "amount": 900.0}, {"action_id": all.Text("action_id"), "amount": 4000.0},
	} {
		events[i].Expect(t, object{"type": "payment_refunded"})
		events[i].At("data").Expect(t, want)
	}
	events[0].At("data.balances").Expect(t, object{"total_refunded": 900.0, "available_to_refund": 4000.0})
	events[1].At("data.balances").Expect(t, object{"total_refunded": 4900.0})
}

func TestWhatIsNotCapturedCantBeRefunded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.Act(b.page(), "authorise", "").Order.Payments[0].Ref
	if status, raw := b.call("POST", "/payments/"+id+"/refunds", "k", `{"amount":900}`); status != http.StatusForbidden && status != http.StatusUnprocessableEntity {
		t.Errorf("answered %d %s", status, raw)
	}
}

func TestDisputesAreFoundByPaymentReferenceAndLastChange(t *testing.T) {
	t.Parallel()
	b := setup(t)
	one, two := b.paid(), b.paid()
	first := b.Act(one, "dispute", `{"reason":"fraudulent"}`).Order.Disputes[0].Ref
	second := b.Act(two, "dispute", `{"amount":"900","reason":"a reason of no category"}`).Order.Disputes[0].Ref
	list := b.get("/disputes?payment_reference=order-1&limit=1&skip=0")
	list.Expect(t, object{"total_count": 2.0, "payment_reference": "order-1", "limit": 1.0})
	if data := list.List("data"); len(data) != 1 || data[0].Text("id") != second {
		t.Errorf("the last change isn't first: %v", list)
	}
	b.Act(one, "dispute_win", "")
	data := b.get("/disputes?payment_reference=order-1").List("data")
	if len(data) != 2 {
		t.Fatalf("listed %v", data)
	}
	data[0].Expect(t, object{"id": first, "status": "won", "category": "fraudulent", "amount": 4900.0, "currency": "EUR", "payment_id": one})
	data[1].Expect(t, object{"id": second, "status": "evidence_required", "category": "general", "amount": 900.0, "payment_id": two})
	for path, want := range map[string]string{
		"payment_id=" + one: first, "id=" + second: second, "statuses=evidence_required,lost": second, "statuses=won": first,
	} {
		if data := b.get("/disputes?" + path).List("data"); len(data) != 1 || data[0].Text("id") != want {
			t.Errorf("%s found %v", path, data)
		}
	}
	at := func(d time.Duration) string {
		return url.QueryEscape(time.Now().Add(d).UTC().Format(time.RFC3339))
	}
	for path, want := range map[string]float64{"from=" + at(-time.Hour): 2, "from=" + at(time.Hour): 0, "to=" + at(-time.Hour): 0, "payment_reference=nobody": 0} {
		b.get("/disputes?"+path).Expect(t, object{"total_count": want})
	}
}
