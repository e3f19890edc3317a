package payflow

import (
	"context"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
	"onceshop/providers/call"
	"onceshop/providers/wire"
)

const (
	usualPage = 10
	maxPage   = 100
)

// List reads one page of the payments that changed at since or later: all of them
// if since is zero. The first page has an empty cursor, the others the one returned
// before; an empty one returned was the last. A limit of 0 means ten payments, a
// hundred is the most.
//
// A payment that changes while pages are read moves to the end. The next page
// begins with the second in which the last one ended, so that nobody's move makes
// another be passed over; a payment may therefore be on two pages. A page holds
// every payment it should, or is an error: who reads a window back (promise 11)
// must not take a part of it for the whole.
func (a *Adapter) List(ctx context.Context, since time.Time, cursor string, limit int) (payments []payment.Snapshot, next string, err error) {
	const what = "list payments"
	from, skip := max(since.Unix(), 0), 0
	if cursor != "" {
		var ok bool
		if from, skip, ok = parseCursor(cursor); !ok {
			return nil, "", a.api.Refused(what, "the cursor isn't one of ours")
		}
	}
	if limit <= 0 {
		limit = usualPage
	}
	limit = min(limit, maxPage)
	last := from
	items := wire.List{Each: func(dec *jsontext.Decoder) error {
		var r record
		if err := r.Read(dec); err != nil {
			return err
		}
		s, err := r.snapshot()
		switch {
		case err != nil:
			return err
		case !r.updatedAt.Given || r.updatedAt.Unix() < last:
			return wire.Faultf("isn't in order of updatedAt")
		}
		last = r.updatedAt.Unix()
		payments = append(payments, s)
		return nil
	}}
	err = a.api.Do(ctx, call.Request{What: what, Path: "/payments", Query: url.Values{
		"from": {strconv.FormatInt(from, 10)}, "count": {strconv.Itoa(limit)}, "skip": {strconv.Itoa(skip)},
	}}, wire.Members{"items": &items})
	switch {
	case err != nil:
		return nil, "", err
	case !items.Given:
		return nil, "", a.api.Unreadable(what, "has no items")
	case len(payments) < limit:
		return payments, "", nil
	case last == from:
		return payments, format(from, skip+len(payments)), nil
	}
	return payments, format(last, 0), nil
}

func format(from int64, skip int) string {
	return strconv.FormatInt(from, 10) + "." + strconv.Itoa(skip)
}

func parseCursor(s string) (from int64, skip int, ok bool) {
	before, after, ok := strings.Cut(s, ".")
	from, err1 := strconv.ParseInt(before, 10, 64)
	skip, err2 := strconv.Atoi(after)
	return from, skip, ok && err1 == nil && err2 == nil && from >= 0 && skip >= 0
}
