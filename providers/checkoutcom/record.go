package checkoutcom

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strconv"

	"onceshop/payment"
	"onceshop/providers/call"
	"onceshop/providers/wire"
)

// record is all that Checkout.com has under one reference: the attempts that were
// made on a hosted page, the newest first.
type record struct {
	ref      string // what the shop knows the payment by
	orderRef string // "" for an attempt that has no reference and stands alone
	attempts []attempt
	disputes []dispute
}

// record finds the attempts of a payment that is named by our reference or by
// the id of one of them.
func (a *Adapter) record(ctx context.Context, what, ref string) (record, error) {
	switch {
	case !wire.IsRef(ref):
		return record{}, a.api.Unknown(what, "its reference isn't one of ours or Checkout.com's")
	case !isPaymentID(ref):
		return a.under(ctx, what, ref)
	}
	t, err := a.attempt(ctx, what, ref)
	if err != nil {
		return record{}, err
	}
	if t.merchant() == "" {
		return record{ref: ref, attempts: []attempt{t}}, nil
	}
	return a.under(ctx, what, t.merchant(), t)
}

// under finds all attempts under a reference. The known ones were read by their
// ids and count even where the list is behind and doesn't have them yet.
func (a *Adapter) under(ctx context.Context, what, reference string, known ...attempt) (record, error) {
	all, err := a.listed(ctx, what, reference)
	if err != nil {
		return record{}, err
	}
	for _, k := range known {
		if i := slices.IndexFunc(all, func(t attempt) bool { return t.id == k.id }); i >= 0 {
			all[i] = k
		} else {
			all = append([]attempt{k}, all...)
		}
	}
	if len(all) == 0 {
		return record{}, a.api.Unknown(what, "no payment was attempted on its page yet")
	}
	return record{ref: reference, orderRef: reference, attempts: all}, nil
}

// attempt reads one payment by its id.
func (a *Adapter) attempt(ctx context.Context, what, id string) (attempt, error) {
	t := newAttempt()
	if err := a.api.Do(ctx, call.Request{What: what, Path: paymentPath(id), NamesPayment: true}, &t); err != nil {
		return t, err
	}
	if string(t.id) != id {
		return t, a.api.Unreadable(what, "is about another payment")
	}
	return t, nil
}

func paymentPath(id string) string { return "/payments/" + url.PathEscape(id) }

const (
	pageSize = 100
	// maxAttempts is far above what one hosted page can see.
	maxAttempts = 300
)

// listed reads the payments that have exactly this reference. None is no error.
func (a *Adapter) listed(ctx context.Context, what, reference string) (all []attempt, err error) {
	for skip := 0; ; {
		var total wire.Integer
		page, err := a.listPage(ctx, what, reference, skip, &total)
		if err != nil {
			return nil, err
		}
		for _, t := range page {
			// The page may have moved on while it was read; what matches in part
			// only is another payment.
			if t.reference.S == reference && !slices.ContainsFunc(all, func(o attempt) bool { return o.id == t.id }) {
				all = append(all, t)
			}
		}
		skip += len(page)
		switch more := !total.Given || total.Cmp(payment.NewAmount(int64(skip))) > 0; {
		case !more, !total.Given && len(page) < pageSize:
			return all, nil
		case len(page) == 0:
			return nil, a.api.Unreadable(what, "has fewer payments than it says")
		case skip >= maxAttempts:
			return nil, a.api.Unreadable(what, "has more payments under one reference than a hosted page can see")
		}
	}
}

func (a *Adapter) listPage(ctx context.Context, what, reference string, skip int, total *wire.Integer) (page []attempt, err error) {
	list := wire.List{Each: each(&page, newAttempt)}
	err = a.api.Do(ctx, call.Request{What: what, Path: "/payments", NamesPayment: true, Query: url.Values{
		"reference": {reference}, "limit": {strconv.Itoa(pageSize)}, "skip": {strconv.Itoa(skip)},
	}}, wire.Members{"total_count": total, "data": &list})
	switch {
	case errors.Is(err, payment.ErrNotFound):
		return nil, nil
	case err != nil:
		return nil, err
	case !list.Given:
		return nil, a.api.Unreadable(what, "has no data")
	case slices.ContainsFunc(page, func(t attempt) bool { return !t.reference.Given }):
		return nil, a.api.Unreadable(what, "has a payment without the reference that it was listed for")
	}
	return page, nil
}

// fill asks for what lists leave out of an attempt that captured money: its
// balances, where they aren't there, and its refunds.
func (a *Adapter) fill(ctx context.Context, what string, t *attempt) error {
	if !t.hasMoney() && t.balances.captured.Sign() == 0 {
		return nil
	}
	if !t.balances.told() {
		full, err := a.attempt(ctx, what, string(t.id))
		if err != nil {
			return a.vanished(what, err)
		}
		*t = full
	}
	actions, err := a.actions(ctx, what, string(t.id))
	if err != nil {
		return a.vanished(what, err)
	}
	t.take(actions)
	return nil
}

// vanished keeps a payment that Checkout.com has just told of from being taken
// for one that it doesn't know.
func (a *Adapter) vanished(what string, err error) error {
	if errors.Is(err, payment.ErrNotFound) {
		return a.api.Unreadable(what, "names a payment that isn't found")
	}
	return err
}
