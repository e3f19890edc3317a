package checkoutcom

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"onceshop/internal/ellipsis"
	"onceshop/payment"
	"onceshop/providers/call"
	"onceshop/providers/wire"
)

// The longest texts that Checkout.com takes.
const (
	maxReference   = 50
	maxDescription = 100
	maxReason      = 100
)

// Create asks for a hosted page. There is no idempotency key for it, so the request
// is sent once, and not at all if somebody has tried to pay under the reference:
// the page that he did it on can't be had again, and a second one could be paid
// besides it. What this guards against and what it can't, the package's
// documentation says.
func (a *Adapter) Create(ctx context.Context, c payment.Creation) (payment.Created, error) {
	const what = "create a payment"
	asked, err := theirs(payment.Money{Amount: c.Amount, Currency: c.Currency})
	switch {
	case err != nil:
		return payment.Created{}, a.api.Refused(what, err.Error())
	case !wire.IsPlain(c.OrderRef, maxReference) || isPaymentID(c.OrderRef):
		return payment.Created{}, a.api.Refused(what, "the order's reference isn't one of 1 to 50 bytes")
	case !call.IsUTF8(c.Description, c.ReturnURL, c.CancelURL):
		return payment.Created{}, a.api.Refused(what, "a text isn't valid UTF-8")
	case a.country == "":
		return payment.Created{}, a.api.Refused(what, "no billing country is set")
	}
	body := map[string]any{
		"amount":      jsontext.Value(asked.String()),
		"currency":    c.Currency,
		"reference":   c.OrderRef,
		"billing":     map[string]any{"address": map[string]string{"country": a.country}},
		"success_url": c.ReturnURL,
		"failure_url": c.ReturnURL,
		"cancel_url":  c.CancelURL,
		"metadata":    map[string]string{"order_ref": c.OrderRef},
		"capture":     true,
	}
	if c.Description != "" {
		body["description"] = ellipsis.Shorten(c.Description, maxDescription)
	}
	if a.channel != "" {
		body["processing_channel_id"] = a.channel
	}
	switch tried, err := a.listed(ctx, what, c.OrderRef); {
	case err != nil:
		return payment.Created{}, err
	case len(tried) > 0:
		return payment.Created{}, a.api.Refused(what, "somebody has tried to pay under this reference, on a page that can't be had again")
	}
	var reference wire.Text
	page := wire.Address()
	err = a.api.PostJSON(ctx, call.Request{What: what, Path: "/hosted-payments", Once: true}, body, wire.Members{
		"reference": &reference,
		"_links":    wire.Members{"redirect": wire.Members{"href": &page}},
	})
	switch {
	case err != nil:
		return payment.Created{}, err
	case reference.Given && reference.S != c.OrderRef:
		return payment.Created{}, a.api.Unreadable(what, "is about another order")
	case !call.IsPage(page.S):
		return payment.Created{}, a.api.Unreadable(what, "has no page with http or https to send the buyer to")
	}
	return payment.Created{Ref: c.OrderRef, URL: page.S}, nil
}

// Refund gives amount of a payment back, from the attempt that captured it: the
// oldest that holds enough. The same key again refunds nothing more, however late:
// it goes into the refund's metadata, and is looked for there before anything is
// asked for. One that was declined has refunded nothing, and is asked for anew.
func (a *Adapter) Refund(ctx context.Context, idempotencyKey, ref string, amount payment.Amount, why string) error {
	const what = "refund a payment"
	if err := a.api.CheckKey(what, idempotencyKey); err != nil {
		return err
	}
	if amount.Sign() <= 0 {
		return a.api.Refused(what, "the amount isn't positive")
	}
	r, err := a.record(ctx, what, ref)
	if err != nil {
		return err
	}
	var from *attempt
	var asked payment.Amount
	declined := 0
	for i := range r.attempts {
		t := &r.attempts[i]
		if err := a.fill(ctx, what, t); err != nil {
			return err
		}
		for _, c := range t.refunds {
			switch {
			case string(c.key) != idempotencyKey:
			case c.refund().Status == payment.RefundFailed:
				declined++
			default:
				return nil // asked for before
			}
		}
		if asked, err = theirs(payment.Money{Amount: amount, Currency: t.currency.S}); err != nil {
			return a.api.Refused(what, err.Error())
		}
		if t.balances.holds().Cmp(asked) >= 0 {
			from = t
		}
	}
	if from == nil {
		return a.api.Refused(what, "no attempt holds that much")
	}
	return a.refund(ctx, what, idempotencyKey, declined, from, asked, why)
}

// refund asks under a key that changes with every refund that was declined under ours:
// the answer to an earlier request would only be repeated.
func (a *Adapter) refund(ctx context.Context, what, key string, declined int, from *attempt, asked payment.Amount, why string) error {
	metadata := map[string]string{refundKey: key}
	if why != "" {
		metadata["reason"] = ellipsis.Shorten(why, maxReason)
	}
	request := call.Request{What: what, Path: paymentPath(string(from.id)) + "/refunds", NamesPayment: true}
	if declined > 0 {
		key += "-" + strconv.Itoa(declined)
	}
	var id wire.Ref
	err := a.api.PostKeyed(ctx, request, key, map[string]any{"amount": jsontext.Value(asked.String()), "metadata": metadata},
		wire.Members{"action_id": &id})
	var answer *call.Error
	if errors.As(err, &answer) && answer.Status() == http.StatusForbidden {
		// Here it isn't our key that is refused: the payment can't be refunded.
		return a.api.Refused(what, strings.TrimSpace("status 403 "+answer.Code()))
	}
	if err == nil && id == "" {
		err = a.api.Unreadable(what, "has no action_id")
	}
	return err
}
