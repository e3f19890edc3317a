package shoptest

import (
	"context"
	"slices"
	"sync"

	"onceshop/checkout"
	"onceshop/fulfillment"
	"onceshop/payment"
	"onceshop/store"
	"onceshop/store/db"
)

// Buyer is the mail address of the test's buyers.
const Buyer = "buyer@example.com"

// Product puts a product on offer and returns its slug.
func (s *Shop) Product(slug, name, price, currency string) string {
	s.Helper()
	amount, err := payment.ParseAmount(price)
	if err != nil {
		s.Fatal(err)
	}
	err = s.DB.InsertProduct(s.Context(), db.InsertProductParams{
		ID: store.NewID(), Slug: slug, Name: name, Summary: "A product.", Description: "It does things.",
		Price: amount, Currency: currency, ActivationLimit: 3, Position: 1,
	})
	if err != nil {
		s.Fatal(err)
	}
	return slug
}

// Buy places an order of one product (50000 USDC a unit) and returns it, with the
// platform's id of its payment.
func (s *Shop) Buy(quantity int) (db.Order, string) {
	s.Helper()
	if _, err := s.DB.FindProductBySlug(s.Context(), "product"); store.IsNotFound(err) {
		s.Product("product", "Product", "50000", "USDC")
	}
	return s.BuyProduct("product", quantity)
}

// BuyProduct places an order of a product on offer.
func (s *Shop) BuyProduct(slug string, quantity int) (db.Order, string) {
	s.Helper()
	return s.BuyWith("", slug, quantity)
}

// BuyWith places an order that is to be paid with the provider named.
func (s *Shop) BuyWith(way, slug string, quantity int) (db.Order, string) {
	s.Helper()
	token, err := s.Shop.AddToCart(s.Context(), "", slug, quantity)
	if err != nil {
		s.Fatal(err)
	}
	started, err := s.Shop.Begin(s.Context(), token, Buyer, way)
	if err != nil {
		s.Fatal(err)
	}
	payments, err := s.DB.ListPaymentsOfOrder(s.Context(), &started.Order.ID)
	if err != nil {
		s.Fatal(err)
	}
	return started.Order, store.Deref(payments[len(payments)-1].ProviderRef)
}

// Order reads an order as it is now.
func (s *Shop) Order(id string) db.Order {
	s.Helper()
	row, err := s.DB.GetOrder(s.Context(), id)
	if err != nil {
		s.Fatal(err)
	}
	return row.Order
}

// Licenses reads an order's licenses.
func (s *Shop) Licenses(orderID string) []db.ListLicensesOfOrderRow {
	s.Helper()
	list, err := s.DB.ListLicensesOfOrder(s.Context(), orderID)
	if err != nil {
		s.Fatal(err)
	}
	return list
}

// Event reads an event by its id.
func (s *Shop) Event(id string) db.Event {
	s.Helper()
	e, err := s.DB.FindEvent(s.Context(), "stablein", id)
	if err != nil {
		s.Fatalf("event %s: %v", id, err)
	}
	return e
}

// Mails is a mail server that keeps what it is given.
type Mails struct {
	mu   sync.Mutex
	all  []fulfillment.Mail
	fail error
}

// Send keeps the mail, or fails as Fail says.
func (m *Mails) Send(_ context.Context, mail fulfillment.Mail) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil {
		return m.fail
	}
	m.all = append(m.all, mail)
	return nil
}

// Fail makes Send fail from now on; nil ends it.
func (m *Mails) Fail(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fail = err
}

// All returns the mails so far.
func (m *Mails) All() []fulfillment.Mail {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.all)
}

// Cancel ends an order on a person's word.
func (s *Shop) Cancel(orderID string) {
	s.Helper()
	err := s.DB.InTx(s.Context(), func(tx *store.Tx) error { return checkout.CancelTx(s.Context(), tx, orderID, "anna") })
	if err != nil {
		s.Fatal(err)
	}
}

// Reopen takes a cancellation back.
func (s *Shop) Reopen(orderID string) {
	s.Helper()
	err := s.DB.InTx(s.Context(), func(tx *store.Tx) error { return checkout.ReopenTx(s.Context(), tx, orderID, "anna") })
	if err != nil {
		s.Fatal(err)
	}
}

// RefundOf is a person's decision to give back an amount of what paid the order.
func RefundOf(orderID string, amount int64) checkout.RefundRequest {
	return checkout.RefundRequest{OrderID: orderID, Amount: payment.NewAmount(amount), Reason: "asked for", Actor: "anna"}
}
