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
	q := url.Values{}
	if !since.IsZero() {
		q.Set("updatedSince", since.UTC().Format(time.RFC3339Nano))
	}
	if cursor != "" {
		q.Set("cursor", cursor)
	}
	if limit > 0 {
		q.Set("limit", strconv.Itoa(limit))
	}
	orders := wire.List{Each: func(dec *jsontext.Decoder) error {
		o := newOrder()
		if err := o.Read(dec); err != nil {
			return err
		}
		s, err := o.snapshot()
		payments = append(payments, s)
		return err
	}}
	after := wire.Word{Max: 1024}
	err = a.api.Do(ctx, call.Request{What: what, Path: "/v1/orders", Query: q}, wire.Members{"orders": &orders, "nextCursor": &after})
	switch {
	case err != nil:
		return nil, "", err
	case !orders.Given:
		return nil, "", a.api.Unreadable(what, "has no orders")
	case after.S != "" && after.S == cursor:
		// Following it would never end.
		return nil, "", a.api.Unreadable(what, "has the cursor it was asked with")
	}
	return payments, after.S, nil
}
