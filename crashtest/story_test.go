package crashtest_test

import (
	"context"
	"testing"

	"onceshop/fulfillment"
	"onceshop/license"
	"onceshop/shoptest"
	"onceshop/store/db"
)

// The platform's ids and the events of every story, so that stories can be compared.
const (
	paymentID    = "payment-1"
	confirmingID = "event-confirming"
	paidID       = "event-paid"
	refundID     = "event-full-refund"
	foreignID    = "event-foreign"
)

// story is a shop whose database can be made to fail, and whose mails go to its
// mailbox, where the database counts them.
type story struct {
	*shoptest.Shop
	faulty *shoptest.Faulty
	plain  *shoptest.Plain // a provider without revisions
	cart   string
	order  db.Order
	answer shoptest.Answer // to the delivery that is disturbed
}

func newStory(t testing.TB, dsn string) *story {
	t.Helper()
	faulty := shoptest.NewFaulty(t, dsn)
	plain := &shoptest.Plain{}
	s := &story{faulty: faulty, plain: plain, Shop: shoptest.New(t, shoptest.Options{
		Pool: faulty.Open(t), Scripts: faulty.OpenForScripts(t),
		Others: map[string]any{shoptest.PlainName: plain, queueName: queue{plain}},
	})}
	s.Mails.Sender = fulfillment.Mailbox{DB: s.DB}
	s.Product("product", "Product", "50000", "USDC")
	s.Platform.NextID(paymentID)
	return s
}

func (s *story) fillCart() {
	s.Helper()
	var err error
	if s.cart, err = s.Shop.Shop.AddToCart(s.Context(), "", "product", 1); err != nil {
		s.Fatal(err)
	}
}

// pressPay is the buyer's button; pressing it again is always allowed.
func (s *story) pressPay() error {
	started, err := s.Shop.Shop.Begin(s.Context(), s.cart, shoptest.Buyer, "")
	s.order = started.Order
	return err
}

func (s *story) buy() {
	s.Helper()
	s.fillCart()
	if err := s.pressPay(); err != nil {
		s.Fatal(err)
	}
}

var (
	confirming = shoptest.Order{ID: paymentID, Revision: "1", PaymentStatus: "confirming"}

	paid     = shoptest.Order{ID: paymentID, Revision: "2", PaymentStatus: "paid"}
	refunded = shoptest.Order{ID: paymentID, Revision: "4", PaymentStatus: "paid", RefundStatus: "full", RefundedAmount: "50000"}
)

// report sets the platform's record and delivers the event under a fixed id.
func (s *story) report(id, kind string, o shoptest.Order) shoptest.Answer {
	s.Helper()
	return s.Deliver(shoptest.Event{ID: id, Type: kind, Order: s.Platform.Set(o)})
}

func (s *story) reportPaid() shoptest.Answer {
	s.Helper()
	return s.report(paidID, "payment.paid", paid)
}

func (s *story) reportRefund() shoptest.Answer {
	s.Helper()
	return s.report(refundID, "refund.completed", refunded)
}

// stored demands that what was just delivered was acknowledged.
func (s *story) stored(a shoptest.Answer) {
	s.Helper()
	if a.Status != 200 {
		s.Fatalf("answer %d %s", a.Status, a.Body)
	}
}

// must runs one pass of a loop that has to work.
func (s *story) must(run func(context.Context) (int, error)) {
	s.Helper()
	if _, err := run(s.Context()); err != nil {
		s.Fatal(err)
	}
}

// try runs one pass of a loop that may fail.
func (s *story) try(run func(context.Context) (int, error)) { _, _ = run(s.Context()) }

// catchUp is what time and the workers do by themselves: leases of the dead
// expire, waits end, and every queue is worked off.
func (s *story) catchUp() {
	s.Helper()
	expireLeases(s.Shop)
	s.MakeDue()
	s.Settle()
}

func expireLeases(s *shoptest.Shop) {
	s.Helper()
	for _, table := range []string{"shop_events", "shop_fulfillment_outbox"} {
		s.Exec("UPDATE " + table + " SET lease_until = NOW(6) - INTERVAL 1 SECOND WHERE status = 'leased'")
	}
}

// hashOfKey is what the database has to hold of a license's key.
func hashOfKey(s *shoptest.Shop, licenseID string) string {
	hash := license.Hash(license.Key(s.Keys.Secret, licenseID))
	return string(hash[:])
}
