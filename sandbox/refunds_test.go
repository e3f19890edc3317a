package sandbox_test

import (
	"net/http"
	"strconv"
	"testing"
)

func TestARefundIsMadeOncePerKey(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.order()
	b.act(id, "pay", "")
	path, all := "/v1/orders/"+id+"/refunds", `{"amount":"4900","reason":"changed my mind"}`
	statuses, answers := b.together(20, func(int) (string, string, string, string) { return "POST", path, "refund-1", all })
	for i := range answers {
		if statuses[i] != http.StatusCreated || answers[i] != answers[0] {
			t.Errorf("caller %d got %d %s, the first %s", i, statuses[i], answers[i], answers[0])
		}
	}
	b.must("GET", "/v1/orders/"+id, "", "").Expect(t, object{
		"refundStatus": "full", "refundedAmount": "4900", "revision": "3"})
}

func TestRefundsNeverPassWhatWasReceived(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.order()
	path := "/v1/orders/" + id + "/refunds"
	refuse := func(key, body, code string) {
		t.Helper()
		if status, answer := b.call("POST", path, key, body); status/100 != 4 || answer.Text("code") != code {
			t.Errorf("%s answered %d %v, want %s", body, status, answer, code)
		}
	}
	refuse("a", `{"amount":"1"}`, "NOT_REFUNDABLE")
	b.act(id, "pay", "")
	refuse("b", `{"amount":"4901"}`, "REFUND_TOO_LARGE")
	refuse("c", `{"amount":"0"}`, "INVALID_FIELD")
	refuse("d", `{}`, "INVALID_FIELD") // nothing named isn't everything
	refuse("", `{"amount":"1"}`, "IDEMPOTENCY_KEY_MISSING")
	b.must("POST", path, "e", `{"amount":"98"}`)
	refuse("e", `{"amount":"99"}`, "IDEMPOTENCY_KEY_REUSED")
	b.must("POST", path, "f", `{"amount":"98"}`).At("order").Expect(t, object{"refundedAmount": "196", "refundStatus": "partial"})
	refuse("g", `{"amount":"4705"}`, "REFUND_TOO_LARGE")

	other := b.order()
	b.act(other, "pay", "")
	if status, answer := b.call("POST", "/v1/orders/"+other+"/refunds", "e", `{"amount":"98"}`); status != http.StatusConflict {
		t.Errorf("a key of another order answered %d %v", status, answer)
	}
}

func TestConcurrentRefundsShareWhatThereIs(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.order()
	b.act(id, "pay", "")
	statuses, _ := b.together(10, func(i int) (string, string, string, string) {
		return "POST", "/v1/orders/" + id + "/refunds", "key-" + strconv.Itoa(i), `{"amount":"1000"}`
	})
	n := 0
	for _, status := range statuses {
		if status == http.StatusCreated {
			n++
		}
	}
	if n != 4 {
		t.Errorf("%d refunds of 1000 out of 4900", n)
	}
	b.must("GET", "/v1/orders/"+id, "", "").Expect(t, object{"refundedAmount": "4000", "refundStatus": "partial"})
}
