package checkout

import (
	"context"

	"onceshop/payment"
	"onceshop/problem"
	"onceshop/store"
	"onceshop/store/db"
)

// Started is an order and where its buyer goes next.
type Started struct {
	Order   db.Order
	PageURL string // the order's own page
	PayURL  string // the provider's hosted page
}

// Begin makes the cart of token an order and asks a provider for its payment: the
// one that the buyer chose, or the preferred one if way is empty.
// A cart becomes one order, however often and from however many windows Begin is
// called: the others get the same order and the same hosted page. When the
// provider can't be asked, the order is there all the same and its page offers to
// try again; the error is then problem.Unavailable, and Started holds the order.
func (s *Shop) Begin(ctx context.Context, token, email, way string) (Started, error) {
	email, err := checkEmail(email)
	if err != nil {
		return Started{}, err
	}
	var order db.Order
	var placed bool
	err = s.DB.InTx(ctx, func(tx *store.Tx) error {
		order, placed, err = s.placeTx(ctx, tx, token, email, way)
		return err
	})
	if err != nil {
		return Started{}, err
	}
	if order.PaymentStatus != payment.Pending {
		// The cart was ordered in another window and is past being paid.
		return Started{Order: order, PageURL: s.OrderURL(order), PayURL: s.OrderURL(order)}, nil
	}
	if !placed && way != "" {
		return s.PayAgain(ctx, order.ID, way)
	}
	return s.pay(ctx, order, way)
}

// placeTx returns the cart's order, and whether it was placed now: the order, its
// lines, its first payment and its first revision in one transaction. The cart's
// lock lets the second caller find the first one's order.
func (s *Shop) placeTx(ctx context.Context, tx *store.Tx, token, email, way string) (order db.Order, placed bool, err error) {
	locked, err := tx.LockCart(ctx, HashToken(token))
	if store.IsNotFound(err) {
		return order, false, problem.Bad("cart", "Your cart is empty.")
	}
	if err != nil {
		return order, false, err
	}
	cart, err := readCart(ctx, tx.Queries, locked.ID)
	switch {
	case err != nil:
		return order, false, err
	case cart.Order != nil:
		return *cart.Order, false, nil
	case len(cart.Lines) == 0:
		return order, false, problem.Bad("cart", "Your cart is empty.")
	}

	total := payment.Money{Amount: cart.Total, Currency: cart.Currency}
	if way, err = s.choose(way, total); err != nil {
		return order, false, err
	}

	id := store.NewID()
	err = tx.InsertOrder(ctx, db.InsertOrderParams{
		ID: id, Number: orderNumber(), CartID: cart.ID, TokenHash: HashToken(s.OrderToken(id, 1)),
		Email: email, Total: cart.Total, Currency: cart.Currency, LifetimeSeconds: int64(s.Lifetime.Seconds()),
	})
	if err != nil {
		return order, false, err
	}
	for i, l := range cart.Lines {
		err := tx.InsertOrderLine(ctx, db.InsertOrderLineParams{
			OrderID: id, LineNo: i + 1, ProductID: l.Product.ID, Name: l.Product.Name,
			UnitPrice: l.Product.Price, Quantity: l.CartLine.Quantity,
		})
		if err != nil {
			return order, false, err
		}
	}
	if err := s.addAttempt(ctx, tx, db.Order{ID: id, Total: cart.Total, Currency: cart.Currency}, 1, way); err != nil {
		return order, false, err
	}
	err = tx.AppendRevision(ctx, id, 1, store.Entry{
		Kind: "placed", Source: store.FromCheckout, Actor: "buyer",
		Changes: []payment.Change{{Field: "payment_status", After: string(payment.Pending)}},
	})
	if err != nil {
		return order, false, err
	}
	row, err := tx.GetOrder(ctx, id)
	return row.Order, true, err
}
