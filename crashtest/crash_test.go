package crashtest_test

import (
	"fmt"
	"strings"
	"testing"

	"onceshop/fulfillment"
	"onceshop/shoptest"
)

// step is one thing the shop does, what comes before it, and what happens after it
// broke in the middle: a redelivery, the buyer's second click, the next pass.
type step struct {
	name    string
	before  func(s *story)
	act     func(s *story) // its errors count for nothing: the rows do, and the answer
	again   func(s *story)
	atLeast int // round trips; fewer mean that the step isn't what it was
}

var steps = []step{
	{
		name:    "checkout",
		before:  (*story).fillCart,
		act:     func(s *story) { _ = s.pressPay() },
		again:   func(s *story) { mustPay(s); s.stored(s.reportPaid()) },
		atLeast: 15,
	},
	{
		name:    "ingest",
		before:  (*story).buy,
		act:     func(s *story) { s.answer = s.reportPaid() },
		again:   func(s *story) { s.stored(s.reportPaid()) },
		atLeast: 1,
	},
	{
		name:    "ingest of a repetition",
		before:  func(s *story) { s.buy(); s.stored(s.reportPaid()) },
		act:     func(s *story) { s.answer = s.reportPaid() },
		again:   func(s *story) { s.stored(s.reportPaid()) },
		atLeast: 6,
	},
	{
		name:    "ingest of other content under a known id",
		before:  func(s *story) { s.buy(); s.stored(s.reportPaid()) },
		act:     func(s *story) { s.answer = forge(s) },
		again:   func(s *story) { refusedAsConflict(s, forge(s)) },
		atLeast: 6,
	},
	{
		name:    "booking of a payment",
		before:  func(s *story) { s.buy(); s.stored(s.reportPaid()) },
		act:     func(s *story) { s.try(s.Processor.RunOnce) },
		again:   func(s *story) { s.stored(s.reportPaid()) },
		atLeast: 18,
	},
	{
		name: "booking beside an event that has to wait",
		before: func(s *story) {
			s.buy()
			s.stored(s.reportPaid())
			s.stored(s.report(confirmingID, "payment.confirming", confirming)) // and so is the record
		},
		act:     func(s *story) { s.try(s.Processor.RunOnce) },
		again:   func(s *story) { s.catchUp(); s.stored(s.reportPaid()) },
		atLeast: 18,
	},
	{
		name:    "booking of a full refund",
		before:  func(s *story) { s.buy(); s.stored(s.reportPaid()); s.Settle(); s.stored(s.reportRefund()) },
		act:     func(s *story) { s.try(s.Processor.RunOnce) },
		again:   func(s *story) { s.stored(s.reportRefund()) },
		atLeast: 18,
	},
	{
		name:    "booking of a payment without an order",
		before:  func(s *story) { s.buy(); s.stored(reportForeign(s)) },
		act:     func(s *story) { s.try(s.Processor.RunOnce) },
		again:   func(s *story) { s.stored(reportForeign(s)) },
		atLeast: 11,
	},
	{
		name:    "booking without revisions, with a refund and a dispute",
		before:  func(s *story) { s.buy(); s.buyPlain(); s.stored(tellDisputed(s)) },
		act:     func(s *story) { s.try(s.Processor.RunOnce) },
		again:   func(s *story) { s.catchUp(); s.stored(tellDisputed(s)) },
		atLeast: 22,
	},
	{
		name:    "ingest of a conflict that is parked",
		before:  func(s *story) { s.buy(); s.stored(s.Tell(queueName, shoptest.Told{ID: "known", Amount: "1"})) },
		act:     func(s *story) { s.Tell(queueName, shoptest.Told{ID: "known", Amount: "2"}) },
		again:   func(s *story) { s.stored(s.Tell(queueName, shoptest.Told{ID: "known", Amount: "2"})) },
		atLeast: 7,
	},
	{
		name:    "issue",
		before:  func(s *story) { s.buy(); s.stored(s.reportPaid()); s.must(s.Processor.RunOnce) },
		act:     func(s *story) { s.try(s.Worker.RunOnce) },
		again:   func(s *story) { s.stored(s.reportPaid()) },
		atLeast: 19,
	},
	{
		name: "mail",
		before: func(s *story) {
			s.buy()
			s.stored(s.reportPaid())
			s.must(s.Processor.RunOnce)
			s.must(s.Worker.RunOnce)
		},
		act:     func(s *story) { s.try(s.Mails.RunOnce) },
		again:   func(s *story) { s.stored(s.reportPaid()) },
		atLeast: 15,
	},
	{
		name: "mail that is refused",
		before: func(s *story) {
			s.Sent.Fail(fmt.Errorf("%w: no such mailbox", fulfillment.ErrRefused))
			s.Mails.Sender = s.Sent
			s.buy()
			s.stored(s.reportPaid())
			s.must(s.Processor.RunOnce)
			s.must(s.Worker.RunOnce)
		},
		act:     func(s *story) { s.try(s.Mails.RunOnce) },
		again:   func(s *story) { s.stored(s.reportPaid()) },
		atLeast: 16,
	},
	{
		name:    "expiry",
		before:  func(s *story) { s.buy(); overdue(s.Shop, s.order.ID) },
		act:     func(s *story) { s.try(s.Shop.Shop.ExpireOnce) },
		again:   func(s *story) { s.must(s.Shop.Shop.ExpireOnce) },
		atLeast: 6,
	},
	{
		name:    "read-back",
		before:  func(s *story) { s.buy(); s.Platform.Set(paid) },
		act:     func(s *story) { s.try(s.Checker.RunOnce) },
		again:   func(s *story) { s.must(s.Checker.RunOnce) },
		atLeast: 13,
	},
}

