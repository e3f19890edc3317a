package crashtest_test

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"onceshop/fulfillment"
	"onceshop/shoptest"
	"onceshop/store"
	"onceshop/testdb"
	"onceshop/webhooks"
)

// gate holds whoever comes first until it is opened; everybody else passes.
type gate struct {
	taken   atomic.Bool
	reached chan struct{}
	open    chan struct{}
}

func newGate() *gate { return &gate{reached: make(chan struct{}), open: make(chan struct{})} }

func (g *gate) pass() {
	if g.taken.CompareAndSwap(false, true) {
		close(g.reached)
		<-g.open
	}
}

// overtake starts slow, waits until it is held at g, lets its lease expire, has
// fast do the work, and then lets slow go on.
func overtake(s *shoptest.Shop, g *gate, slow, fast func(context.Context) (int, error)) {
	s.Helper()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if n, err := slow(s.Context()); n != 1 || err != nil {
			s.Errorf("the slow worker took %d rows: %v", n, err)
		}
	}()
	<-g.reached
	expireLeases(s)
	if n, err := fast(s.Context()); n != 1 || err != nil {
		s.Errorf("the fast worker took %d rows: %v", n, err)
	}
	before := dump(s, s.DB.Pool())
	close(g.open)
	<-ended
	same(s, before, dump(s, s.DB.Pool()))
}

func TestAProcessorThatFetchedTooLongChangesNothing(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	order, ref := s.Buy(1)
	s.Report("payment.paid", shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "paid"})
	g := newGate()
	s.Platform.Before(func(*http.Request) { g.pass() })

	overtake(s, g, s.Processor.RunOnce, s.Processor.RunOnce)
	s.Settle()
	// placed, paid, delivered
	if o := s.Order(order.ID); o.Revision != 3 || o.FulfillmentStatus != store.DeliveryDone {
		t.Errorf("order is %s at revision %d", o.FulfillmentStatus, o.Revision)
	}
}

func TestAProcessorThatWasHeldBeforeItsVerdictChangesNothing(t *testing.T) {
	t.Parallel()
	s, slow := shopWithHeldStatement(t, "LockOrder")
	order, ref := s.Buy(1)
	s.Report("payment.paid", shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "paid"})

	p := &webhooks.Processor{DB: slow.db, Queue: slow.db.Events("slow"), Providers: s.Processor.Providers, Log: s.Processor.Log}
	p.Queue.Log = p.Log
	overtake(s, slow.gate, p.RunOnce, s.Processor.RunOnce)
	s.Settle()
	if o := s.Order(order.ID); o.Revision != 3 || o.FulfillmentStatus != store.DeliveryDone {
		t.Errorf("order is %s at revision %d", o.FulfillmentStatus, o.Revision)
	}
}

func TestASnapshotThatWasOvertakenIsStale(t *testing.T) {
	t.Parallel()
	s, slow := shopWithHeldStatement(t, "FindPayment")
	order, ref := s.Buy(1)
	paid := shoptest.Event{Type: "payment.paid", Order: s.Platform.Set(shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "paid"})}
	paid.Encode() // gives it its id
	acknowledged(t, s.Deliver(paid))
	p := &webhooks.Processor{DB: slow.db, Queue: slow.db.Events("slow"), Providers: s.Processor.Providers, Log: s.Processor.Log}
	p.Queue.Log = p.Log
	ended := make(chan error)
	go func() { _, err := p.RunOnce(t.Context()); ended <- err }()
	wait(t, slow.reached, "the record that says paid has been fetched")

	// Meanwhile the money goes back, and that is processed first. Each of the two
	// holds the lease of its own event: only the revisions tell who is late.
	report(s, "refund.completed", fullRefund(ref))
	before := dumpOrder(t, s.DB.Pool(), order.ID, ref)
	close(slow.open)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	s.Settle()
	same(t, before, dumpOrder(t, s.DB.Pool(), order.ID, ref))
	if v := store.Deref(s.Event(paid.ID).Verdict); v != "stale" {
		t.Errorf("the paid event is %s, want stale", v)
	}
	if n := len(s.Licenses(order.ID)) + len(s.Sent.All()); n != 0 {
		t.Errorf("%d licenses and mails", n)
	}
}

