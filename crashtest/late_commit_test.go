package crashtest_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"onceshop/shoptest"
	"onceshop/store"
	"onceshop/testdb"
	"onceshop/webhooks"
)

// A queue that remembers how far it has read would miss a row whose number is lower
// but which was committed later.
func TestAJobThatIsCommittedAfterAYoungerOneIsDoneAsWell(t *testing.T) {
	t.Parallel()
	dsn := testdb.New(t)
	s := shoptest.New(t, shoptest.Options{Pool: shoptest.NewFaulty(t, dsn).Open(t)})
	slowOrder, slowRef := s.Buy(1)
	fastOrder, fastRef := s.Buy(1)

	// The first booking has written its jobs and is held before its commit.
	faulty, commit := shoptest.NewFaulty(t, dsn), newGate()
	var booked atomic.Bool
	faulty.Watch(func(st shoptest.Statement) {
		if strings.Contains(st.Text, "INSERT INTO shop_fulfillment_outbox") {
			booked.Store(true)
		}
		if st.Text == "commit" && booked.Load() {
			commit.pass()
		}
	})
	db := store.New(faulty.Open(t))
	slow := &webhooks.Processor{DB: db, Queue: db.Events("slow"), Providers: s.Processor.Providers, Log: s.Processor.Log}
	slow.Queue.Log = slow.Log
	acknowledged(t, s.Report("payment.paid", shoptest.Order{ID: slowRef, Revision: "2", PaymentStatus: "paid"}))
	ended := make(chan error)
	go func() { _, err := slow.RunOnce(t.Context()); ended <- err }()
	wait(t, commit.reached, "the first booking is about to be committed")

	report(s, "payment.paid", shoptest.Order{ID: fastRef, Revision: "2", PaymentStatus: "paid"})
	sold(s, fastOrder.ID)
	if n := len(s.Licenses(slowOrder.ID)); n != 0 {
		t.Errorf("%d licenses of a booking that isn't committed", n)
	}
	close(commit.open)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	s.Settle()
	sold(s, slowOrder.ID)
	older, younger := jobOf(s, slowOrder.ID, "issue_license"), jobOf(s, fastOrder.ID, "issue_license")
	if older.Seq >= younger.Seq {
		t.Errorf("the late job is %d, the early one %d: this test has proven nothing", older.Seq, younger.Seq)
	}
	noneLeft(t, s)
}

func TestAnEventThatIsCommittedAfterAYoungerOneIsProcessedAsWell(t *testing.T) {
	t.Parallel()
	dsn := testdb.New(t)
	faulty, commit := shoptest.NewFaulty(t, dsn), newGate()
	s := shoptest.New(t, shoptest.Options{Pool: shoptest.NewFaulty(t, dsn).Open(t)})
	slowOrder, slowRef := s.Buy(1)
	fastOrder, fastRef := s.Buy(1)
	faulty.Watch(func(st shoptest.Statement) {
		if st.Text == "commit" {
			commit.pass()
		}
	})
	// Another instance takes the first event in, and is held before its commit.
	other := &webhooks.Handler{
		Providers: s.Handler.Providers, Inbox: runInbox(t, store.New(faulty.Open(t))), Now: s.Handler.Now, Log: s.Handler.Log,
	}
	ended := make(chan int)
	e := shoptest.Event{Type: "payment.paid", Order: s.Platform.Set(shoptest.Order{ID: slowRef, Revision: "2", PaymentStatus: "paid"})}
	go func() { ended <- serveWith(other, shoptest.Signed(s.URL(), e.ID, shoptest.Secret, e.Encode())) }()
	wait(t, commit.reached, "the first event is about to be committed")

	report(s, "payment.paid", shoptest.Order{ID: fastRef, Revision: "2", PaymentStatus: "paid"})
	sold(s, fastOrder.ID)
	close(commit.open)
	if status := <-ended; status != 200 {
		t.Errorf("answer %d", status)
	}
	s.Settle()
	sold(s, slowOrder.ID)
	if n := s.Count("SELECT COUNT(*) FROM shop_events a JOIN shop_events b ON a.seq < b.seq AND a.payment_ref = ? AND b.payment_ref = ?", slowRef, fastRef); n != 1 {
		t.Error("the late event has the higher number: this test has proven nothing")
	}
	noneLeft(t, s)
}

// runInbox runs an inbox of another instance until the test ends.
func runInbox(t *testing.T, db *store.DB) *webhooks.Inbox {
	t.Helper()
	inbox := webhooks.NewInbox(db, nil)
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan struct{})
	go func() { defer close(ended); inbox.Run(ctx) }()
	t.Cleanup(func() { stop(); <-ended })
	return inbox
}

// serveWith answers a request without a network.
func serveWith(h http.Handler, r *http.Request) (status int) {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code
}
