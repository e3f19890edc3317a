package checkout

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"onceshop/database"
	"onceshop/payment"
	"onceshop/problem"
	"onceshop/store"
	"onceshop/store/db"
)

// PayAgain opens a way to pay an order that isn't paid: the open payment's page
// again, or a new payment where the last one failed or ran out of time, or where the
// buyer chooses another provider. An empty way is that of the last payment.
func (s *Shop) PayAgain(ctx context.Context, orderID, way string) (Started, error) {
	var order db.Order
	err := s.DB.InTx(ctx, func(tx *store.Tx) error {
		row, err := tx.LockOrder(ctx, orderID)
		if err != nil {
			return err
		}
		order = row.Order
		payments, err := tx.ListPaymentsOfOrder(ctx, &orderID)
		if err != nil {
			return err
		}
		paying := PayingOf(order, payments)
		last := paying.Last
		if !paying.Open && !paying.Elsewhere {
			return problem.Clash("This order can't be paid again: it is %s.", order.PaymentStatus)
		}
		if paying.Open {
			if p, ok := asked(payments, way); ok && promise(p) > 0 && (paying.Elsewhere || p.ID == last.ID) {
				return nil
			}
		}
		if !paying.Elsewhere {
			return problem.Clash("The payment of this order has begun and can't be continued in another way.")
		}
		if way == "" && slices.Contains(s.Offered, last.Provider) {
			way = last.Provider
		}
		if way, err = s.choose(way, payment.Money{Amount: order.Total, Currency: order.Currency}); err != nil {
			return err
		}
		order, err = s.retryTx(ctx, tx, row, len(payments)+1, last.Provider, way)
		return err
	})
	if err != nil {
		return Started{}, err
	}
	return s.pay(ctx, order, way)
}

// retryTx adds the n-th payment of a locked order.
func (s *Shop) retryTx(ctx context.Context, tx *store.Tx, row db.LockOrderRow, n int, before, way string) (db.Order, error) {
	if err := s.addAttempt(ctx, tx, row.Order, n, way); err != nil {
		return row.Order, err
	}
	after := row.Order
	after.PaymentStatus = payment.Pending
	after.ExpiresAt = row.DbNow.Add(s.Lifetime)
	return tx.SaveOrder(ctx, row.Order, after, store.Entry{
		Kind: "payment_retried", Source: store.FromCheckout, Actor: "buyer",
		Changes: []payment.Change{{Field: "provider", Before: before, After: way}},
	})
}

// Ways are the providers that this much can be paid with, the preferred one first.
func (s *Shop) Ways(m payment.Money) []string {
	var ways []string
	for _, name := range s.Offered {
		if p, ok := s.Providers[name]; ok && p.Takes(m) {
			ways = append(ways, name)
		}
	}
	return ways
}

// choose returns the provider that the buyer wants, or the preferred one.
func (s *Shop) choose(way string, m payment.Money) (string, error) {
	ways := s.Ways(m)
	switch {
	case len(ways) == 0:
		return "", problem.Clash("%s can't be paid here at the moment: no payment provider takes it.", m)
	case way == "":
		return ways[0], nil
	case !slices.Contains(ways, way):
		return "", problem.Bad("way", "Choose one of the ways to pay that are offered.")
	}
	return way, nil
}

// pay returns the hosted page of the order's newest payment, of that provider if way
// isn't empty. One whose page can't be had any more is left for a new one: nobody has
// seen its page, so nobody can pay it besides.
func (s *Shop) pay(ctx context.Context, o db.Order, way string) (Started, error) {
	started, p, err := s.open(ctx, o, way)
	if !errors.Is(err, payment.ErrKeyUsed) {
		return started, err
	}
	o, failed := s.replace(ctx, p)
	if failed != nil {
		return started, errors.Join(err, failed)
	}
	started, _, err = s.open(ctx, o, p.Provider)
	return started, err
}

