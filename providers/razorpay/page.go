package razorpay

import (
	"cmp"
	"context"
	"strings"

	"onceshop/payment"
	"onceshop/providers/wire"
)

// page is what Razorpay knows of one hosted page: a link, the order behind it, and
// every attempt to pay it. To the shop it is one payment.
type page struct {
	ref      string
	orderRef wire.LenientText
	amount   wire.Integer // in Razorpay's units
	paid     wire.Integer // what has been captured, as the link or the order says
	currency string
	status   string // the link's; empty where there is none
	attempts []paymentEntity
	hasOrder bool
	refunds  []refundEntity // of what was captured
	disputes []disputeEntity
}

// find resolves a reference: ours, or an id of a payment, order or link.
func (a *Adapter) find(ctx context.Context, what, ref string) (*page, error) {
	switch {
	case !wire.IsRef(ref):
		return nil, a.api.Unknown(what, "its reference isn't one of Razorpay's or ours")
	case strings.HasPrefix(ref, paymentPrefix):
		p, err := one[paymentEntity](ctx, a, what, "/payments/", ref)
		if err != nil {
			return nil, err
		}
		return a.pageOfPayment(ctx, what, p)
	case strings.HasPrefix(ref, orderPrefix):
		o, err := one[orderEntity](ctx, a, what, "/orders/", ref)
		if err != nil {
			return nil, err
		}
		return a.pageOfOrder(ctx, what, o)
	case strings.HasPrefix(ref, linkPrefix):
		l, err := one[linkEntity](ctx, a, what, "/payment_links/", ref)
		if err != nil {
			return nil, err
		}
		return a.pageOfLink(ctx, what, l, "", nil)
	}
	return a.pageOfReference(ctx, what, ref)
}

func (a *Adapter) pageOfReference(ctx context.Context, what, ref string) (*page, error) {
	link, err := a.link(ctx, what, "reference_id", ref)
	if err != nil {
		return nil, err
	}
	if link != nil {
		return a.pageOfLink(ctx, what, *link, "", nil)
	}
	orders, err := a.ordersWith(ctx, what, ref)
	switch {
	case err != nil:
		return nil, err
	case len(orders) == 0:
		return nil, a.api.Unknown(what, "no link and no order has its reference")
	case len(orders) > 1:
		return nil, a.api.Unreadable(what, "has several orders with one receipt")
	}
	attempts, err := a.attempts(ctx, what, string(orders[0].id))
	if err != nil {
		return nil, err
	}
	return orderPage(orders[0], attempts, wire.LenientText(ref)), nil
}

func (a *Adapter) pageOfPayment(ctx context.Context, what string, p paymentEntity) (*page, error) {
	if p.orderID == "" {
		return &page{
			ref: string(p.id), orderRef: p.notes.orderRef, amount: p.amount, currency: p.currency.S, attempts: []paymentEntity{p},
		}, nil
	}
	o, err := one[orderEntity](ctx, a, what, "/orders/", string(p.orderID))
	if err != nil {
		return nil, err
	}
	return a.pageOfOrder(ctx, what, o)
}

// pageOfOrder looks for the link that the order belongs to.
func (a *Adapter) pageOfOrder(ctx context.Context, what string, o orderEntity) (*page, error) {
	attempts, err := a.attempts(ctx, what, string(o.id))
	if err != nil {
		return nil, err
	}
	ref := o.notes.orderRef
	for _, p := range attempts {
		ref = cmp.Or(ref, p.notes.orderRef)
	}
	ref = cmp.Or(ref, o.receipt)
	var link *linkEntity
	switch {
	case ref != "":
		link, err = a.link(ctx, what, "reference_id", string(ref))
	case len(attempts) > 0:
		link, err = a.link(ctx, what, "payment_id", string(attempts[0].id))
	}
	switch {
	case err != nil:
		return nil, err
	case link == nil:
		return orderPage(o, attempts, ref), nil
	case link.orderID != "" && string(link.orderID) != string(o.id):
		// Paid outside of the page that we asked for: a payment of its own.
		p := orderPage(o, attempts, ref)
		p.ref = string(o.id)
		return p, nil
	}
	return a.pageOfLink(ctx, what, *link, string(o.id), attempts)
}

func orderPage(o orderEntity, attempts []paymentEntity, ref wire.LenientText) *page {
	return &page{
		ref: cmp.Or(string(ref), string(o.id)), orderRef: ref, amount: o.amount, paid: o.paid, currency: o.currency.S,
		attempts: attempts, hasOrder: true,
	}
}

// pageOfLink collects the attempts. A link that names no order may have one all
// the same: expired and cancelled ones are documented without, and money can still
// arrive for them. The order's receipt is the link's reference then. attempts are
// those of the order with the id known, if one is known to be the link's.
func (a *Adapter) pageOfLink(ctx context.Context, what string, l linkEntity, known string, attempts []paymentEntity) (*page, error) {
	ref := cmp.Or(l.referenceID, l.notes.orderRef)
	ids := []string{string(l.orderID)}
	if l.orderID == "" {
		ids = nil
		if known != "" {
			ids = append(ids, known)
		}
		if ref != "" {
			orders, err := a.ordersWith(ctx, what, string(ref))
			if err != nil {
				return nil, err
			}
			for _, o := range orders {
				if string(o.id) != known {
					ids = append(ids, string(o.id))
				}
			}
		}
	}
	p := &page{
		ref: cmp.Or(string(ref), string(l.id)), orderRef: ref, amount: l.amount, paid: l.paid, currency: l.currency.S, status: l.status.S, hasOrder: true,
	}
	for _, id := range ids {
		if id == known {
			p.attempts = append(p.attempts, attempts...)
			continue
		}
		more, err := a.attempts(ctx, what, id)
		if err != nil {
			return nil, err
		}
		p.attempts = append(p.attempts, more...)
	}
	return p, nil
}

// isCaptured tells whether the money has arrived. A payment that was given back
// before it was captured never did.
func (p *paymentEntity) isCaptured() bool {
	return p.status.S == "captured" || p.status.S == "refunded" && p.captured.True
}

// captured are the attempts that brought money.
func (p *page) captured() (all []paymentEntity) {
	for _, attempt := range p.attempts {
		if attempt.isCaptured() {
			all = append(all, attempt)
		}
	}
	return all
}

// Fetch reads the payment's current record: ref is what Create returned, or the id
// of a payment, order or link.
func (a *Adapter) Fetch(ctx context.Context, ref string) (payment.Snapshot, error) {
	const what = "fetch a payment"
	p, err := a.find(ctx, what, ref)
	if err != nil {
		return payment.Snapshot{}, err
	}
	if p.disputes, err = a.disputes(ctx, what, p.attempts); err != nil {
		return payment.Snapshot{}, err
	}
	return a.snapshot(ctx, what, p)
}

// snapshot reads the refunds and puts all together.
func (a *Adapter) snapshot(ctx context.Context, what string, p *page) (payment.Snapshot, error) {
	for _, attempt := range p.captured() {
		refunds, err := a.refunds(ctx, what, attempt)
		if err != nil {
			return payment.Snapshot{}, err
		}
		p.refunds = append(p.refunds, refunds...)
	}
	s, err := p.snapshot()
	if err != nil {
		return payment.Snapshot{}, a.api.Unreadable(what, err.Error())
	}
	return s, nil
}
