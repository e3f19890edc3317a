package stripe

import (
	"context"
	"net/url"
	"strconv"
	"strings"
	"time"

	"onceshop/payment"
	"onceshop/providers/call"
	"onceshop/providers/wire"
)

// Create asks for a Checkout Session of one line. The same key again returns the
// same one; Stripe keeps keys for a day at least, and repeats failures as well. An
// answer that isn't about the order, amount and currency asked for is not passed
// on: the buyer would pay for something else.
func (a *Adapter) Create(ctx context.Context, c payment.Creation) (payment.Created, error) {
	const what = "create a payment"
	asked, err := theirs(payment.Money{Amount: c.Amount, Currency: c.Currency})
	if err != nil {
		return payment.Created{}, a.api.Refused(what, err.Error())
	}
	if !wire.IsRef(c.OrderRef) {
		return payment.Created{}, a.api.Refused(what, "the order has no reference")
	}
	if c.Description == "" {
		c.Description = c.OrderRef // a line has to have a name
	}
	if !call.IsUTF8(c.OrderRef, c.Description, c.ReturnURL, c.CancelURL) {
		return payment.Created{}, a.api.Refused(what, "a text isn't valid UTF-8")
	}
	form := url.Values{
		"mode":                {"payment"},
		"client_reference_id": {c.OrderRef},
		"metadata[order_ref]": {c.OrderRef},
		"payment_intent_data[metadata][order_ref]":      {c.OrderRef},
		"line_items[0][quantity]":                       {"1"},
		"line_items[0][price_data][currency]":           {strings.ToLower(c.Currency)},
		"line_items[0][price_data][unit_amount]":        {asked.String()},
		"line_items[0][price_data][product_data][name]": {c.Description},
	}
	for name, page := range map[string]string{"success_url": c.ReturnURL, "cancel_url": c.CancelURL} {
		if page != "" {
			form.Set(name, page)
		}
	}
	if ends, ok := endOfPage(c.ExpiresAt, a.api.Now()); ok {
		form.Set("expires_at", strconv.FormatInt(ends, 10))
	}
	s := newSession()
	if err := a.post(ctx, what, sessionsPath, c.IdempotencyKey, form, &s); err != nil {
		return payment.Created{}, err
	}
	switch {
	case s.id == "" || !strings.HasPrefix(string(s.id), "cs_"):
		return payment.Created{}, a.api.Unreadable(what, "has no id of a session")
	case s.live.Given && s.live.True != a.live:
		return payment.Created{}, a.api.Unreadable(what, "is of the other mode, test or live")
	case string(s.clientReference) != c.OrderRef, !s.total.Given, s.total.Cmp(asked) != 0, currencyOf(s.currency.S) != c.Currency:
		return payment.Created{}, a.api.Unreadable(what, "is about another order, amount or currency")
	case !call.IsPage(s.url.S):
		return payment.Created{}, a.api.Unreadable(what, "has no url with http or https")
	}
	return payment.Created{Ref: string(s.id), URL: s.url.S}, nil
}

// A page is open for half an hour at least and a day at most. The slack is for
// clocks that differ and requests that take their time.
const (
	shortest = 30 * time.Minute
	longest  = 24 * time.Hour
	slack    = time.Minute
)

// endOfPage is when the page ends, if that has to be said: without a word it ends
// after the longest time. An end that is too early is moved by half hours until it
// isn't, rather than to the earliest that is taken: a repetition under the same
// key has to ask for the same. One that falls into the next half hour doesn't, and is
// payment.ErrKeyUsed if the first was carried out.
func endOfPage(wanted, now time.Time) (unix int64, ok bool) {
	if wanted.IsZero() || wanted.After(now.Add(longest-slack)) {
		return 0, false
	}
	earliest := now.Add(shortest + slack)
	if late := earliest.Sub(wanted); late > 0 {
		wanted = wanted.Add((late + shortest - 1) / shortest * shortest)
	}
	return wanted.Unix(), true
}
