package checkoutcom

import (
	"context"
	"net/url"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
	"onceshop/providers/call"
	"onceshop/providers/wire"
)

// dispute is Checkout.com's record of one.
type dispute struct {
	id, paymentID wire.Ref
	reference     wire.Text
	status        wire.Word
	category      wire.LenientText
	amount        whole
	currency      wire.Word
}

func newDispute() dispute {
	return dispute{status: wire.Word{Max: 64}, currency: wire.Currency()}
}

func (d *dispute) Read(dec *jsontext.Decoder) error {
	err := wire.Members{
		"id":                &d.id,
		"payment_id":        &d.paymentID,
		"payment_reference": &d.reference,
		"status":            &d.status,
		"category":          &d.category,
		"amount":            &d.amount,
		"currency":          &d.currency,
	}.Read(dec)
	switch {
	case err != nil:
		return err
	case d.id == "" || d.paymentID == "":
		return wire.Faultf("has a dispute without an id or a payment")
	case !d.amount.Given:
		return wire.Faultf("has a dispute without an amount")
	}
	return nil
}

// state says how a dispute stands. One that was accepted, or whose time to answer
// ran out, is lost; one in a state that we don't know is open.
func (d *dispute) state() payment.DisputeStatus {
	switch d.status.S {
	case "won", "resolved", "canceled", "cancelled", "arbitration_won":
		return payment.DisputeWon
	case "lost", "accepted", "expired", "arbitration_lost":
		return payment.DisputeLost
	}
	return payment.DisputeOpen
}

// maxDisputes is the longest page of disputes, and far above what one payment has.
const maxDisputes = 250

// disputed reads a record's disputes. Nothing that wasn't captured is disputed.
func (a *Adapter) disputed(ctx context.Context, what string, r *record) error {
	q := url.Values{"payment_reference": {r.orderRef}}
	if r.orderRef == "" {
		q = url.Values{"payment_id": {r.ref}}
	}
	all, more, err := a.disputes(ctx, what, q, 0, maxDisputes)
	if err != nil {
		return err
	}
	if more {
		return a.api.Unreadable(what, "has more disputes than a payment can have")
	}
	for _, d := range all {
		// What was found by a reference is ours if it has just that one.
		if d.reference.S == r.orderRef || slices.ContainsFunc(r.attempts, func(t attempt) bool { return t.id == d.paymentID }) {
			r.disputes = append(r.disputes, d)
		}
	}
	return nil
}

// disputes reads a part of the account's disputes, those that changed last first,
// and whether there are more behind it.
func (a *Adapter) disputes(ctx context.Context, what string, q url.Values, skip, limit int) (all []dispute, more bool, err error) {
	q.Set("limit", strconv.Itoa(limit))
	q.Set("skip", strconv.Itoa(skip))
	var total wire.Integer
	list := wire.List{Each: each(&all, newDispute)}
	err = a.api.Do(ctx, call.Request{What: what, Path: "/disputes", Query: q}, wire.Members{"total_count": &total, "data": &list})
	if err != nil {
		return nil, false, err
	}
	more = len(all) >= limit
	if total.Given {
		more = total.Cmp(payment.NewAmount(int64(skip+len(all)))) > 0
	}
	switch {
	case !list.Given && !total.Given:
		return nil, false, a.api.Unreadable(what, "has no data")
	case more && len(all) == 0:
		return nil, false, a.api.Unreadable(what, "has fewer disputes than it says")
	}
	return all, more, nil
}