// open asks the provider for the page if that hasn't been done or its answer was lost:
// the idempotency key makes asking twice harmless. No transaction is open here.
//
// What is asked for under one key has to stay the same, so the page's time counts from
// when the payment began: the order's own moves with every payment that begins. A payment
// whose time is over, and that is refused, is as good as one whose key was used.
func (s *Shop) open(ctx context.Context, o db.Order, way string) (Started, db.Payment, error) {
	started := Started{Order: o, PageURL: s.OrderURL(o)}
	payments, err := s.DB.ListPaymentsOfOrder(ctx, &o.ID)
	if err != nil {
		return started, db.Payment{}, err
	}
	p, ok := asked(payments, way)
	if !ok {
		return started, p, fmt.Errorf("order %s has no payment that we asked for", o.ID)
	}
	if p.PaymentURL != nil {
		started.PayURL = *p.PaymentURL
		return started, p, nil
	}
	provider, ok := s.Providers[p.Provider]
	if !ok {
		return started, p, fmt.Errorf("order %s is to be paid with %q, which isn't configured", o.ID, p.Provider)
	}
	lines, err := s.DB.ListOrderLines(ctx, o.ID)
	if err != nil {
		return started, p, err
	}
	created, err := provider.Create(ctx, payment.Creation{
		IdempotencyKey: store.Deref(p.IdempotencyKey), OrderRef: orderRef(o.ID, *p.Attempt), Amount: p.Amount, Currency: p.Currency,
		Description: describe(lines), ReturnURL: s.BaseURL + "/checkout/return?order=" + o.Number,
		CancelURL: s.BaseURL + "/checkout/return?cancelled=1&order=" + o.Number, ExpiresAt: p.CreatedAt.Add(s.Lifetime),
	})
	if errors.Is(err, payment.ErrRefused) {
		if now, failed := s.DB.Now(ctx); failed == nil && now.After(p.CreatedAt.Add(s.Lifetime)) {
			err = fmt.Errorf("%w: its time is over: %w", payment.ErrKeyUsed, err)
		}
	}
	if err != nil {
		// Whatever the reason, the buyer can do no more than try again; the merchant reads
		// the cause in the log.
		return started, p, problem.Later(fmt.Errorf("create payment at %s: %w", p.Provider, err),
			"The payment provider can't be reached right now. Your order is kept and nothing was charged.")
	}
	started.PayURL, err = s.noteCreated(ctx, p, created)
	return started, p, err
}

// replace begins a new payment in the place of one whose page can't be had, unless
// somebody has begun one meanwhile, or has got the page.
func (s *Shop) replace(ctx context.Context, spent db.Payment) (order db.Order, err error) {
	err = s.DB.InTx(ctx, func(tx *store.Tx) error {
		row, err := tx.LockOrder(ctx, *spent.OrderID)
		if err != nil {
			return err
		}
		order = row.Order
		payments, err := tx.ListPaymentsOfOrder(ctx, spent.OrderID)
		if err != nil {
			return err
		}
		if p, _ := asked(payments, spent.Provider); p.ID != spent.ID || p.PaymentURL != nil {
			return nil
		}
		if !PayingOf(order, payments).Elsewhere {
			return problem.Clash("This order can't be paid in another way.")
		}
		if _, err := s.choose(spent.Provider, payment.Money{Amount: order.Total, Currency: order.Currency}); err != nil {
			return err
		}
		order, err = s.retryTx(ctx, tx, row, len(payments)+1, spent.Provider, spent.Provider)
		return err
	})
	return order, err
}

// noteCreated keeps the provider's answer and returns the page to pay on. It writes
// nothing but reference and address, and those only where they are missing: the
// payment may long be paid, and what a webhook wrote stays (case: checkout saves its
// stale copy). Of two windows that asked at once the second gets the first one's
// page: not every provider answers both with one, and who has two may pay twice.
//
// The reference may stand in another row already: in an orphan's, which was
// recorded before we knew it as ours and makes room, or in a row of the same
// order, which then gets the address.
func (s *Shop) noteCreated(ctx context.Context, p db.Payment, c payment.Created) (page string, err error) {
	// The buyer who hangs up here still has a payment at the provider.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	err = s.DB.InTx(ctx, func(tx *store.Tx) error {
		page = c.URL
		if _, err := tx.LockOrder(ctx, store.Deref(p.OrderID)); err != nil {
			return err
		}
		noted, err := tx.SetPaymentCreated(ctx, &c.Ref, &c.URL, p.ID)
		if err == nil && noted == 0 {
			page, err = notedPage(ctx, tx, p)
		}
		if !database.IsDuplicate(err) {
			return err
		}
		gone, err := tx.DeleteOrphanPayment(ctx, p.Provider, &c.Ref)
		if err != nil {
			return err
		}
		if gone == 0 {
			return tx.SetPaymentURL(ctx, &c.URL, p.Provider, &c.Ref, p.OrderID)
		}
		_, err = tx.SetPaymentCreated(ctx, &c.Ref, &c.URL, p.ID)
		return err
	})
	return page, err
}

// notedPage is the page that a parallel call has noted.
func notedPage(ctx context.Context, tx *store.Tx, p db.Payment) (string, error) {
	payments, err := tx.ListPaymentsOfOrder(ctx, p.OrderID)
	if err != nil {
		return "", err
	}
	for _, now := range payments {
		if now.ID == p.ID && now.PaymentURL != nil {
			return *now.PaymentURL, nil
		}
	}
	return "", fmt.Errorf("payment %s is gone", p.ID)
}

func (s *Shop) addAttempt(ctx context.Context, tx *store.Tx, o db.Order, n int, way string) error {
	key := attemptKey(o.ID, n)
	return tx.InsertPayment(ctx, db.InsertPaymentParams{
		ID: store.NewID(), OrderID: &o.ID, Attempt: &n, Provider: way, IdempotencyKey: &key,
		Amount: o.Total, Currency: o.Currency,
	})
}
