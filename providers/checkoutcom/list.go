package checkoutcom

import (
	"context"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
	"onceshop/providers/call"
	"onceshop/providers/wire"
)

// A page is small because each payment on it costs up to three questions more.
const (
	listSize    = 25
	maxListSize = 100
)

// epoch is where lists by reference begin: older payments aren't in them.
var epoch = time.Date(2022, 6, 1, 0, 0, 0, 0, time.UTC)

// List reads one page of the payments that were attempted at since or later, and
// after them of those with a dispute that changed since then: all of them if since
// is zero. The first page has an empty cursor, the others the one returned before;
// an empty one returned was the last. A limit of 0 leaves the page's size to us.
//
// The search tells only which payments there are. Each is then read whole, with
// all attempts under its reference, so it may come on two pages, and it doesn't
// matter how far the search is behind in what it says of them.
//
// A page holds either every payment it should, or is an error: who reads a window
// back (promise 11) must not take a part of it for the whole.
func (a *Adapter) List(ctx context.Context, since time.Time, cursor string, limit int) (payments []payment.Snapshot, next string, err error) {
	const what = "list payments"
	if limit <= 0 {
		limit = listSize
	}
	limit = min(limit, maxListSize)
	var found []named
	if skip, ok := strings.CutPrefix(cursor, disputesCursor); ok {
		found, next, err = a.searchDisputes(ctx, what, since, skip, limit)
	} else {
		found, next, err = a.search(ctx, what, since, cursor, limit)
		if err == nil && next == "" && !since.IsZero() {
			next = disputesCursor + "0"
		}
	}
	if err != nil {
		return nil, "", err
	}
	if next != "" && next == cursor {
		// Following it would never end.
		return nil, "", a.api.Unreadable(what, "has the cursor it was asked with")
	}
	for _, n := range found {
		s, err := a.readNamed(ctx, what, n)
		if err != nil {
			return nil, "", err
		}
		payments = append(payments, s)
	}
	return payments, next, nil
}

// named is a payment as a list names it: attempts, and the reference that they
// have in common, if they have one.
type named struct {
	reference string
	ids       []string
}

// readNamed reads a payment that a list has named. The list by reference may be behind
// the search: what it doesn't have yet is read by its id.
func (a *Adapter) readNamed(ctx context.Context, what string, n named) (payment.Snapshot, error) {
	if n.reference == "" {
		r, err := a.record(ctx, what, n.ids[0])
		if err != nil {
			return payment.Snapshot{}, a.vanished(what, err)
		}
		return a.snapshot(ctx, what, r)
	}
	all, err := a.listed(ctx, what, n.reference)
	if err != nil {
		return payment.Snapshot{}, err
	}
	for _, id := range n.ids {
		if slices.ContainsFunc(all, func(t attempt) bool { return string(t.id) == id }) {
			continue
		}
		t, err := a.attempt(ctx, what, id)
		if err != nil {
			return payment.Snapshot{}, a.vanished(what, err)
		}
		all = append(all, t)
	}
	return a.snapshot(ctx, what, record{ref: n.reference, orderRef: n.reference, attempts: all})
}

// grouped puts attempts with one reference together, in the order in which they
// were named.
func grouped(found []named, id, reference string) []named {
	for i, n := range found {
		if reference != "" && n.reference == reference {
			found[i].ids = append(n.ids, id)
			return found
		}
	}
	return append(found, named{reference, []string{id}})
}

// search asks for the payments of a window, or for the next page of an earlier
// search, which keeps its own window.
func (a *Adapter) search(ctx context.Context, what string, since time.Time, cursor string, limit int) (found []named, next string, err error) {
	if since.IsZero() {
		since = epoch
	}
	link := wire.Address()
	list := wire.List{Each: func(dec *jsontext.Decoder) error {
		var t attempt
		err := wire.Members{"id": &t.id, "reference": &t.reference}.Read(dec)
		if err == nil && !isPaymentID(string(t.id)) {
			err = wire.Faultf("has a payment without an id")
		}
		found = grouped(found, string(t.id), t.merchant())
		return err
	}}
	page := wire.Members{"data": &list, "_links": wire.Members{"next": wire.Members{"href": &link}}}
	if cursor == "" {
		err = a.api.PostJSON(ctx, call.Request{What: what, Path: "/payments/search"}, map[string]any{
			"limit": limit, "from": instant(since), "to": instant(a.now().Add(time.Second)),
		}, page)
	} else {
		err = a.follow(ctx, what, cursor, page)
	}
	switch {
	case err != nil:
		return nil, "", err
	case !list.Given:
		return nil, "", a.api.Unreadable(what, "has no data")
	case link.S == "":
		return found, "", nil
	}
	if next = cursorOf(link.S); next == "" {
		return nil, "", a.api.Unreadable(what, "has a link to its next page that can't be followed")
	}
	return found, next, nil
}

// instant is a time as the search takes it.
func instant(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }

var searchID = regexp.MustCompile(`^[A-Za-z0-9_-]{1,200}$`)

// cursorOf keeps of a link only what names the page: wherever the link points, our
// key goes nowhere but to the API's own address.
func cursorOf(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return ""
	}
	_, id, ok := strings.Cut(u.Path, "/payments/search/")
	token := u.Query().Get("token")
	if !ok || !searchID.MatchString(id) || token == "" {
		return ""
	}
	return id + "?" + url.Values{"token": {token}}.Encode()
}

func (a *Adapter) follow(ctx context.Context, what, cursor string, into wire.Value) error {
	id, query, _ := strings.Cut(cursor, "?")
	q, err := url.ParseQuery(query)
	if err != nil || !searchID.MatchString(id) {
		return a.api.Refused(what, "the cursor isn't one of ours")
	}
	return a.api.Do(ctx, call.Request{What: what, Path: "/payments/search/" + id, Query: q}, into)
}

// disputesCursor is followed by how many disputes were read before.
const disputesCursor = "disputes:"

// searchDisputes finds payments by their disputes: they change long after the
// payment was made, and the search doesn't find it again for that.
func (a *Adapter) searchDisputes(ctx context.Context, what string, since time.Time, after string, limit int) (found []named, next string, err error) {
	skip, err := strconv.Atoi(after)
	if err != nil || skip < 0 {
		return nil, "", a.api.Refused(what, "the cursor isn't one of ours")
	}
	all, more, err := a.disputes(ctx, what, url.Values{"from": {instant(since)}}, skip, limit)
	if err != nil {
		return nil, "", err
	}
	for _, d := range all {
		found = grouped(found, string(d.paymentID), (&attempt{reference: d.reference}).merchant())
	}
	if more {
		next = disputesCursor + strconv.Itoa(skip+len(all))
	}
	return found, next, nil
}
