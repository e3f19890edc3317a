package sandbox_test

import (
	"encoding/json"
	"net/http"
	"strconv"
	"testing"
)

func TestEachChangeIsOneRevisionWithItsEventAndDelivery(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.order()
	b.act(id, "underpay", "")
	b.act(id, "pay", `{"confirmations":1}`)
	b.act(id, "confirm", "")
	b.act(id, "refund", `{"amount":"100"}`)
	b.act(id, "risk", `{"decision":"deny"}`)
	want := []string{"payment.pending", "payment.pending", "payment.confirming", "payment.paid", "refund.completed", "risk.updated"}
	events := b.must("GET", "/v1/events", "", "").List("events")
	if len(events) != len(want) {
		t.Fatalf("%d events: %v", len(events), events)
	}
	for i, e := range events {
		if e.Text("type") != want[i] || e.At("order").Text("revision") != strconv.Itoa(i+1) {
			t.Errorf("event %d is %s of revision %s", i+1, e.Text("type"), e.At("order").Text("revision"))
		}
		if e.Text("createdAt") != e.At("order").Text("updatedAt") {
			t.Errorf("event %d happened at another time than the change", i+1)
		}
	}
	if n := b.count("SELECT COUNT(DISTINCT event_id) FROM pay_webhook_deliveries"); n != len(want) {
		t.Errorf("%d events have deliveries", n)
	}
}

func TestAChangeWithoutItsEventIsNoChange(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.order()
	// Somebody else's row takes the place of the event to come.
	b.exec(`INSERT INTO pay_order_events (id, order_id, revision, type, body, created_at)
		VALUES ('in-the-way', ?, 2, 'payment.paid', '{}', NOW(6))`, id)
	if status, answer := b.call("POST", "/v1/test/orders/"+id+"/pay", "", ""); status != 500 {
		t.Fatalf("answered %d %v", status, answer)
	}
	b.must("GET", "/v1/orders/"+id, "", "").Expect(t, object{"paymentStatus": "pending", "revision": "1"})
	if n := b.count("SELECT COUNT(*) FROM pay_webhook_deliveries"); n != 1 {
		t.Errorf("%d deliveries", n)
	}
}

func TestConcurrentChangesCountWithoutGapOrDouble(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.order()
	statuses, answers := b.together(20, func(int) (string, string, string, string) {
		return "POST", "/v1/test/orders/" + id + "/pay", "", `{"amount":"1"}`
	})
	for i, status := range statuses {
		if status != http.StatusOK {
			t.Errorf("caller %d got %d %s", i, status, answers[i])
		}
	}
	b.must("GET", "/v1/orders/"+id, "", "").Expect(t, object{"revision": "21", "receivedAmount": "20"})
	if n := b.count("SELECT COUNT(*) FROM pay_order_events WHERE revision BETWEEN 1 AND 21"); n != 21 {
		t.Errorf("%d events", n)
	}
}

func TestAListedEventIsByteForByteTheDeliveredOne(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.order()
	sent := b.shop.Take()
	_, _, raw := b.raw("GET", "/v1/events", "", "")
	var page struct{ Events []json.RawMessage }
	if err := json.Unmarshal(raw, &page); err != nil {
		t.Fatal(err)
	}
	if len(sent) != 1 || len(page.Events) != 1 || string(sent[0].Body) != string(page.Events[0]) {
		t.Errorf("sent %q\nlisted %q", sent, page.Events)
	}
}
