package stripe

import (
	"context"
	"net/url"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"onceshop/internal/ellipsis"
	"onceshop/payment"
	"onceshop/providers/call"
	"onceshop/providers/wire"
)

// Refund gives amount of a payment back: one call to find its payment intent, one for
// the refunds that it has had, one to refund it. The same key again refunds nothing
// more, however late: Stripe keeps keys for a day, so ours goes into the refund's metadata
// as well, and is looked for there. Stripe's own words for a reason (duplicate,
// fraudulent, requested_by_customer) are passed on as such, and any other text is kept
// in the metadata.
func (a *Adapter) Refund(ctx context.Context, idempotencyKey, ref string, amount payment.Amount, reason string) error {
	const what = "refund a payment"
	if err := a.api.CheckKey(what, idempotencyKey); err != nil {
		return err
	}
	if amount.Sign() <= 0 {
		return a.api.Refused(what, "the amount isn't positive")
	}
	s, err := a.find(ctx, what, ref)
	if err != nil {
		return err
	}
	code := currencyOf(s.currency.S)
	asked, err := theirs(payment.Money{Amount: amount, Currency: code})
	switch {
	case s.intent.id == "" || s.intent.received.Sign() == 0:
		return a.api.Refused(what, "nothing was received")
	case err != nil:
		return a.api.Refused(what, err.Error())
	case !call.IsUTF8(reason):
		return a.api.Refused(what, "a text isn't valid UTF-8")
	}
	if done, err := a.refundedUnder(ctx, what, s.intent.id, idempotencyKey); err != nil || done {
		return err
	}
	form := url.Values{"payment_intent": {string(s.intent.id)}, "amount": {asked.String()}, "metadata[" + refundKey + "]": {idempotencyKey}}
	if orderRef := s.orderRef(); orderRef != "" {
		form.Set("metadata[order_ref]", orderRef)
	}
	switch reason {
	case "":
	case "duplicate", "fraudulent", "requested_by_customer":
		form.Set("reason", reason)
	default:
		form.Set("metadata[reason]", ellipsis.Shorten(reason, maxMetadata))
	}
	r := newRefund()
	if err := a.post(ctx, what, "/v1/refunds", idempotencyKey, form, &r); err != nil {
		return err
	}
	done, err := r.money(code)
	switch {
	case err != nil:
		return a.api.Unreadable(what, err.Error())
	case r.intent.id != s.intent.id, !done.Equal(amount):
		return a.api.Unreadable(what, "is about another payment or amount")
	case r.state() == payment.RefundFailed:
		return a.api.Refused(what, "the refund failed")
	}
	return nil
}

// refundKey is the name in a refund's metadata under which our key stands.
const refundKey = "refund_key"

// refundedUnder tells whether the key has done its work already.
func (a *Adapter) refundedUnder(ctx context.Context, what string, intent wire.Ref, key string) (done bool, err error) {
	failed := false
	q := url.Values{"payment_intent": {string(intent)}, "limit": {strconv.Itoa(refundsPerPage)}}
	err = a.pages(ctx, what, "/v1/refunds", q, func(dec *jsontext.Decoder) (wire.Ref, error) {
		r := newRefund()
		err := r.Read(dec)
		if string(r.key) == key {
			done, failed = true, r.state() == payment.RefundFailed
		}
		return r.id, err
	})
	if err == nil && failed {
		err = a.api.Refused(what, "the refund under this key has failed")
	}
	return done, err
}

// maxMetadata is as many bytes as a value of metadata has characters at most.
const maxMetadata = 500
