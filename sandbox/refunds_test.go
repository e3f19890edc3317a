package sandbox_test

import (
	"net/http"
	"sync"
	"testing"
)

func TestARefundIsMadeOncePerKey(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.order()
	b.act(id, "pay", "")
	path, all := "/v1/orders/"+id+"/refunds", `{"amount":"4900","reason":"changed my mind"}`
	start := make(chan struct{})
	answers := make([]string, 20)
	var callers sync.WaitGroup
	for i := range answers {
		callers.Go(func() {
			<-start
			status, _, body := b.raw("POST", path, "refund-1", all)
			if status != http.StatusCreated {
				t.Errorf("answered %d %s", status, body)
			}
			answers[i] = string(body)
		})
	}
	close(start)
	callers.Wait()
	for _, a := range answers {
		if a != answers[0] {
			t.Fatalf("two answers to one request:\n%s\n%s", answers[0], a)
		}
	}
	b.must("GET", "/v1/orders/"+id, "", "").expect(t, map[string]string{
		"refundStatus": "full", "refundedAmount": "4900", "revision": "3"})
}

func TestRefundsNeverPassWhatWasReceived(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.order()
	path := "/v1/orders/" + id + "/refunds"
	refuse := func(key, body, code string) {
		t.Helper()
		if status, answer := b.call("POST", path, key, body); status/100 != 4 || answer.text("code") != code {
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
	b.must("POST", path, "f", `{"amount":"98"}`).at("order").expect(t, map[string]string{"refundedAmount": "196", "refundStatus": "partial"})
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
	start := make(chan struct{})
	made := make(chan bool, 10)
	var callers sync.WaitGroup
	for i := range 10 {
		callers.Go(func() {
			<-start
			status, _, _ := b.raw("POST", "/v1/orders/"+id+"/refunds", "key-"+string(rune('a'+i)), `{"amount":"1000"}`)
			made <- status == http.StatusCreated
		})
	}
	close(start)
	callers.Wait()
	close(made)
	n := 0
	for ok := range made {
		if ok {
			n++
		}
	}
	if n != 4 {
		t.Errorf("%d refunds of 1000 out of 4900", n)
	}
	b.must("GET", "/v1/orders/"+id, "", "").expect(t, map[string]string{"refundedAmount": "4000", "refundStatus": "partial"})
}
