package checkout_test

import (
	"errors"
	"testing"

	"onceshop/checkout"
	"onceshop/payment"
	"onceshop/shoptest"
	"onceshop/store"
	"onceshop/store/db"
)

// plainShop is a shop with a provider that counts no revisions.
func plainShop(t *testing.T) (*shoptest.Shop, *shoptest.Plain) {
	t.Helper()
	plain := &shoptest.Plain{}
	s := shoptest.New(t, shoptest.Options{Others: map[string]any{shoptest.PlainName: plain}})
	s.Product("plain", "Plain product", "10000", "EUR")
	return s, plain
}

// sold is an order that was paid with the plain provider and delivered.
func sold(t *testing.T, s *shoptest.Shop, plain *shoptest.Plain) (db.Order, string) {
	t.Helper()
	order, ref := s.BuyWith(shoptest.PlainName, "plain", 2)
	change(s, plain, ref, "paid", shoptest.Paid)
	if o := s.Order(order.ID); o.FulfillmentStatus != store.DeliveryDone {
		t.Fatalf("the order is %s and %s", o.PaymentStatus, o.FulfillmentStatus)
	}
	return order, ref
}

// change alters the provider's record, tells of it, and lets the shop work.
func change(s *shoptest.Shop, plain *shoptest.Plain, ref, event string, f func(*payment.Snapshot)) {
	s.Helper()
	plain.Change(ref, f)
	if a := s.Tell(shoptest.PlainName, shoptest.Told{ID: event, Type: event, Payment: ref}); a.Status != 200 {
		s.Fatalf("%s: answer %d %s", event, a.Status, a.Body)
	}
	s.Settle()
}

func dispute(status payment.DisputeStatus) func(*payment.Snapshot) {
	return func(s *payment.Snapshot) {
		s.Disputes = []payment.Dispute{{Ref: "dp_1", Amount: s.Amount, Reason: "fraudulent", Status: status}}
	}
}

// holds checks an order, and that it has two licenses of one status and reason, the
// same two as ever.
func holds(t *testing.T, s *shoptest.Shop, id string, status payment.Status, delivery, license, reason string) {
	t.Helper()
	o := s.Order(id)
	if o.PaymentStatus != status || o.FulfillmentStatus != delivery || o.ReviewReason != nil {
		t.Errorf("the order is %s, its delivery %s, review %q; want %s and %s", o.PaymentStatus, o.FulfillmentStatus, store.Deref(o.ReviewReason), status, delivery)
	}
	list := s.Licenses(id)
	if len(list) != 2 {
		t.Errorf("%d licenses, want the two of the order", len(list))
	}
	for _, l := range list {
		if l.Status != license || store.Deref(l.Reason) != reason {
			t.Errorf("a license is %s (%s), want %s (%s)", l.Status, store.Deref(l.Reason), license, reason)
		}
	}
	if n := len(s.Sent.All()); n != 1 {
		t.Errorf("%d mails, want the one of the delivery", n)
	}
}

func TestAnOpenDisputeSuspendsTheLicensesAndAWonOneGivesTheSameBack(t *testing.T) {
	t.Parallel()
	s, plain := plainShop(t)
	order, ref := sold(t, s, plain)

	change(s, plain, ref, "dispute.opened", dispute(payment.DisputeOpen))
	holds(t, s, order.ID, payment.Paid, store.DeliverySuspended, "suspended", "disputed")
	change(s, plain, ref, "dispute.won", dispute(payment.DisputeWon))
	holds(t, s, order.ID, payment.Paid, store.DeliveryDone, "active", "")
	if n := s.Count("SELECT COUNT(*) FROM shop_disputes WHERE status = 'won'"); n != 1 {
		t.Errorf("%d disputes are recorded as won", n)
	}
	for _, kind := range []string{"dispute_open", "dispute_won"} {
		if n := s.Count("SELECT COUNT(*) FROM shop_order_revisions WHERE order_id = ? AND kind = ?", order.ID, kind); n != 1 {
			t.Errorf("%d rows %s in the history", n, kind)
		}
	}
}

func TestALostDisputeEndsTheLicensesAndAnArbitrationMayTurnIt(t *testing.T) {
	t.Parallel()
	s, plain := plainShop(t)
	order, ref := sold(t, s, plain)

	change(s, plain, ref, "dispute.lost", dispute(payment.DisputeLost))
	holds(t, s, order.ID, payment.Paid, store.DeliveryRevoked, "revoked", "dispute_lost")
	change(s, plain, ref, "arbitration.won", dispute(payment.DisputeWon))
	holds(t, s, order.ID, payment.Paid, store.DeliveryDone, "active", "")
}

