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

func TestTwentyEventsOfOneOrderAtOnceLeadToItsNewestState(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	order, ref := s.Buy(1)
	// Revision 1 is the order's; paid from 5 on, a cent more refunded with each.
	record := func(n int) shoptest.Order {
		o := shoptest.Order{ID: ref, Revision: strconv.Itoa(n), PaymentStatus: "paid", RefundStatus: "partial", RefundedAmount: strconv.Itoa(n)}
		switch {
		case n < 5:
			o.PaymentStatus, o.RefundStatus, o.RefundedAmount = "confirming", "none", "0"
		case n == 5:
			o.RefundStatus, o.RefundedAmount = "none", "0"
		}
		return o
	}
	kind := func(n int) string {
		switch {
		case n < 5:
			return "payment.confirming"
		case n == 5:
			return "payment.paid"
		}
		return "refund.completed"
	}
	s.Platform.Set(record(21))

	processing(s, func() {
		shoptest.Together(20, func(i int) {
			n := 2 + (i*7)%20 // every revision from 2 to 21, in no order
			if a := s.Deliver(shoptest.Event{Type: kind(n), Order: record(n)}); a.Status != 200 {
				t.Errorf("revision %d: answer %d %s", n, a.Status, a.Body)
			}
		})
	})

	o := s.Order(order.ID)
	if o.PaymentStatus != payment.Paid || o.RefundStatus != payment.PartiallyRefunded || o.RefundedAmount.String() != "21" || o.FulfillmentStatus != store.DeliveryDone {
		t.Errorf("order is %s, refund %s of %s, %s", o.PaymentStatus, o.RefundStatus, o.RefundedAmount, o.FulfillmentStatus)
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_events"); n != 20 {
		t.Errorf("%d events, want 20", n)
	}
	if l, m := len(s.Licenses(order.ID)), len(s.Sent.All()); l != 1 || m != 1 {
		t.Errorf("%d licenses and %d mails, want 1 and 1", l, m)
	}
	noneLeft(t, s)
}

func TestTwentyOrdersAtOnceOnEmptyTablesDoNotDeadlock(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	s.Product("product", "Product", "50000", "USDC")
	orders, refs := make([]db.Order, 20), make([]string, 20)
	shoptest.Together(20, func(i int) { orders[i], refs[i] = s.BuyProduct("product", 1) })
	if t.Failed() {
		t.FailNow()
	}
	// No queue table has a row yet: what is locked here are the gaps.
	processing(s, func() {
		shoptest.Together(20, func(i int) {
			a := s.Report("payment.paid", shoptest.Order{ID: refs[i], Revision: "2", PaymentStatus: "paid"})
			if a.Status != 200 {
				t.Errorf("order %d: answer %d %s", i, a.Status, a.Body)
			}
		})
	})
	for _, order := range orders {
		o := s.Order(order.ID)
		if o.FulfillmentStatus != store.DeliveryDone || o.Revision != 3 || len(s.Licenses(o.ID)) != 1 {
			t.Errorf("order %s is %s at revision %d", o.Number, o.FulfillmentStatus, o.Revision)
		}
	}
	if n := len(s.Sent.All()); n != 20 {
		t.Errorf("%d mails, want 20", n)
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_events WHERE attempts <> 1 OR verdict <> 'applied'"); n != 0 {
		t.Errorf("%d events needed more than one attempt", n)
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_fulfillment_outbox WHERE attempts <> 1"); n != 0 {
		t.Errorf("%d jobs needed more than one attempt", n)
	}
	noneLeft(t, s)
}

func TestPaidAndAPartialRefundInTheSameMomentAlwaysEndTheSame(t *testing.T) {
	t.Parallel()
	const rounds = 200
	s := shoptest.New(t)
	s.Product("product", "Product", "50000", "USDC")
	var orders [rounds]db.Order
	var refs [rounds]string
	for i := range rounds {
		orders[i], refs[i] = s.BuyProduct("product", 1)
	}
	// What happens to one order happens at once; the next order starts when it has
	// been answered, while it is still being processed.
	processing(s, func() {
		for _, ref := range refs {
			events := []shoptest.Event{
				{Type: "payment.paid", Order: shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "paid"}},
				{Type: "refund.completed", Order: s.Platform.Set(shoptest.Order{ID: ref, Revision: "3", PaymentStatus: "paid", RefundStatus: "partial", RefundedAmount: "20000"})},
			}
			shoptest.Together(2, func(i int) {
				if a := s.Deliver(events[i]); a.Status != 200 {
					t.Errorf("%s: answer %d %s", events[i].Type, a.Status, a.Body)
				}
			})
		}
	})
	for _, order := range orders {
		o := s.Order(order.ID)
		if o.PaymentStatus != payment.Paid || o.RefundStatus != payment.PartiallyRefunded || o.RefundedAmount.String() != "20000" ||
			o.FulfillmentStatus != store.DeliveryDone || o.Revision != 3 {
			t.Errorf("order %s is %s, refund %s of %s, %s, revision %d", o.Number, o.PaymentStatus, o.RefundStatus, o.RefundedAmount, o.FulfillmentStatus, o.Revision)
		}
		if n := len(s.Licenses(o.ID)); n != 1 {
			t.Errorf("order %s has %d licenses", o.Number, n)
		}
	}
	if n := len(s.Sent.All()); n != rounds {
		t.Errorf("%d mails, want %d", n, rounds)
	}
	noneLeft(t, s)
}

func TestPayPressedTwentyTimesAtOnceIsOneOrderAndOnePayment(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	s.Product("product", "Product", "50000", "USDC")
	token, err := s.Shop.AddToCart(t.Context(), "", "product", 1)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	seen := map[string]int{}
	shoptest.Together(20, func(int) {
		started, err := s.Shop.Begin(t.Context(), token, shoptest.Buyer, "")
		if err != nil {
			t.Errorf("begin: %v", err)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		seen[fmt.Sprint(started.Order.ID, started.PageURL, started.PayURL)]++
	})
	if len(seen) != 1 {
		t.Errorf("the buyer was sent to different places: %v", seen)
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_orders"); n != 1 {
		t.Errorf("%d orders, want 1", n)
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_payments WHERE provider_ref IS NOT NULL"); n != 1 {
		t.Errorf("%d payments, want 1", n)
	}
	if n := s.Platform.Creates(); n != 1 {
		t.Errorf("%d payments at the platform, want 1", n)
	}
}
