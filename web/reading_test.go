package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"onceshop/payment"
	"onceshop/shoptest"
)

// Looking must not change anything, whatever the address claims: every statement
// that the pages send is watched.
func TestLookingWritesNothing(t *testing.T) {
	t.Parallel()
	usual := shoptest.New(t)
	faulty := shoptest.NewFaulty(t, usual.DSN)
	s := shoptest.New(t, shoptest.Options{Pool: faulty.Open(t)}).Pages()
	b := s.Browser()
	addresses := everyPage(s, b)
	delete(addresses, "wrong method")
	waiting := addresses["waiting"]
	addresses["success"], addresses["paid"] = waiting+"?status=success&paid=1", waiting+"?payment_status=paid&returned=1"
	addresses["file"] = addresses["order"] + "/licenses/" + s.Licenses(orderAt(s, addresses["order"]).ID)[0].ID + ".license"
	addresses["returned"] = "/checkout/return?status=success&order=" + orderAt(s, waiting).Number
	before := orderAt(s, waiting)

	var mu sync.Mutex
	var seen, wrote []string
	faulty.Watch(func(st shoptest.Statement) {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, st.Text)
		text := strings.ToUpper(strings.TrimSpace(st.Text))
		for strings.HasPrefix(text, "--") { // sqlc names its queries in a comment
			_, text, _ = strings.Cut(text, "\n")
		}
		if !strings.HasPrefix(text, "SELECT ") || strings.Contains(text, "FOR UPDATE") {
			wrote = append(wrote, st.Text)
		}
	})
	for range 50 {
		for name, address := range addresses {
			if page := b.Get(address); page.Status >= 500 {
				t.Fatalf("%s answers %d", name, page.Status)
			}
		}
	}
	faulty.Watch(nil)
	if len(seen) < 50*len(addresses) {
		t.Fatalf("only %d statements seen of %d pages", len(seen), 50*len(addresses))
	}
	if len(wrote) > 0 {
		t.Errorf("looking sends %d statements that aren't plain reads, such as %s", len(wrote), wrote[0])
	}
	if after := orderAt(s, waiting); after.Revision != before.Revision || after.PaymentStatus != payment.Pending {
		t.Errorf("the order is %s at revision %d, was at %d", after.PaymentStatus, after.Revision, before.Revision)
	}
}

// A buyer's browser asks again and again, with and without "success" in the
// address, while the paid event is being processed.
func TestReadersBesideTheWebhookSeeOneTransition(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	o, id := s.Buy(1)
	page := pathOf(s, o.Number)
	ready := s.Platform.Set(s.Platform.Order(id).With(paid))

	var readers, begun sync.WaitGroup
	var settled atomic.Bool
	begun.Add(20)
	for i := range 20 {
		readers.Go(func() {
			b := s.Browser()
			query := []string{"", "?status=success", "?returned=1"}[i%3]
			for n := 0; ; n++ {
				last := settled.Load()
				got := b.Get(page + query)
				if n == 0 {
					begun.Done()
				}
				if got.Status != http.StatusOK {
					t.Errorf("a reader is answered %d", got.Status)
					return
				}
				if strings.Contains(got.Body, `class="pill good">Delivered<`) {
					return
				}
				if last {
					t.Error("a reader doesn't see the delivery")
					return
				}
			}
		})
	}
	if got := s.Deliver(shoptest.Event{Type: "payment.paid", Order: ready}); got.Status != http.StatusOK {
		t.Fatalf("the event is answered %d", got.Status)
	}
	begun.Wait()
	s.Settle()
	settled.Store(true)
	readers.Wait()

	for what, query := range map[string]string{
		"transitions": "SELECT COUNT(*) FROM shop_order_revisions WHERE order_id = ? AND kind = 'payment_paid'",
		"jobs":        "SELECT COUNT(*) FROM shop_fulfillment_outbox WHERE order_id = ? AND kind = 'issue_license'",
		"licenses":    "SELECT COUNT(*) FROM shop_licenses WHERE order_id = ?",
	} {
		if n := s.Count(query, o.ID); n != 1 {
			t.Errorf("%d %s, want one", n, what)
		}
	}
	if n := len(s.Sent.All()); n != 1 {
		t.Errorf("%d mails, want one", n)
	}
}

// "Paid" overtook "confirming": no reader ever sees the order go back.
func TestAPaidOrderNeverReadsAsConfirmingAgain(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	o, id := s.Buy(1)
	page := pathOf(s, o.Number)
	record := s.Platform.Order(id)
	report(s, id, "payment.paid", paid)

	stop := make(chan struct{})
	var reader sync.WaitGroup
	started := make(chan struct{})
	reader.Go(func() {
		b := s.Browser()
		for i := 0; ; i++ {
			if got := b.Get(page); !strings.Contains(got.Body, `<h1 id="state-heading">Paid</h1>`) {
				t.Errorf("look %d: the page no longer says Paid", i)
				return
			}
			if i == 0 {
				close(started)
			}
			select {
			case <-stop:
				return
			default:
			}
		}
	})
	<-started
	for i := range 10 {
		e := shoptest.Event{ID: fmt.Sprintf("late-%d", i), Type: "payment.confirming", Order: record.With(func(o *shoptest.Order) { o.PaymentStatus = "confirming" })}
		if got := s.Deliver(e); got.Status != http.StatusOK {
			t.Errorf("the late event is answered %d", got.Status)
		}
		s.Settle()
	}
	close(stop)
	reader.Wait()
}

// The provider is away: whoever looks sees the same page as before.
func TestTheOrderPageNeedsNoProvider(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	b := s.Browser()
	o, _ := s.Buy(1)
	s.Platform.Fail(http.StatusServiceUnavailable)
	before := s.Platform.Fetches()
	page := b.Get(pathOf(s, o.Number) + "?returned=" + since(0))
	wantStatus(t, page, http.StatusOK)
	wantWords(t, words(parse(t, page), "main"), "Confirming your payment")
	if s.Platform.Fetches() != before {
		t.Error("looking asks the provider")
	}
}
