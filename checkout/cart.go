package checkout

import (
	"context"
	"strings"

	"onceshop/internal/ellipsis"
	"onceshop/payment"
	"onceshop/problem"
	"onceshop/store"
	"onceshop/store/db"
)

const maxQuantity = 99

// Cart is what a buyer has chosen. Order is set once it has been ordered; such a
// cart doesn't change any more.
type Cart struct {
	ID       string
	Lines    []db.ListCartLinesRow
	Total    payment.Amount
	Currency string
	Order    *db.Order
}

// Count is the number of units in the cart.
func (c Cart) Count() int {
	n := 0
	for _, l := range c.Lines {
		n += l.CartLine.Quantity
	}
	return n
}

// Cart returns the cart of a token. An unknown token has an empty cart; looking
// writes nothing.
func (s *Shop) Cart(ctx context.Context, token string) (Cart, error) {
	row, err := s.DB.FindCart(ctx, HashToken(token))
	if store.IsNotFound(err) {
		return Cart{}, nil
	}
	if err != nil {
		return Cart{}, err
	}
	return readCart(ctx, s.DB.Queries, row.ID)
}

func readCart(ctx context.Context, q *db.Queries, id string) (Cart, error) {
	cart := Cart{ID: id}
	order, err := q.FindOrderByCart(ctx, id)
	switch {
	case err == nil:
		cart.Order = &order
	case !store.IsNotFound(err):
		return cart, err
	}
	cart.Lines, err = q.ListCartLines(ctx, id)
	if err != nil {
		return cart, err
	}
	for _, l := range cart.Lines {
		cart.Currency = l.Product.Currency
		cart.Total = cart.Total.Add(l.Product.Price.Times(int64(l.CartLine.Quantity)))
	}
	return cart, nil
}

// AddToCart puts units of a product into the cart of token and returns the token
// to keep from now on: a new one if there was no cart, or if that cart has been
// ordered.
func (s *Shop) AddToCart(ctx context.Context, token, slug string, quantity int) (string, error) {
	if quantity < 1 || quantity > maxQuantity {
		return token, problem.Bad("quantity", "Choose a quantity between 1 and %d.", maxQuantity)
	}
	product, err := s.DB.FindProductBySlug(ctx, slug)
	if store.IsNotFound(err) {
		return token, problem.Missing("This product isn't on offer.")
	}
	if err != nil {
		return token, err
	}
	err = s.DB.InTx(ctx, func(tx *store.Tx) error {
		cart, current, err := openCart(ctx, tx, token)
		if err != nil {
			return err
		}
		token = current
		for _, l := range cart.Lines {
			if l.Product.ID == product.ID && l.CartLine.Quantity+quantity > maxQuantity {
				return problem.Bad("quantity", "Your cart holds %d of these already, and takes %d at most.", l.CartLine.Quantity, maxQuantity)
			}
			if l.Product.Currency != product.Currency {
				return problem.Clash("Your cart is in %s and this product is sold in %s; please order them one after the other.", l.Product.Currency, product.Currency)
			}
		}
		return tx.AddCartLine(ctx, cart.ID, product.ID, quantity)
	})
	return token, err
}

// openCart locks the token's cart, or makes a new one where there is none that
// can still change.
func openCart(ctx context.Context, tx *store.Tx, token string) (Cart, string, error) {
	if token != "" {
		row, err := tx.LockCart(ctx, HashToken(token))
		if err == nil {
			cart, err := readCart(ctx, tx.Queries, row.ID)
			if err != nil || cart.Order == nil {
				return cart, token, err
			}
		} else if !store.IsNotFound(err) {
			return Cart{}, "", err
		}
	}
	cart := Cart{ID: store.NewID()}
	token = NewCartToken()
	return cart, token, tx.InsertCart(ctx, cart.ID, HashToken(token))
}

// SetQuantity changes a line of the cart; 0 removes it.
func (s *Shop) SetQuantity(ctx context.Context, token, slug string, quantity int) error {
	if quantity < 0 || quantity > maxQuantity {
		return problem.Bad("quantity", "Choose a quantity between 0 and %d; 0 removes the line.", maxQuantity)
	}
	return s.DB.InTx(ctx, func(tx *store.Tx) error {
		row, err := tx.LockCart(ctx, HashToken(token))
		if store.IsNotFound(err) {
			return problem.Missing("This cart is empty.")
		}
		if err != nil {
			return err
		}
		cart, err := readCart(ctx, tx.Queries, row.ID)
		if err != nil {
			return err
		}
		if cart.Order != nil {
			return problem.Clash("This cart has been ordered already.")
		}
		for _, l := range cart.Lines {
			switch {
			case l.Product.Slug != slug:
			case quantity == 0:
				return tx.DeleteCartLine(ctx, cart.ID, l.Product.ID)
			default:
				return tx.SetCartLine(ctx, quantity, cart.ID, l.Product.ID)
			}
		}
		return problem.Missing("This product isn't in your cart.")
	})
}

// describe is what the provider shows the buyer: product names, cut to what
// providers take.
func describe(lines []db.OrderLine) string {
	names := make([]string, len(lines))
	for i, l := range lines {
		names[i] = l.Name
	}
	return ellipsis.Shorten(strings.Join(names, ", "), 127)
}
