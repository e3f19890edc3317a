package sandbox_test

import (
	"net/http"
	"testing"
)

func TestPracticeActionsLeadThroughAPayment(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.order()
	b.act(id, "pay", `{"confirmations":3}`).Expect(t, object{
		"paymentStatus": "confirming", "revision": "2", "receivedAmount": "0", "incomingAmount": "4900", "confirmations": "0"})
	b.act(id, "confirm", "").Expect(t, object{"paymentStatus": "confirming", "revision": "3", "confirmations": "1"})
	b.act(id, "confirm", `{"confirmations":2}`).Expect(t, object{
		"paymentStatus": "paid", "revision": "4", "receivedAmount": "4900", "incomingAmount": "0", "confirmations": "3"})
}

func TestPayTakesTheShortestWayToPaid(t *testing.T) {
	t.Parallel()
	b := setup(t)
	paid := object{"paymentStatus": "paid", "receivedAmount": "4900"}
	b.act(b.order(), "pay", "").Expect(t, paid)

	part := b.order()
	b.act(part, "underpay", "").Expect(t, object{"paymentStatus": "pending", "receivedAmount": "2450"})
	b.act(part, "pay", "").Expect(t, paid)

	confirming := b.order()
	b.act(confirming, "pay", `{"confirmations":5}`)
	b.act(confirming, "pay", "").Expect(t, paid)

	late := b.order()
	b.act(late, "expire", "").Expect(t, object{"paymentStatus": "expired"})
	b.act(late, "pay", "").Expect(t, paid)

	if status, answer := b.call("POST", "/v1/test/orders/"+late+"/pay", "", ""); status != http.StatusConflict {
		t.Errorf("paying what is paid answered %d %v", status, answer)
	}
}

func TestTooLittleAndTooMuchAreWhatTheySay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.order()
	for action, body := range map[string]string{"underpay": `{"amount":"4900"}`, "overpay": `{"amount":"4900"}`} {
		if status, answer := b.call("POST", "/v1/test/orders/"+id+"/"+action, "", body); status != http.StatusUnprocessableEntity {
			t.Errorf("%s with the exact amount answered %d %v", action, status, answer)
		}
	}
	b.act(id, "overpay", "").Expect(t, object{"paymentStatus": "paid", "receivedAmount": "7350"})
}

func TestRiskChangesTheNamedWordsOnly(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.order()
	o := b.act(id, "risk", `{"decision":"review","validForSeconds":-60}`)
	o.Expect(t, object{"fulfillmentDecision": "review", "revision": "2", "paymentStatus": "pending"})
	risk := o.At("merchantRisk")
	risk.Expect(t, object{"serviceStatus": "enabled", "chainEnforcement": "allowed"})
	if risk.Text("validUntil") >= risk.Text("assessedAt") {
		t.Errorf("still valid: %v", risk)
	}
	b.act(id, "risk", `{"serviceStatus":"a_word_nobody_knows"}`).At("merchantRisk").
		Expect(t, object{"serviceStatus": "a_word_nobody_knows"})
}
