package sandbox_test

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"

	"onceshop/lease"
)

// queue is the sandbox's own, as a second process would hold it.
func (b *bench) queue() *lease.Queue {
	return &lease.Queue{DB: b.DB, Table: "pay_webhook_deliveries", Owner: "test", Log: b.Config.Log}
}

// expire lets all leases run out, in place of waiting.
func (b *bench) expire() {
	b.T.Helper()
	b.exec("UPDATE pay_webhook_deliveries SET lease_until = NOW(6) - INTERVAL 1 SECOND WHERE status = 'leased'")
}

func TestASenderKilledBeforeItSentIsReplaced(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.must("POST", "/v1/orders", "k", euros)
	if got, err := b.queue().Claim(t.Context(), 5); err != nil || len(got) != 1 {
		t.Fatalf("claimed %v, %v", got, err)
	}
	b.Deliver()
	if n := len(b.shop.Take()); n != 0 {
		t.Fatalf("sent %d under another's lease", n)
	}
	b.expire()
	b.Deliver()
	if n := len(b.shop.Take()); n != 1 {
		t.Errorf("sent %d", n)
	}
	b.log().Expect(t, object{"status": "done"})
}

func TestASenderThatLostItsLeaseWhileSendingFinishesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var calls atomic.Int32
	b.shop.Answers(func(delivered) int {
		if calls.Add(1) == 1 {
			// While the first attempt is under way its lease runs out and
			// another process claims, and keeps, the row.
			b.expire()
			if got, err := b.queue().Claim(context.Background(), 5); err != nil || len(got) != 1 {
				t.Errorf("claimed %v, %v", got, err)
			}
		}
		return http.StatusOK
	})
	b.order()
	b.log().Expect(t, object{"status": "leased"})
	b.expire()
	b.Deliver()
	d := b.log()
	d.Expect(t, object{"status": "done"})
	got := b.shop.Take()
	if len(got) != 2 || string(got[0].Body) != string(got[1].Body) {
		t.Errorf("got %q", got)
	}
	if n := len(d.List("log")); n != 2 {
		t.Errorf("%d attempts logged: both happened", n)
	}
}

func TestASenderStoppedWhileSendingGivesTheRowBackUncounted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.must("POST", "/v1/orders", "k", euros)
	ctx, stop := context.WithCancel(t.Context())
	block := make(chan struct{})
	b.shop.Answers(func(delivered) int { stop(); <-block; return http.StatusOK })
	if _, err := b.DeliverOnce(ctx); err != nil {
		t.Fatal(err)
	}
	close(block)
	d := b.log()
	d.Expect(t, object{"status": "pending"})
	if d["attempts"] != 0.0 {
		t.Errorf("counted %v attempts", d["attempts"])
	}
	b.shop.Always(http.StatusOK, "")
	b.Deliver()
	b.log().Expect(t, object{"status": "done"})
}

func TestManySendersDeliverEachEventOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.order()
	for range 30 {
		b.act(id, "pay", `{"amount":"1"}`)
	}
	b.shop.Take()
	start := make(chan struct{})
	done := make(chan error, 4)
	for range 4 {
		process := b.Another()
		go func() {
			<-start
			var err error
			for n := 1; n > 0 && err == nil; {
				n, err = process.DeliverOnce(t.Context())
			}
			done <- err
		}()
	}
	close(start)
	for range 4 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	b.Deliver()
	seen := map[string]int{}
	for _, d := range b.shop.Take() {
		seen[eventID(d)]++
	}
	for event, n := range seen {
		if n != 1 {
			t.Errorf("event %s was sent %d times", event, n)
		}
	}
	if len(seen) != 30 {
		t.Errorf("%d events were sent", len(seen))
	}
}
