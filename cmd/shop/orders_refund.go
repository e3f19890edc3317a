package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"onceshop/app"
	"onceshop/checkout"
	"onceshop/config"
	"onceshop/payment"
	"onceshop/problem"
	"onceshop/store"
	"onceshop/store/db"
)

type ordersRefund struct {
	actor
	Number  string `arg:"" help:"The order's number: OS-XXXXX-XXXXX."`
	Amount  string `help:"How much, in the order's currency: 10.50." placeholder:"10.50" xor:"amount"`
	All     bool   `help:"All that the payment still holds and that isn't asked for yet." xor:"amount"`
	Payment int    `help:"Which of the order's payments, as orders show counts them. Default: the one that paid it." placeholder:"N"`
	Reason  string `help:"Why, for colleagues: kept in the history, and not shown to the buyer. The provider is told as far as it asks." placeholder:"TEXT"`
}

// Validate is asked by the parser: nothing said must not mean all of it.
func (cmd *ordersRefund) Validate() error {
	if cmd.Amount == "" && !cmd.All {
		return errors.New("say how much to give back: --amount 10.50, or --all for what the payment still holds")
	}
	return nil
}

// Run decides a refund and asks the payment's provider for it. The decision is in the
// order's history before the provider hears of it; what came of it is audited, also
// where somebody has lost patience with the provider.
func (cmd *ordersRefund) Run(s *session) error {
	return s.withDB(func(c *config.Config, d *store.DB) error {
		o, err := s.findOrder(d, cmd.Number)
		if err != nil {
			return err
		}
		p, err := cmd.payment(s.ctx, d, o)
		if err != nil {
			return err
		}
		amount, err := cmd.amount(s.ctx, d, o, p)
		if err != nil {
			return err
		}
		a, err := app.New(s.ctx, c, app.Deps{Log: s.logger(c), Version: version(), DB: d})
		if err != nil {
			return err
		}
		done, refusal := a.Shop.Refund(s.ctx, checkout.RefundRequest{
			OrderID: o.ID, Attempt: cmd.Payment, Amount: amount, Reason: cmd.Reason, Actor: cmd.name(),
		})
		ctx := context.WithoutCancel(s.ctx)
		done.Order.Currency = o.Currency // also of a refusal, after which there is no order
		said, err := cmd.outcome(ctx, d, clockOf(c), done, p, amount, refusal)
		err = errors.Join(err, a.Close(), d.InTx(ctx, func(tx *store.Tx) error {
			return audit(ctx, tx, cmd.name(), "refund order", o.Number, said)
		}))
		if refusal == nil {
			fmt.Fprintf(s.stdout, "order %s: %s\nit is %s, refund %s, delivery %s\n",
				o.Number, said, done.Order.PaymentStatus, done.Order.RefundStatus, done.Order.FulfillmentStatus)
		}
		return errors.Join(refusal, err)
	})
}

// payment is the one that money is to be given back of: named, or the one that paid
// the order. Where there is none, checkout says so.
func (cmd *ordersRefund) payment(ctx context.Context, d *store.DB, o db.Order) (db.Payment, error) {
	payments, err := d.ListPaymentsOfOrder(ctx, &o.ID)
	if err != nil {
		return db.Payment{}, err
	}
	for _, p := range payments {
		if cmd.Payment == 0 && o.PaidBy != nil && *o.PaidBy == p.ID || cmd.Payment != 0 && p.Attempt != nil && *p.Attempt == cmd.Payment {
			return p, nil
		}
	}
	return db.Payment{}, nil
}

// amount is how much was said. All of it is what isn't asked for yet; where that is
// nothing, it is what was asked for last and isn't known of: it may have got lost.
func (cmd *ordersRefund) amount(ctx context.Context, d *store.DB, o db.Order, p db.Payment) (amount payment.Amount, err error) {
	if !cmd.All {
		if amount, err = payment.ParseMajor(o.Currency, cmd.Amount); err != nil {
			err = fmt.Errorf("--amount %w", err)
		}
		return amount, err
	}
	if p.ID == "" {
		return amount, nil // checkout says why
	}
	can, err := checkout.ReturnableOf(ctx, d.Queries, p)
	if err != nil || can.Left.Amount.Sign() > 0 {
		return can.Left.Amount, err
	}
	amount, ok := can.Again()
	if !ok {
		err = can.Refusal()
	}
	return amount, err
}

// outcome words what came of a refund. Where the payment's record doesn't show it yet,
// the provider tells of it later. The order is as the refund has found or left it: it may
// have been paid since the command began.
func (cmd *ordersRefund) outcome(ctx context.Context, d *store.DB, at clock, done checkout.Decided, before db.Payment, amount payment.Amount, refusal error) (string, error) {
	money := payment.Money{Amount: amount, Currency: done.Order.Currency}.String()
	same := ""
	if !done.Since.IsZero() {
		same = ", the same refund as was asked for at " + at.at(done.Since)
	}
	switch {
	case problem.KindOf(refusal) == problem.Unavailable:
		return money + " asked for" + same + ", without an answer", nil
	case refusal != nil:
		return "refused: " + refusal.Error(), nil
	}
	now, err := cmd.payment(ctx, d, done.Order)
	if err != nil {
		return money + " asked for" + same, err
	}
	can, err := checkout.ReturnableOf(ctx, d.Queries, now)
	told := now.Refunded.Cmp(before.Refunded) > 0 ||
		same != "" && !slices.ContainsFunc(can.Asked, func(a checkout.Asked) bool { return a.Since.Equal(done.Since) })
	if !told {
		return money + " asked for" + same + "; the provider will tell by webhook when it is given back", err
	}
	said := fmt.Sprintf("%s given back%s, %s of the payment left", money, same, can.Left)
	if why := can.Why(); why != "" {
		said += "; " + why
	}
	return said, err
}