func mustPay(s *story) {
	s.Helper()
	if err := s.pressPay(); err != nil {
		s.Fatal(err)
	}
}

// acknowledgedMeansStored holds the answer to a disturbed delivery against what
// another session sees (promise 2).
func acknowledgedMeansStored(s *story) {
	s.Helper()
	switch s.answer.Status {
	case 0, 409, 503: // 0: this step delivers nothing
	case 200:
		if n := s.Count("SELECT COUNT(*) FROM shop_events"); n != 1 {
			s.Errorf("answered 200 with %d events stored", n)
		}
	default:
		s.Errorf("answer %d %s", s.answer.Status, s.answer.Body)
	}
}

// forge delivers other content under the id of the paid event.
func forge(s *story) shoptest.Answer {
	s.Helper()
	return s.Deliver(shoptest.Event{ID: paidID, Type: "payment.paid", Order: paid.With(func(o *shoptest.Order) { o.Revision = "9" })})
}

func refusedAsConflict(s *story, a shoptest.Answer) {
	s.Helper()
	if a.Status != 409 {
		s.Errorf("answer %d %s", a.Status, a.Body)
	}
}

func reportForeign(s *story) shoptest.Answer {
	s.Helper()
	return s.report(foreignID, "payment.paid", shoptest.Order{ID: "payment-of-others", MerchantOrderID: "their-order-7", PaymentStatus: "paid"})
}

// overdue ends the time for paying an order.
func overdue(s *shoptest.Shop, orderID string) {
	s.Helper()
	s.Exec("UPDATE shop_orders SET expires_at = NOW(6) - INTERVAL 1 MINUTE WHERE id = ?", orderID)
}

// run tells the story with a fault in its step, and returns the rows at its end
// and the round trips of the step.
func (st step) run(t *testing.T, dsn string, fault shoptest.Fault) (rows, trips []string) {
	t.Helper()
	s := newStory(t, dsn)
	st.before(s)
	s.faulty.Arm(fault)
	st.act(s)
	trips = s.faulty.Mend()
	allOrNothing(t, s.Shop)
	acknowledgedMeansStored(s)
	if fault.How == shoptest.Deadlock && s.answer.Status == 503 {
		t.Error("a lost deadlock surfaced: the transaction wasn't tried again")
	}
	st.again(s)
	s.catchUp()

	if n := s.Platform.Creates(); n != 1 {
		t.Errorf("%d payments at the platform, want 1", n)
	}
	if n := s.Count("SELECT COALESCE(MAX(sent), 0) FROM shop_mailbox"); n > 2 {
		t.Errorf("the mail was sent %d times", n)
	}
	keysMatch(s)
	return dump(t, s.DB.Pool()), trips
}

// keysMatch checks what the comparison of rows leaves out.
func keysMatch(s *story) {
	s.Helper()
	for _, l := range s.Licenses(s.order.ID) {
		if want := hashOfKey(s.Shop, l.ID); string(l.KeyHash) != want {
			s.Errorf("license %s: its hash isn't that of its key", l.ID)
		}
	}
}

func TestAConnectionThatBreaksAtAnyStatementLeavesNoTrace(t *testing.T) {
	t.Parallel()
	clean := &schemas{owner: t}
	for _, st := range steps {
		t.Run(st.name, func(t *testing.T) {
			t.Parallel()
			want, trips := st.run(t, clean.lend(t), shoptest.Fault{})
			if len(trips) < st.atLeast {
				t.Fatalf("only %d round trips: %q", len(trips), trips)
			}
			for n, trip := range trips {
				for _, fault := range faultsAt(n + 1) {
					t.Run(nameOf(fault, trip), func(t *testing.T) {
						t.Parallel()
						got, trips := st.run(t, clean.lend(t), fault)
						if len(trips) < fault.At {
							t.Fatalf("the fault at %d did not happen in %d round trips", fault.At, len(trips))
						}
						same(t, want, got)
					})
				}
			}
		})
	}
}

// faultsAt are the ways in which a round trip can fail: the connection alone, or
// the whole process with it.
func faultsAt(n int) []shoptest.Fault {
	return []shoptest.Fault{
		{At: n, How: shoptest.NotSent},
		{At: n, How: shoptest.AnswerLost},
		{At: n, How: shoptest.Deadlock},
		{At: n, How: shoptest.NotSent, Down: true},
		{At: n, How: shoptest.AnswerLost, Down: true},
	}
}

func nameOf(f shoptest.Fault, trip string) string {
	what, _, _ := strings.Cut(strings.TrimPrefix(trip, "-- name: "), "\n")
	what, _, _ = strings.Cut(what, " :")
	name := fmt.Sprintf("%02d %.40s, %s", f.At, what, f.How)
	if f.Down {
		name += ", then dead"
	}
	return name
}
