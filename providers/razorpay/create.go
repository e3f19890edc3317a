package razorpay

import (
	"context"
	"errors"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"onceshop/internal/ellipsis"
	"onceshop/payment"
	"onceshop/providers/call"
	"onceshop/providers/wire"
)

const (
	// Bytes; Razorpay says characters, which are never more.
	maxReference   = 40
	maxDescription = 2048
	// A link has to live for 15 minutes when Razorpay reads the request, and for six
	// months at most.
	minLife = 16 * time.Minute
	maxLife = 180 * 24 * time.Hour
)

// Create asks for a payment link: a hosted page that ends when it is paid. Razorpay
// has no idempotency key for links, but takes each reference once: if it refuses
// ours as used, the link that has it is returned. An answer that isn't about the
// order, amount and currency asked for is not passed on: the buyer would pay for
// something else.
//
// The page has no way back but the payment, so CancelURL goes nowhere.
func (a *Adapter) Create(ctx context.Context, c payment.Creation) (payment.Created, error) {
	const what = "create a payment"
	body, err := a.creation(c)
	if err != nil {
		return payment.Created{}, a.api.Refused(what, err.Error())
	}
	var link linkEntity
	err = a.api.PostJSON(ctx, call.Request{What: what, Path: "/payment_links"}, body, whole{&link})
	known := errors.Is(err, payment.ErrRefused)
	if known {
		link, err = a.known(ctx, what, c.OrderRef, err)
	}
	if err != nil {
		return payment.Created{}, err
	}
	ours, err := units.From(link.amount.Amount, link.currency.S)
	switch same := err == nil && ours.Equal(c.Amount) && link.currency.S == c.Currency; {
	case known && !same:
		return payment.Created{}, a.api.Refused(what, "its reference has been used for another amount or currency")
	case !same, string(link.referenceID) != c.OrderRef:
		return payment.Created{}, a.api.Unreadable(what, "is about another order, amount or currency")
	case !call.IsPage(link.shortURL.S):
		return payment.Created{}, a.api.Unreadable(what, "has no short_url with http or https")
	}
	return payment.Created{Ref: c.OrderRef, URL: link.shortURL.S}, nil
}

// known is the link that has the reference already. Without one the refusal was
// for something else, unless it says so itself: then the list is behind.
func (a *Adapter) known(ctx context.Context, what, ref string, refusal error) (linkEntity, error) {
	link, err := a.link(ctx, what, "reference_id", ref)
	e := (*call.Error)(nil)
	switch {
	case errors.Is(err, payment.ErrLater):
		return linkEntity{}, err
	case link != nil:
		return *link, nil
	case errors.As(refusal, &e) && e.Code() == referenceUsed:
		return linkEntity{}, a.api.Unreadable(what, "doesn't list the link that has the reference")
	}
	return linkEntity{}, refusal
}

// creation is the body of the request. Razorpay refuses names it doesn't know.
func (a *Adapter) creation(c payment.Creation) (map[string]any, error) {
	asked, err := theirs(payment.Money{Amount: c.Amount, Currency: c.Currency})
	switch {
	case err != nil:
		return nil, err
	case !wire.IsRef(c.OrderRef) || len(c.OrderRef) > maxReference:
		return nil, errors.New("the order's reference is empty, too long or has blanks around it")
	case !call.IsUTF8(c.Description, c.ReturnURL):
		return nil, errors.New("a text isn't valid UTF-8")
	}
	now := a.api.Now()
	body := map[string]any{
		"amount":          jsontext.Value(asked.String()),
		"currency":        c.Currency,
		"accept_partial":  false,
		"reference_id":    c.OrderRef,
		"reminder_enable": false,
		"notify":          map[string]bool{"sms": false, "email": false},
		"notes":           map[string]string{orderRefNote: c.OrderRef},
	}
	if c.Description != "" {
		body["description"] = ellipsis.Shorten(c.Description, maxDescription)
	}
	if !c.ExpiresAt.IsZero() {
		end := c.ExpiresAt
		if soonest, latest := now.Add(minLife), now.Add(maxLife); end.Before(soonest) {
			end = soonest
		} else if end.After(latest) {
			end = latest
		}
		body["expire_by"] = end.Unix()
	}
	if c.ReturnURL != "" {
		body["callback_url"], body["callback_method"] = c.ReturnURL, "get"
	}
	return body, nil
}
