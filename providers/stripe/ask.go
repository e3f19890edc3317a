package stripe

import (
	"context"
	"net/http"
	"net/url"

	"github.com/go-json-experiment/json/jsontext"

	"onceshop/providers/call"
	"onceshop/providers/wire"
)

// maxPages bounds a list that is read to its end: no payment has so many refunds.
const maxPages = 20

// get asks for something that has to be there if the payment is, and reads the
// answer.
func (a *Adapter) get(ctx context.Context, what, path string, q url.Values, into wire.Value) error {
	return a.api.Do(ctx, call.Request{What: what, Path: path, Query: q, NamesPayment: true}, into)
}

// post sends a form under a key: the same key again is answered with what the first
// request came to, and other values under it are refused.
func (a *Adapter) post(ctx context.Context, what, path, key string, form url.Values, into wire.Value) error {
	if err := a.api.CheckKey(what, key); err != nil {
		return err
	}
	return a.api.Do(ctx, call.Request{
		What: what, Method: http.MethodPost, Path: path, Key: key, Body: []byte(form.Encode()), NamesPayment: path != sessionsPath,
		Header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"},
	}, into)
}

// listing is one page of a list.
type listing struct {
	items wire.List
	more  wire.Bool
}

func (l *listing) Read(dec *jsontext.Decoder) error {
	return wire.Members{"data": &l.items, "has_more": &l.more}.Read(dec)
}

// page reads one page. each reads an item and returns its id, which is where the
// next page begins; the last one of the page is returned if there are more.
func (a *Adapter) page(ctx context.Context, what, path string, q url.Values, each func(*jsontext.Decoder) (wire.Ref, error)) (next wire.Ref, err error) {
	p := listing{items: wire.List{Each: func(dec *jsontext.Decoder) (err error) {
		next, err = each(dec)
		return err
	}}}
	// Only a list of sessions is asked for before the payment is known to be there.
	r := call.Request{What: what, Path: path, Query: q, NamesPayment: path == sessionsPath && q.Has("payment_intent")}
	if err := a.api.Do(ctx, r, &p); err != nil {
		return "", err
	}
	switch {
	case !p.items.Given:
		return "", a.api.Unreadable(what, "has no data")
	case !p.more.Given:
		return "", a.api.Unreadable(what, "has no has_more")
	case !p.more.True:
		return "", nil
	case next == "" || string(next) == q.Get("starting_after"):
		// Following it would never end.
		return "", a.api.Unreadable(what, "has more pages and doesn't tell where they begin")
	}
	return next, nil
}

// pages reads a list to its end: a part of it is never taken for the whole.
func (a *Adapter) pages(ctx context.Context, what, path string, q url.Values, each func(*jsontext.Decoder) (wire.Ref, error)) error {
	for range maxPages {
		next, err := a.page(ctx, what, path, q, each)
		if err != nil || next == "" {
			return err
		}
		q.Set("starting_after", string(next))
	}
	return a.api.Unreadable(what, "has more pages than can be right")
}