func TestADisputeBeforeTheDeliveryHoldsItBackUntilItIsWon(t *testing.T) {
	t.Parallel()
	s, plain := plainShop(t)
	order, ref := s.BuyWith(shoptest.PlainName, "plain", 2)
	change(s, plain, ref, "paid and disputed", func(p *payment.Snapshot) {
		shoptest.Paid(p)
		dispute(payment.DisputeOpen)(p)
	})
	if o := s.Order(order.ID); o.FulfillmentStatus != store.DeliveryWithheld || len(s.Licenses(order.ID)) != 0 {
		t.Errorf("delivery %s with %d licenses while a dispute is open", o.FulfillmentStatus, len(s.Licenses(order.ID)))
	}
	change(s, plain, ref, "dispute.won", dispute(payment.DisputeWon))
	holds(t, s, order.ID, payment.Paid, store.DeliveryDone, "active", "")
}

func TestAnotherDisputeThatIsStillOpenKeepsTheLicensesSuspended(t *testing.T) {
	t.Parallel()
	s, plain := plainShop(t)
	order, ref := sold(t, s, plain)
	two := func(first, second payment.DisputeStatus) func(*payment.Snapshot) {
		return func(p *payment.Snapshot) {
			p.Disputes = []payment.Dispute{{Ref: "dp_1", Amount: payment.NewAmount(1), Status: first}, {Ref: "dp_2", Amount: payment.NewAmount(2), Status: second}}
		}
	}
	change(s, plain, ref, "1", two(payment.DisputeOpen, payment.DisputeOpen))
	change(s, plain, ref, "2", two(payment.DisputeWon, payment.DisputeOpen))
	holds(t, s, order.ID, payment.Paid, store.DeliverySuspended, "suspended", "disputed")
	change(s, plain, ref, "3", two(payment.DisputeWon, payment.DisputeWon))
	holds(t, s, order.ID, payment.Paid, store.DeliveryDone, "active", "")
}

func TestAMailWithKeysWaitsWhileADisputeIsOpen(t *testing.T) {
	t.Parallel()
	for _, end := range []payment.DisputeStatus{payment.DisputeWon, payment.DisputeLost} {
		t.Run(string(end), func(t *testing.T) {
			t.Parallel()
			s, plain := plainShop(t)
			order, ref := s.BuyWith(shoptest.PlainName, "plain", 2)
			s.Sent.Fail(errors.New("the mail server is away"))
			change(s, plain, ref, "paid", shoptest.Paid)
			change(s, plain, ref, "opened", dispute(payment.DisputeOpen))
			s.Sent.Fail(nil)
			s.MakeDue()
			s.Settle()
			if n := len(s.Sent.All()); n != 0 {
				t.Fatalf("%d mails with keys that don't work", n)
			}
			change(s, plain, ref, "ended", dispute(end))
			want := map[payment.DisputeStatus]int{payment.DisputeWon: 1}[end]
			if n := len(s.Sent.All()); n != want {
				t.Errorf("%d mails after the dispute, want %d", n, want)
			}
			if n := s.Count("SELECT COUNT(*) FROM shop_fulfillment_outbox WHERE order_id = ? AND status IN ('pending', 'blocked')", order.ID); n != 0 {
				t.Errorf("%d jobs are left", n)
			}
		})
	}
}

func TestADisputeOnAPaymentThatCannotBeBelievedIsAskedAboutAnew(t *testing.T) {
	t.Parallel()
	s, plain := plainShop(t)
	order, ref := sold(t, s, plain)
	change(s, plain, ref, "refunded", func(p *payment.Snapshot) { p.Refunded = payment.NewAmount(3000) })
	change(s, plain, ref, "shrunk without a word", func(p *payment.Snapshot) { p.Refunded = payment.NewAmount(2000) })
	err := s.DB.InTx(t.Context(), func(tx *store.Tx) error { return checkout.ReviewedTx(t.Context(), tx, order.ID, "anna") })
	if err != nil {
		t.Fatal(err)
	}
	change(s, plain, ref, "told again", func(*payment.Snapshot) {})
	if o := s.Order(order.ID); o.ReviewReason != nil {
		t.Errorf("what a person has looked at is asked again: %s", *o.ReviewReason)
	}
	for _, status := range []payment.DisputeStatus{payment.DisputeOpen, payment.DisputeLost} {
		change(s, plain, ref, string(status), dispute(status))
		if o := s.Order(order.ID); store.Deref(o.ReviewReason) != payment.ImpossibleChange {
			t.Errorf("nobody is told of a dispute that is %s", status)
		}
	}
}

func TestAnOrderThatLostItsDisputeBeforeTheDeliveryWaitsForNobody(t *testing.T) {
	t.Parallel()
	s, plain := plainShop(t)
	_, ref := s.BuyWith(shoptest.PlainName, "plain", 2)
	for status, want := range map[payment.DisputeStatus]int64{payment.DisputeOpen: 1, payment.DisputeLost: 0} {
		change(s, plain, ref, string(status), func(p *payment.Snapshot) { shoptest.Paid(p); dispute(status)(p) })
		n, err := s.DB.CountOrdersToLookAt(t.Context())
		if err != nil || n.Withheld != want || n.UnderReview != 0 {
			t.Errorf("dispute %s: %+v, %v; want %d withheld", status, n, err, want)
		}
	}
}
