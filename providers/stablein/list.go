package stablein

import (
	"context"
	"net/url"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
	"onceshop/providers/call"
	"onceshop/providers/wire"
)

// List reads one page of the payments that changed at since or later: all of
// them if since is zero. The first page has an empty cursor, the others the one
// returned before; an empty one returned was the last. A limit of 0 leaves the
// page's size to StableIn.
//
// A page holds either every payment it should, or is an error: who reads a
// window back (promise 11) must not take a part of it for the whole.
func (a *Adapter) List(ctx context.Context, since time.Time, cursor string, limit int) (payments []payment.Snapshot, next string, err error) {
	const what = "list payments"
	p := page{name: "orders", items: wire.List{Each: func(dec *jsontext.Decoder) error {
		o := newOrder()
		if err := o.Read(dec); err != nil {
			return err
		}
		s, err := o.snapshot()
		payments = append(payments, s)
		return err
	}}}
	q := url.Values{}
	if limit > 0 {
		q.Set("limit", strconv.Itoa(limit))
	}
	if err := a.page(ctx, what, "/v1/orders", "updatedSince", since, cursor, q, &p); err != nil {
		return nil, "", err
	}
	return payments, p.next.S, nil
}

// Events reads one page of the events that happened at since or later, as List
// reads payments. They carry no signature: what vouches for them is the call.
//
// An event's fingerprint is taken of its bytes as the page holds them. They are
// the delivered ones if the API puts them in unchanged, which StableIn doesn't
// promise: compare listed events with delivered ones by id.
func (a *Adapter) Events(ctx context.Context, since time.Time, cursor string) (events []payment.Event, next string, err error) {
	const what = "list events"
	p := page{name: "events", items: wire.List{Each: func(dec *jsontext.Decoder) error {
		raw, err := dec.ReadValue()
		if err != nil {
			return wire.Syntax(dec, err)
		}
		e, err := readEvent(raw)
		events = append(events, e)
		return err
	}}}
	if err := a.page(ctx, what, "/v1/events", "since", since, cursor, url.Values{}, &p); err != nil {
		return nil, "", err
	}
	return events, p.next.S, nil
}

func (a *Adapter) page(ctx context.Context, what, path, sinceName string, since time.Time, cursor string, q url.Values, p *page) error {
	if !since.IsZero() {
		q.Set(sinceName, since.UTC().Format(time.RFC3339Nano))
	}
	if cursor != "" {
		q.Set("cursor", cursor)
	}
	p.next = wire.Word{Max: 1024}
	switch err := a.api.Do(ctx, call.Request{What: what, Path: path, Query: q}, p); {
	case err != nil:
		return err
	case !p.items.Given:
		return a.api.Unreadable(what, "has no "+p.name)
	case p.next.S != "" && p.next.S == cursor:
		// Following it would never end.
		return a.api.Unreadable(what, "has the cursor it was asked with")
	}
	return nil
}

// page is one part of a list.
type page struct {
	name  string
	items wire.List
	next  wire.Word
}

func (p *page) Read(dec *jsontext.Decoder) error {
	return wire.Members{p.name: &p.items, "nextCursor": &p.next}.Read(dec)
}
