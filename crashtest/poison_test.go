package crashtest_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"onceshop/fulfillment"
	"onceshop/shoptest"
	"onceshop/store"
	"onceshop/store/db"
)

const claims = 8 // the first try and seven more

// dead demands that the one job which can't be done is listed as dead, and that
// everything else was done meanwhile.
func dead(s *shoptest.Shop, job db.Job, reason string) {
	s.Helper()
	listed, err := s.DB.ListJobs(s.Context(), db.ListJobsParams{Status: "dead", Limit: 10})
	if err != nil || len(listed) != 1 || listed[0].Job.Seq != job.Seq {
		s.Fatalf("%d jobs are listed as dead: %v", len(listed), err)
	}
	got := listed[0].Job
	if got.Attempts != claims || !strings.Contains(store.Deref(got.LastError), reason) {
		s.Errorf("dead after %d claims: %q, want %d and %q", got.Attempts, store.Deref(got.LastError), claims, reason)
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_fulfillment_outbox WHERE status <> 'done' AND seq <> ?", job.Seq); n != 0 {
		s.Errorf("%d other jobs aren't done", n)
	}
}

func jobOf(s *shoptest.Shop, orderID, kind string) db.Job {
	s.Helper()
	list, err := s.DB.ListJobsOfOrder(s.Context(), orderID)
	if err != nil {
		s.Fatal(err)
	}
	for _, j := range list {
		if j.Kind == kind {
			return j
		}
	}
	s.Fatalf("order %s has no job of kind %s", orderID, kind)
	return db.Job{}
}

// panicking panics over the mail of one order.
type panicking struct {
	fulfillment.Sender
	number string
	times  atomic.Int32
}

func (p *panicking) Send(ctx context.Context, m fulfillment.Mail) error {
	if strings.Contains(m.Text, p.number) {
		p.times.Add(1)
		panic("secret of the mail")
	}
	return p.Sender.Send(ctx, m)
}

func TestAJobThatPanicsIsGivenUpAndTheOthersAreDone(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	var orders []db.Order
	for range 5 {
		order, ref := s.Buy(1)
		orders = append(orders, order)
		acknowledged(t, s.Report("payment.paid", shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "paid"}))
	}
	poison := &panicking{Sender: s.Sent, number: orders[2].Number}
	s.Mails.Sender = poison
	s.Settle()
	if n := len(s.Sent.All()); n != 4 {
		t.Errorf("%d mails beside the one that panics, want 4", n)
	}
	for range claims + 2 {
		s.MakeDue()
		s.Settle()
	}
	if n := poison.times.Load(); n != claims {
		t.Errorf("tried %d times, want %d", n, claims)
	}
	dead(s, jobOf(s, orders[2].ID, fulfillment.SendLicensesMail), "panic")
	if job := jobOf(s, orders[2].ID, fulfillment.SendLicensesMail); strings.Contains(store.Deref(job.LastError), "secret") {
		t.Errorf("last error tells what was worked on: %q", store.Deref(job.LastError))
	}
	sold(s, orders[2].ID) // its license is there, and its page shows it
}

func TestAJobThatKillsItsWorkerIsGivenUpAndTheOthersAreDone(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	poisoned, ref := s.Buy(1)
	acknowledged(t, s.Report("payment.paid", shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "paid"}))
	if n, err := s.Processor.RunOnce(t.Context()); n != 1 || err != nil {
		t.Fatalf("%d events processed: %v", n, err)
	}
	job := jobOf(s, poisoned.ID, fulfillment.IssueLicense)
	for range claims {
		// A process claims it and is gone; its lease runs out.
		l := claimOne(t, s.DB.Pool(), "shop_fulfillment_outbox", "doomed")
		if l.Seq != job.Seq {
			t.Fatalf("claimed %d, want %d", l.Seq, job.Seq)
		}
		// Other orders come and go meanwhile.
		order, ref := s.Buy(1)
		report(s, "payment.paid", shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "paid"})
		sold(s, order.ID)
		expireLeases(s)
	}
	s.Settle() // the next pass buries it
	dead(s, job, "lease expired")
	if o := s.Order(poisoned.ID); o.FulfillmentStatus != store.DeliveryWaiting || len(s.Licenses(o.ID)) != 0 {
		t.Errorf("order is %s with %d licenses", o.FulfillmentStatus, len(s.Licenses(o.ID)))
	}

	// A person finds the cause and has it done.
	if n, err := s.DB.RetryJob(t.Context(), job.Seq); n != 1 || err != nil {
		t.Fatalf("%d jobs retried: %v", n, err)
	}
	s.Settle()
	sold(s, poisoned.ID)
}
