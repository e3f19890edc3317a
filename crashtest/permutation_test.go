package crashtest_test

import (
	"fmt"
	"strconv"
	"sync"
	"testing"

	"onceshop/payment"
	"onceshop/shoptest"
	"onceshop/store"
	"onceshop/store/db"
)

// The life of a payment at the platform, revision by revision.
var life = []struct {
	kind   string
	record shoptest.Order
}{
	{"payment.pending", shoptest.Order{Revision: "1", PaymentStatus: "pending"}},
	{"payment.confirming", shoptest.Order{Revision: "2", PaymentStatus: "confirming"}},
	{"payment.paid", shoptest.Order{Revision: "3", PaymentStatus: "paid"}},
	{"refund.completed", shoptest.Order{Revision: "4", PaymentStatus: "paid", RefundStatus: "partial", RefundedAmount: "20000"}},
	{"refund.completed", shoptest.Order{Revision: "5", PaymentStatus: "paid", RefundStatus: "full", RefundedAmount: "50000"}},
}

const (
	revisionPaid = 3
	revisionFull = 5
)

// sale is one order and an order in which its events arrive.
type sale struct {
	db.Order
	ref      string
	events   []shoptest.Event
	sequence []int // which of the events comes next
	newest   int   // revision of the platform's record
}

// sales buys 240 orders: one for each order in which five events can arrive, once
// with every event delivered once, and once with every event delivered twice, the
// copies in another permutation among the first ones.
func sales(s *shoptest.Shop) []*sale {
	s.Helper()
	s.Product("product", "Product", "50000", "USDC")
	all := permutations(len(life))
	var list []*sale
	for i, p := range all {
		q := all[(37*i+11)%len(all)]
		var twice []int
		for k := range p {
			twice = append(twice, p[k], q[k])
		}
		list = append(list, &sale{sequence: p}, &sale{sequence: twice})
	}
	each(list, func(sl *sale) {
		sl.Order, sl.ref = s.BuyProduct("product", 1)
		for _, l := range life {
			e := shoptest.Event{Type: l.kind, Order: l.record}
			e.Order.ID = sl.ref
			e.Encode() // gives it its id
			sl.events = append(sl.events, e)
		}
	})
	if s.Failed() {
		s.FailNow() // what a helper goroutine couldn't do is in the log
	}
	return list
}

func permutations(n int) (all [][]int) {
	if n == 0 {
		return [][]int{nil}
	}
	for _, p := range permutations(n - 1) {
		for at := range n {
			all = append(all, append(append(append([]int{}, p[:at]...), n-1), p[at:]...))
		}
	}
	return all
}

// each does f for all sales, eight at a time.
func each(list []*sale, f func(*sale)) {
	next := make(chan *sale)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for sl := range next {
				f(sl)
			}
		})
	}
	for _, sl := range list {
		next <- sl
	}
	close(next)
	wg.Wait()
}

// set makes the platform's record that of a revision.
func (sl *sale) set(s *shoptest.Shop, revision int) {
	sl.newest = revision
	s.Platform.Set(sl.events[revision-1].Order)
}

// rounds delivers the first event of every sale, works off the queues, delivers the
// second, and so on.
func rounds(s *shoptest.Shop, list []*sale, before func(sl *sale, revision int), after func()) {
	s.Helper()
	for k := range 2 * len(life) {
		each(list, func(sl *sale) {
			if k >= len(sl.sequence) {
				return
			}
			event := sl.sequence[k]
			before(sl, event+1)
			if a := s.Deliver(sl.events[event]); a.Status != 200 {
				s.Errorf("%v, delivery %d: answer %d %s", sl.sequence, k+1, a.Status, a.Body)
			}
		})
		s.Settle()
		after()
	}
}

// allTheSame demands that every sale has the same rows, and returns them.
func allTheSame(s *shoptest.Shop, list []*sale) []string {
	s.Helper()
	want := dumpOrder(s, s.DB.Pool(), list[0].ID, list[0].ref)
	for _, sl := range list[1:] {
		got := dumpOrder(s, s.DB.Pool(), sl.ID, sl.ref)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			s.Errorf("events in the order %v:", sl.sequence)
			same(s, want, got)
			break // the others say the same
		}
	}
	return want
}

