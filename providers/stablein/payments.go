package stablein

import (
	"context"
	"net/url"
	"time"

	"onceshop/payment"
	"onceshop/providers/call"
	"onceshop/providers/wire"
)

// Create asks for a hosted payment. The same key again returns the same one.
// An answer that isn't about the order, amount and currency asked for is not
// passed on: the buyer would pay for something else.
func (a *Adapter) Create(ctx context.Context, c payment.Creation) (payment.Created, error) {
	const what = "create a payment"
	if !a.Takes(payment.Money{Amount: c.Amount, Currency: c.Currency}) {
		return payment.Created{}, a.api.Refused(what, "the amount isn't positive or the currency isn't a code")
	}
	body := map[string]string{
		"merchantOrderId": c.OrderRef,
		"amount":          c.Amount.String(),
		"currency":        c.Currency,
		"description":     c.Description,
		"returnUrl":       c.ReturnURL,
		"cancelUrl":       c.CancelURL,
	}
	if !c.ExpiresAt.IsZero() {
		body["expiresAt"] = c.ExpiresAt.UTC().Format(time.RFC3339Nano)
	}
	told := newAnswer()
	if err := a.api.PostKeyed(ctx, call.Request{What: what, Path: "/v1/orders"}, c.IdempotencyKey, body, &told); err != nil {
		return payment.Created{}, err
	}
	s, err := told.snapshot()
	switch {
	case err != nil:
		return payment.Created{}, a.api.Unreadable(what, err.Error())
	case s.OrderRef != "" && s.OrderRef != c.OrderRef, s.Amount.Cmp(c.Amount) != 0, s.Currency != c.Currency:
		return payment.Created{}, a.api.Unreadable(what, "is about another order, amount or currency")
	case !call.IsPage(told.paymentURL.S):
		return payment.Created{}, a.api.Unreadable(what, "has no paymentUrl with http or https")
	}
	return payment.Created{Ref: s.Ref, URL: told.paymentURL.S}, nil
}

// Fetch reads the payment's current record.
func (a *Adapter) Fetch(ctx context.Context, ref string) (payment.Snapshot, error) {
	const what = "fetch a payment"
	path, err := a.orderPath(what, ref)
	if err != nil {
		return payment.Snapshot{}, err
	}
	told := newAnswer()
	if err := a.api.Do(ctx, call.Request{What: what, Path: path, NamesPayment: true}, &told); err != nil {
		return payment.Snapshot{}, err
	}
	return a.snapshotOf(what, ref, told)
}

// Refund gives amount of a payment back. The same key again refunds nothing more.
func (a *Adapter) Refund(ctx context.Context, idempotencyKey, ref string, amount payment.Amount, reason string) error {
	const what = "refund a payment"
	path, err := a.orderPath(what, ref)
	switch {
	case err != nil:
		return err
	case amount.Sign() <= 0:
		return a.api.Refused(what, "the amount isn't positive")
	}
	body := map[string]string{"amount": amount.String(), "reason": reason}
	told := newAnswer()
	err = a.api.PostKeyed(ctx, call.Request{What: what, Path: path + "/refunds", NamesPayment: true}, idempotencyKey, body, &told)
	if err != nil {
		return err
	}
	_, err = a.snapshotOf(what, ref, told)
	return err
}

// Takes tells whether the currency has the form of one: StableIn counts in the same
// minor units as we do, and says itself which tokens it doesn't know.
func (a *Adapter) Takes(m payment.Money) bool { return isCode(m.Currency) && m.Amount.Sign() > 0 }

// orderPath refuses what could name another path than the payment's.
func (a *Adapter) orderPath(what, ref string) (string, error) {
	if !wire.IsSegment(ref) {
		return "", a.api.Unknown(what, "its reference isn't one of StableIn's")
	}
	return "/v1/orders/" + url.PathEscape(ref), nil
}
