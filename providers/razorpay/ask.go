package razorpay

import (
	"context"
	"errors"
	"net/url"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"onceshop/providers/call"
	"onceshop/providers/wire"
)

// entity is one of Razorpay's records.
type entity[T any] interface {
	*T
	wire.Value
	check() error // what of it is missing
}

// named is one that is told by its id.
type named[T any] interface {
	entity[T]
	ref() wire.Ref
}

// one reads the record with that id.
func one[T any, E named[T]](ctx context.Context, a *Adapter, what, folder, id string) (record T, err error) {
	err = a.api.Do(ctx, call.Request{What: what, Path: folder + url.PathEscape(id), NamesPayment: true}, whole{E(&record)})
	if refusal := (*call.Error)(nil); errors.As(err, &refusal) && refusal.Code() == noSuchID {
		return record, a.api.Unknown(what, "there is no such id")
	}
	if err == nil && string(E(&record).ref()) != id {
		err = a.api.Unreadable(what, "is about another record")
	}
	return record, err
}

// whole is a record that nothing may be missing of.
type whole struct {
	record interface {
		wire.Value
		check() error
	}
}

func (w whole) Read(dec *jsontext.Decoder) error {
	if err := w.record.Read(dec); err != nil {
		return err
	}
	return w.record.check()
}

// some reads one list of records. It holds all of them or is an error.
func some[T any, E entity[T]](ctx context.Context, a *Adapter, what, path, name string, q url.Values) (records []T, err error) {
	list := wire.List{Each: func(dec *jsontext.Decoder) error {
		var record T
		err := whole{E(&record)}.Read(dec)
		records = append(records, record)
		return err
	}}
	switch err := a.api.Do(ctx, call.Request{What: what, Path: path, Query: q}, wire.Members{name: &list}); {
	case err != nil:
		return nil, err
	case !list.Given:
		return nil, a.api.Unreadable(what, "has no "+name)
	}
	return records, nil
}

const (
	pageSize = 100 // Razorpay's own limit
	maxPages = 20  // who has more than that to read has to look at it
)

// all reads a list from its first page to its last. The newest come first: one that is
// made meanwhile isn't read, and pushes another to the next page, where it would count
// twice.
func all[T any, E named[T]](ctx context.Context, a *Adapter, what, path string, q url.Values) (records []T, err error) {
	seen := map[wire.Ref]bool{}
	for n := range maxPages {
		q.Set("count", strconv.Itoa(pageSize))
		q.Set("skip", strconv.Itoa(n*pageSize))
		page, err := some[T, E](ctx, a, what, path, "items", q)
		if err != nil {
			return nil, err
		}
		for i := range page {
			id := E(&page[i]).ref()
			if seen[id] {
				return nil, a.api.Unreadable(what, "moved on while it was read")
			}
			seen[id] = true
		}
		records = append(records, page...)
		if len(page) < pageSize {
			return records, nil
		}
	}
	return nil, a.api.Unreadable(what, "doesn't end after 2000 records")
}

// attempts are the payments of an order.
func (a *Adapter) attempts(ctx context.Context, what, orderID string) ([]paymentEntity, error) {
	return some[paymentEntity](ctx, a, what, "/orders/"+url.PathEscape(orderID)+"/payments", "items", nil)
}

// link returns the payment link with that reference, or of that payment; nil: none.
func (a *Adapter) link(ctx context.Context, what, by, value string) (*linkEntity, error) {
	links, err := some[linkEntity](ctx, a, what, "/payment_links", "payment_links", url.Values{by: {value}})
	if err != nil {
		return nil, err
	}
	var found *linkEntity
	for _, l := range links {
		switch {
		case by == "reference_id" && string(l.referenceID) != value:
			continue // a search that finds more than was asked for
		case found != nil:
			return nil, a.api.Unreadable(what, "has several payment links where there can be one")
		}
		found = &l
	}
	return found, nil
}

// ordersWith are the orders that have the receipt.
func (a *Adapter) ordersWith(ctx context.Context, what, receipt string) ([]orderEntity, error) {
	found, err := some[orderEntity](ctx, a, what, "/orders", "items", url.Values{"receipt": {receipt}})
	if err != nil {
		return nil, err
	}
	var orders []orderEntity
	for _, o := range found {
		if string(o.receipt) == receipt {
			orders = append(orders, o)
		}
	}
	return orders, nil
}

// refunds are those of one payment.
func (a *Adapter) refunds(ctx context.Context, what string, p paymentEntity) ([]refundEntity, error) {
	refunds, err := all[refundEntity](ctx, a, what, "/payments/"+url.PathEscape(string(p.id))+"/refunds", url.Values{})
	if err != nil {
		return nil, err
	}
	for _, r := range refunds {
		if r.paymentID != p.id {
			return nil, a.api.Unreadable(what, "has a refund of another payment")
		}
	}
	return refunds, nil
}

// disputes are those that can be about these payments: Razorpay can't be asked by
// payment, but a dispute is younger than what it is about.
func (a *Adapter) disputes(ctx context.Context, what string, payments []paymentEntity) ([]disputeEntity, error) {
	q := url.Values{}
	var oldest *wire.Seconds
	for _, p := range payments {
		switch {
		case !p.isCaptured():
			continue
		case !p.createdAt.Given:
			return nil, a.api.Unreadable(what, "has a payment without created_at")
		case oldest == nil || p.createdAt.Before(oldest.Time):
			oldest = &p.createdAt
		}
	}
	if oldest == nil {
		return nil, nil
	}
	q.Set("from", strconv.FormatInt(oldest.Unix(), 10))
	return all[disputeEntity](ctx, a, what, "/disputes", q)
}