func TestEveryOrderOfEventsOfADeliveredSaleEndsTheSame(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	list := sales(s)
	each(list, func(sl *sale) { sl.set(s, revisionPaid) })
	// The refunds are told of before the platform's own record shows them: those
	// events wait.
	rounds(s, list, func(*sale, int) {}, func() {})
	for _, sl := range list {
		if l := s.Licenses(sl.ID); len(l) != 1 || l[0].Status != "active" {
			t.Fatalf("%v: licenses %+v before the refund", sl.sequence, l)
		}
	}
	each(list, func(sl *sale) { sl.set(s, revisionFull) })
	s.MakeDue()
	s.Settle()

	allTheSame(s, list)
	o, l := s.Order(list[0].ID), s.Licenses(list[0].ID)
	if o.PaymentStatus != payment.Paid || o.RefundStatus != payment.FullyRefunded || o.FulfillmentStatus != store.DeliveryRevoked ||
		len(l) != 1 || l[0].Status != "revoked" || store.Deref(l[0].Reason) != "refunded" {
		t.Errorf("order is %s, refund %s, %s, licenses %+v", o.PaymentStatus, o.RefundStatus, o.FulfillmentStatus, l)
	}
	history, err := s.DB.ListOrderRevisions(t.Context(), o.ID)
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, h := range history {
		kinds = append(kinds, h.Kind)
	}
	if got := fmt.Sprint(kinds); got != "[refunded delivered payment_paid placed]" {
		t.Errorf("history, newest first: %s", got)
	}
	if n := len(s.Sent.All()); n != len(list) {
		t.Errorf("%d mails, want %d", n, len(list))
	}
	noneLeft(t, s)
}

func TestEveryOrderOfEventsOfASaleThatWasRefundedAlreadyDeliversNothing(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	list := sales(s)
	each(list, func(sl *sale) { sl.set(s, revisionFull) })
	rounds(s, list, func(*sale, int) {}, func() {})

	allTheSame(s, list)
	o := s.Order(list[0].ID)
	if o.PaymentStatus != payment.Paid || o.RefundStatus != payment.FullyRefunded || o.FulfillmentStatus != store.DeliveryWithheld {
		t.Errorf("order is %s, refund %s, %s", o.PaymentStatus, o.RefundStatus, o.FulfillmentStatus)
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_licenses") + s.Count("SELECT COUNT(*) FROM shop_fulfillment_outbox") + len(s.Sent.All()); n != 0 {
		t.Errorf("%d licenses, jobs and mails", n)
	}
	noneLeft(t, s)
}

func TestNoOrderOfEventsTakesAPaymentAStepBack(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	list := sales(s)
	before := map[string]standing{}
	rounds(s, list, func(sl *sale, revision int) {
		if revision > sl.newest {
			sl.set(s, revision)
		}
	}, func() {
		for id, now := range standings(s) {
			if was := before[id]; now.less(was) {
				t.Errorf("order %s went back from %+v to %+v", id, was, now)
			}
			before[id] = now
		}
	})

	for _, sl := range list {
		o := s.Order(sl.ID)
		if o.PaymentStatus != payment.Paid || o.RefundStatus != payment.FullyRefunded || o.RefundedAmount.String() != "50000" || o.ReceivedAmount.String() != "50000" {
			t.Errorf("%v: order is %s, refund %s of %s, received %s", sl.sequence, o.PaymentStatus, o.RefundStatus, o.RefundedAmount, o.ReceivedAmount)
		}
		for _, l := range s.Licenses(sl.ID) {
			if l.Status != "revoked" {
				t.Errorf("%v: a license is %s", sl.sequence, l.Status)
			}
		}
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_payments WHERE status <> 'paid' OR refund_status <> 'full' OR refunded <> 50000 OR received <> 50000 OR provider_revision <> 5"); n != 0 {
		t.Errorf("%d payments ended otherwise", n)
	}
	noneLeft(t, s)
}

// standing is how far an order and its payment have come, as numbers that may only
// grow.
type standing struct{ order, payment, refund, refunded, providerRevision, revision int }

func (a standing) less(b standing) bool {
	return a.order < b.order || a.payment < b.payment || a.refund < b.refund || a.refunded < b.refunded ||
		a.providerRevision < b.providerRevision || a.revision < b.revision
}

func standings(s *shoptest.Shop) map[string]standing {
	s.Helper()
	rank := map[string]int{"pending": 1, "confirming": 2, "paid": 3, "none": 1, "partial": 2, "full": 3}
	number := func(text string) int {
		n, err := strconv.Atoi(text)
		if err != nil {
			s.Fatal(err)
		}
		return n
	}
	list := map[string]standing{}
	for _, row := range newDumper(s, s.DB.Pool()).rows(`SELECT o.id, o.payment_status, p.status, p.refund_status, p.refunded, p.provider_revision, o.revision
		FROM shop_orders o JOIN shop_payments p ON p.order_id = o.id`) {
		list[row[0].String] = standing{rank[row[1].String], rank[row[2].String], rank[row[3].String],
			number(row[4].String), number(row[5].String), number(row[6].String)}
	}
	return list
}
