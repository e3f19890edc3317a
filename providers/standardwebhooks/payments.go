package standardwebhooks

import (
	"context"
	"net/url"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
	"onceshop/providers/call"
	"onceshop/providers/wire"
)

// largest is the greatest number that every reader of JSON holds exactly: 2^53-1.
var largest = payment.NewAmount(1<<53 - 1)

// Takes tells whether the currency is one that we know and the amount a number
// that no reader of JSON rounds: the API counts in the same minor units as we do.
func (a *Adapter) Takes(m payment.Money) bool {
	_, known := payment.Exponent(m.Currency)
	return known && m.Amount.Sign() > 0 && m.Amount.Cmp(largest) <= 0
}

// Create asks for a hosted payment. The same key again returns the same one.
// An answer that isn't about the order, amount and currency asked for is not
// passed on: the buyer would pay for something else.
func (a *Adapter) Create(ctx context.Context, c payment.Creation) (payment.Created, error) {
	const what = "create a payment"
	switch {
	case !a.Takes(payment.Money{Amount: c.Amount, Currency: c.Currency}):
		return payment.Created{}, a.api.Refused(what, "the amount or the currency can't be asked for")
	case !wire.IsSegment(c.OrderRef):
		return payment.Created{}, a.api.Refused(what, "our reference can't be one of a payment")
	}
	body := map[string]any{
		"order_ref":    c.OrderRef,
		"amount_minor": jsontext.Value(c.Amount.String()),
		"currency":     c.Currency,
		"description":  c.Description,
		"return_url":   c.ReturnURL,
		"cancel_url":   c.CancelURL,
	}
	if !c.ExpiresAt.IsZero() {
		body["expires_at"] = c.ExpiresAt.UTC().Format(time.RFC3339Nano)
	}
	var r record
	page := wire.Address()
	err := a.api.PostKeyed(ctx, call.Request{What: what, Path: "/payments"}, c.IdempotencyKey, body, wire.Members{"payment": &r, "url": &page})
	if err != nil {
		return payment.Created{}, err
	}
	s, err := r.snapshot()
	switch {
	case err != nil:
		return payment.Created{}, a.api.Unreadable(what, err.Error())
	case s.OrderRef != c.OrderRef, !s.Amount.Equal(c.Amount), s.Currency != c.Currency:
		return payment.Created{}, a.api.Unreadable(what, "is about another order, amount or currency")
	case !call.IsPage(page.S):
		return payment.Created{}, a.api.Unreadable(what, "has no url with http or https")
	}
	return payment.Created{Ref: s.Ref, URL: page.S}, nil
}

// Fetch reads the payment's current record, by our reference or the provider's.
func (a *Adapter) Fetch(ctx context.Context, ref string) (payment.Snapshot, error) {
	const what = "fetch a payment"
	path, err := a.path(what, ref)
	if err != nil {
		return payment.Snapshot{}, err
	}
	var r record
	if err := a.api.Do(ctx, call.Request{What: what, Path: path, NamesPayment: true}, &r); err != nil {
		return payment.Snapshot{}, err
	}
	s, err := r.snapshot()
	switch {
	case err != nil:
		return payment.Snapshot{}, a.api.Unreadable(what, err.Error())
	case string(r.ref) != ref && string(r.orderRef) != ref:
		return payment.Snapshot{}, a.api.Unreadable(what, "is about another payment")
	}
	return s, nil
}

// Refund gives amount of a payment back. The same key again refunds nothing more.
func (a *Adapter) Refund(ctx context.Context, idempotencyKey, ref string, amount payment.Amount, reason string) error {
	const what = "refund a payment"
	path, err := a.path(what, ref)
	switch {
	case err != nil:
		return err
	case amount.Sign() <= 0 || amount.Cmp(largest) > 0:
		return a.api.Refused(what, "the amount can't be asked for")
	}
	var f payment.Refund
	err = a.api.PostKeyed(ctx, call.Request{What: what, Path: path + "/refunds", NamesPayment: true}, idempotencyKey, map[string]any{
		"amount_minor": jsontext.Value(amount.String()),
		"reason":       reason,
	}, wire.Members{"refund": reader(func(dec *jsontext.Decoder) (err error) {
		f, err = readRefund(dec)
		return err
	})})
	switch {
	case err != nil:
		return err
	case f.Ref == "":
		return a.api.Unreadable(what, "has no refund")
	case !f.Amount.Equal(amount):
		return a.api.Unreadable(what, "is about another amount")
	case f.Status == payment.RefundFailed:
		return a.api.Refused(what, "the refund has failed")
	}
	return nil
}

// path refuses what could name another path than the payment's.
func (a *Adapter) path(what, ref string) (string, error) {
	if !wire.IsSegment(ref) {
		return "", a.api.Unknown(what, "its reference isn't one of a payment")
	}
	return "/payments/" + url.PathEscape(ref), nil
}

// reader is a value that is read by a function.
type reader func(*jsontext.Decoder) error

// Read calls it.
func (r reader) Read(dec *jsontext.Decoder) error { return r(dec) }
