package payflow

import (
	"context"
	"net/url"

	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
	"onceshop/providers/call"
	"onceshop/providers/wire"
)

// Takes tells whether it is money of the account's currency: PayFlow counts in the
// same minor units as we do, and its events name no currency.
func (a *Adapter) Takes(m payment.Money) bool { return m.Currency == a.currency && m.Amount.Sign() > 0 }

// Create asks for a hosted payment. The same key again returns the same one.
func (a *Adapter) Create(ctx context.Context, c payment.Creation) (payment.Created, error) {
	const what = "create a payment"
	switch {
	case !a.Takes(payment.Money{Amount: c.Amount, Currency: c.Currency}):
		return payment.Created{}, a.api.Refused(what, "the amount isn't positive or not in the account's currency")
	case !wire.IsSegment(c.OrderRef):
		return payment.Created{}, a.api.Refused(what, "the order's reference can't be one")
	}
	body := map[string]any{
		"orderId":     c.OrderRef,
		"amount":      jsontext.Value(c.Amount.String()),
		"currency":    c.Currency,
		"description": c.Description,
		"returnUrl":   c.ReturnURL,
		"cancelUrl":   c.CancelURL,
	}
	if !c.ExpiresAt.IsZero() {
		body["expireBy"] = c.ExpiresAt.Unix()
	}
	var orderID, shortURL wire.Text
	err := a.api.PostKeyed(ctx, call.Request{What: what, Path: "/payment_links"}, c.IdempotencyKey, body,
		wire.Members{"orderId": &orderID, "shortUrl": &shortURL})
	switch {
	case err != nil:
		return payment.Created{}, err
	case orderID.S != c.OrderRef:
		return payment.Created{}, a.api.Unreadable(what, "is about another order")
	case !call.IsPage(shortURL.S):
		return payment.Created{}, a.api.Unreadable(what, "has no shortUrl with http or https")
	}
	return payment.Created{Ref: c.OrderRef, URL: shortURL.S}, nil
}

// Fetch reads the payment's current record.
func (a *Adapter) Fetch(ctx context.Context, ref string) (payment.Snapshot, error) {
	const what = "fetch a payment"
	if !wire.IsSegment(ref) {
		return payment.Snapshot{}, a.api.Unknown(what, "its reference can't be one")
	}
	var r record
	if err := a.api.Do(ctx, call.Request{What: what, Path: path(ref), NamesPayment: true}, &r); err != nil {
		return payment.Snapshot{}, err
	}
	s, err := r.snapshot()
	switch {
	case err != nil:
		return payment.Snapshot{}, a.api.Unreadable(what, err.Error())
	case s.Ref != ref:
		return payment.Snapshot{}, a.api.Unreadable(what, "is about another payment")
	}
	return s, nil
}

// Refund gives amount of a payment back. The same key again refunds nothing more.
// PayFlow takes no reason.
func (a *Adapter) Refund(ctx context.Context, idempotencyKey, ref string, amount payment.Amount, _ string) error {
	const what = "refund a payment"
	switch {
	case !wire.IsSegment(ref):
		return a.api.Unknown(what, "its reference can't be one")
	case amount.Sign() <= 0:
		return a.api.Refused(what, "the amount isn't positive")
	}
	var p part
	err := a.api.PostKeyed(ctx, call.Request{What: what, Path: path(ref) + "/refund", NamesPayment: true}, idempotencyKey,
		map[string]any{"amount": jsontext.Value(amount.String())}, &p)
	switch {
	case err != nil:
		return err
	case p.id == "" || !p.amount.Equal(amount):
		return a.api.Unreadable(what, "is about another amount")
	case p.status.S == "failed":
		return a.api.Refused(what, "the refund has failed")
	}
	return nil
}

func path(ref string) string { return "/payments/" + url.PathEscape(ref) }
