package stripe

import (
	"context"
	"net/url"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
	"onceshop/providers/wire"
)

// maxPage is how many sessions are asked for at once at most. Stripe gives a
// hundred; with intent and charge each has some 15 kB, and answers end at 1 MiB.
const maxPage = 30

// List reads one page of the payments whose sessions were created at since or
// later, newest first: all of them if since is zero. Stripe doesn't list by
// change, so what happens later to an older payment isn't found here; events tell
// of it, and Fetch. The first page has an empty cursor, the others the one returned
// before; an empty one returned was the last. A limit of 0 leaves the page's size
// to Stripe, which is 10; above 30 it is 30. Sessions of subscriptions and of cards
// put on file are left out, so a page may be short, or empty, and not the last.
//
// A page costs one call, and two more for each of its payments that was captured:
// the refunds and disputes of a payment are lists of their own.
//
// A page holds either every payment it should, or is an error: who reads a
// window back (promise 11) must not take a part of it for the whole.
func (a *Adapter) List(ctx context.Context, since time.Time, cursor string, limit int) (payments []payment.Snapshot, next string, err error) {
	const what = "list payments"
	q := url.Values{"expand[]": {expandEach}}
	if !since.IsZero() {
		q.Set("created[gte]", strconv.FormatInt(since.Unix(), 10))
	}
	if limit > 0 {
		q.Set("limit", strconv.Itoa(min(limit, maxPage)))
	}
	if cursor != "" {
		q.Set("starting_after", cursor)
	}
	var found []session
	last, err := a.page(ctx, what, sessionsPath, q, func(dec *jsontext.Decoder) (wire.Ref, error) {
		s := newSession()
		if err := s.Read(dec); err != nil {
			return "", err
		}
		if err := s.check(a.live); err != nil {
			return "", err
		}
		if s.single() {
			found = append(found, s)
		}
		return s.id, nil
	})
	if err != nil {
		return nil, "", err
	}
	for i := range found {
		p, err := a.snapshot(ctx, what, &found[i])
		if err != nil {
			return nil, "", err
		}
		payments = append(payments, p)
	}
	return payments, string(last), nil
}