func TestAWorkerThatWasHeldBeforeIssuingIssuesNothing(t *testing.T) {
	t.Parallel()
	s, slow := shopWithHeldStatement(t, "LockOrder")
	order, ref := s.Buy(1)
	s.Report("payment.paid", shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "paid"})
	if n, err := s.Processor.RunOnce(t.Context()); n != 1 || err != nil {
		t.Fatalf("processed %d events: %v", n, err)
	}

	w := &fulfillment.Worker{DB: slow.db, Queue: slow.db.Jobs("slow", fulfillment.IssueLicense), Keys: s.Keys}
	w.Queue.Log = s.Processor.Log
	overtake(s, slow.gate, w.RunOnce, s.Worker.RunOnce)
	s.Settle()
	if l, m := len(s.Licenses(order.ID)), len(s.Sent.All()); l != 1 || m != 1 {
		t.Errorf("%d licenses and %d mails, want 1 and 1", l, m)
	}
}

func TestAMailWorkerThatWasHeldBeforeSendingSendsNothing(t *testing.T) {
	t.Parallel()
	s, slow := shopWithHeldStatement(t, "GetJob")
	mailDue(s)

	m := *s.Mails
	m.DB, m.Queue = slow.db, slow.db.Jobs("slow", fulfillment.SendLicensesMail)
	m.Queue.Log = m.Log
	overtake(s, slow.gate, m.RunOnce, s.Mails.RunOnce)
	if n := len(s.Sent.All()); n != 1 {
		t.Errorf("%d mails, want 1", n)
	}
}

func TestAMailThatTookTooLongMayComeTwiceButAsTheSameMail(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	mailDue(s)
	g := newGate()
	s.Mails.Sender = heldSender{s.Sent, g}

	overtake(s, g, s.Mails.RunOnce, s.Mails.RunOnce)
	sent := s.Sent.All()
	if len(sent) != 2 || sent[0].ID != sent[1].ID || sent[0].Text != sent[1].Text {
		t.Errorf("%d mails, want the same one twice: %q", len(sent), sent)
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_fulfillment_outbox WHERE status = 'done' AND lease_version = 2"); n != 1 {
		t.Error("the mail's job isn't done by the second worker")
	}
}

// heldSender sends, but doesn't return before its gate is open.
type heldSender struct {
	fulfillment.Sender
	*gate
}

func (h heldSender) Send(ctx context.Context, m fulfillment.Mail) error {
	err := h.Sender.Send(ctx, m)
	h.pass()
	return err
}

// mailDue brings an order to where only its mail is missing.
func mailDue(s *shoptest.Shop) {
	s.Helper()
	_, ref := s.Buy(1)
	s.Report("payment.paid", shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "paid"})
	for _, run := range []func(context.Context) (int, error){s.Processor.RunOnce, s.Worker.RunOnce} {
		if n, err := run(s.Context()); n != 1 || err != nil {
			s.Fatalf("%d rows: %v", n, err)
		}
	}
}

// slowProcess is a second process on a shop's database, which is held at a
// statement.
type slowProcess struct {
	*gate
	db *store.DB
}

// shopWithHeldStatement returns a shop, and another process on its database that
// is held the first time it is about to run the query of that name.
func shopWithHeldStatement(t *testing.T, query string) (*shoptest.Shop, slowProcess) {
	t.Helper()
	dsn := testdb.New(t)
	s := shoptest.New(t, shoptest.Options{Pool: shoptest.NewFaulty(t, dsn).Open(t)})
	faulty, g := shoptest.NewFaulty(t, dsn), newGate()
	faulty.Watch(func(st shoptest.Statement) {
		if strings.HasPrefix(st.Text, "-- name: "+query+" ") {
			g.pass()
		}
	})
	return s, slowProcess{g, store.New(faulty.Open(t))}
}
