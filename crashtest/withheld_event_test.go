package crashtest_test

import (
	"testing"

	"onceshop/payment"
	"onceshop/shoptest"
	"onceshop/store"
	"onceshop/store/db"
)

// readBack is one pass of the reconciliation.
func readBack(s *shoptest.Shop) {
	s.Helper()
	if _, err := s.Checker.RunOnce(s.Context()); err != nil {
		s.Fatal(err)
	}
	s.Settle()
}

func confirmingOrder(t *testing.T) (s *shoptest.Shop, orderID, ref string) {
	t.Helper()
	s = shoptest.New(t)
	order, ref := s.Buy(1)
	report(s, "payment.confirming", shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "confirming"})
	return s, order.ID, ref
}

func TestAnEventThatNeverCameIsReadBackAndItsLateCopyChangesNothing(t *testing.T) {
	t.Parallel()
	s, orderID, ref := confirmingOrder(t)
	paid := shoptest.Event{Type: "payment.paid", Order: s.Platform.Set(shoptest.Order{ID: ref, Revision: "3", PaymentStatus: "paid"})}
	readBack(s)

	o, l := s.Order(orderID), s.Licenses(orderID)
	if o.PaymentStatus != payment.Paid || o.FulfillmentStatus != store.DeliveryDone || len(l) != 1 {
		t.Errorf("order is %s, %s with %d licenses", o.PaymentStatus, o.FulfillmentStatus, len(l))
	}
	history, err := s.DB.ListOrderRevisions(t.Context(), orderID)
	if err != nil {
		t.Fatal(err)
	}
	sources := map[string]string{}
	for _, h := range history {
		sources[h.Kind] = h.Source
	}
	if sources["payment_paid"] != string(store.FromReconcile) || sources["payment_confirming"] != string(store.FromWebhook) {
		t.Errorf("the history's sources: %v", sources)
	}

	before := dumpOrder(t, s.DB.Pool(), orderID, ref)
	acknowledged(t, s.Deliver(paid))
	s.Settle()
	if v := s.Count("SELECT COUNT(*) FROM shop_events WHERE verdict = 'unchanged'"); v != 1 {
		t.Errorf("the late event isn't unchanged")
	}
	readBack(s) // and so does a second pass
	same(t, before, dumpOrder(t, s.DB.Pool(), orderID, ref))
	if n := len(s.Sent.All()); n != 1 {
		t.Errorf("%d mails, want 1", n)
	}
}

func TestAPaymentThatIsStillConfirmingStaysSoAndIsListedAsStuck(t *testing.T) {
	t.Parallel()
	s, orderID, ref := confirmingOrder(t)
	before := dumpOrder(t, s.DB.Pool(), orderID, ref)
	stuck := func() int {
		t.Helper()
		list, err := s.DB.ListOrders(t.Context(), db.ListOrdersParams{StuckHours: 24, Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	if n := stuck(); n != 0 {
		t.Errorf("%d orders are stuck at once", n)
	}
	s.Exec("UPDATE shop_order_revisions SET created_at = created_at - INTERVAL 25 HOUR")
	readBack(s)
	// That it was asked about is noted with the payment; nothing else is.
	s.Exec("UPDATE shop_payments SET checked_at = NULL")
	same(t, before, dumpOrder(t, s.DB.Pool(), orderID, ref))
	if n := stuck(); n != 1 {
		t.Errorf("%d orders are stuck after a day, want 1", n)
	}
}

func TestAPlatformThatIsDownOrKnowsNothingChangesNothing(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func(*shoptest.Shop){
		"down":            func(s *shoptest.Shop) { s.Platform.Fail(503) },
		"failing":         func(s *shoptest.Shop) { s.Platform.Fail(500) },
		"knowing nothing": func(s *shoptest.Shop) { s.Platform.Fail(404) },
		"refusing":        func(s *shoptest.Shop) { s.Platform.Fail(422) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, orderID, ref := confirmingOrder(t)
			before := dumpOrder(t, s.DB.Pool(), orderID, ref)
			s.Platform.Set(shoptest.Order{ID: ref, Revision: "3", PaymentStatus: "paid"})
			fail(s)
			readBack(s)
			s.Exec("UPDATE shop_payments SET checked_at = NULL")
			same(t, before, dumpOrder(t, s.DB.Pool(), orderID, ref))
			s.Platform.Fail(0)
			readBack(s)
			if o := s.Order(orderID); o.FulfillmentStatus != store.DeliveryDone {
				t.Errorf("order is %s, %s once the platform is back", o.PaymentStatus, o.FulfillmentStatus)
			}
		})
	}
}

func TestOurCredentialsBeingRefusedEndsThePassAndChangesNothing(t *testing.T) {
	t.Parallel()
	s, orderID, ref := confirmingOrder(t)
	before := dumpOrder(t, s.DB.Pool(), orderID, ref)
	s.Platform.Fail(401)
	if _, err := s.Checker.RunOnce(t.Context()); err == nil {
		t.Error("nobody is told that the platform refuses our credentials")
	}
	s.Exec("UPDATE shop_payments SET checked_at = NULL")
	same(t, before, dumpOrder(t, s.DB.Pool(), orderID, ref))
}

func TestTheReadBackAndTheEventAtTheSameMomentAreOneBooking(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	var orders []db.Order
	var refs []string
	for range 10 {
		order, ref := s.Buy(1)
		orders, refs = append(orders, order), append(refs, ref)
		s.Platform.Set(shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "paid"})
	}
	processing(s, func() {
		shoptest.Together(12, func(i int) {
			if i < 10 {
				acknowledged(t, s.Report("payment.paid", shoptest.Order{ID: refs[i], Revision: "2", PaymentStatus: "paid"}))
			} else if _, err := s.Checker.RunOnce(t.Context()); err != nil {
				t.Errorf("read back: %v", err)
			}
		})
	})
	for _, order := range orders {
		sold(s, order.ID)
	}
	if n := len(s.Sent.All()); n != len(orders) {
		t.Errorf("%d mails, want %d", n, len(orders))
	}
}
