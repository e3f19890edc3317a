package razorpay

import (
	"context"
	"net/url"
	"strconv"
	"strings"
	"time"

	"onceshop/payment"
	"onceshop/providers/wire"
)

// stages are the lists that together tell of everything that changed: a payment's
// own list has it where it began, and a refund or a dispute may come months later.
var stages = [...]string{"/payments", "/refunds", "/disputes"}

// cursor is a place in those lists. The end is fixed when the reading begins: the
// newest come first, and new ones would push others to the next page.
type cursor struct {
	end         int64
	stage, skip int
}

func (c cursor) String() string {
	return strconv.FormatInt(c.end, 10) + "." + strconv.Itoa(c.stage) + "." + strconv.Itoa(c.skip)
}

func parseCursor(s string) (c cursor, ok bool) {
	parts := strings.Split(s, ".")
	if len(parts) != 3 {
		return c, false
	}
	end, err1 := strconv.ParseInt(parts[0], 10, 64)
	stage, err2 := strconv.Atoi(parts[1])
	skip, err3 := strconv.Atoi(parts[2])
	c = cursor{end, stage, skip}
	return c, err1 == nil && err2 == nil && err3 == nil && stage >= 0 && stage < len(stages) && skip >= 0
}

// List reads one page of the payments that were tried, refunded or disputed at
// since or later: all of them if since is zero. The first page has an empty cursor,
// the others the one returned before; an empty one returned was the last. A limit
// of 0 means ten records, a hundred is the most.
//
// A page may name a payment that an earlier one named, and may be empty before the
// last. It holds either every payment it should, or is an error: who reads a window
// back (promise 11) must not take a part of it for the whole.
//
// A page costs one call, and one for disputes if anything on it was captured. A payment
// that has an order costs three more, or four if its link doesn't name that order; each
// attempt that was captured one for its refunds; and each that is listed for a refund or
// a dispute one to be read.
func (a *Adapter) List(ctx context.Context, since time.Time, from string, limit int) (payments []payment.Snapshot, next string, err error) {
	const what = "list payments"
	at := cursor{end: a.api.Now().Unix()}
	if from != "" {
		var ok bool
		if at, ok = parseCursor(from); !ok {
			return nil, "", a.api.Refused(what, "the cursor isn't one of ours")
		}
	}
	if limit <= 0 {
		limit = 10
	}
	limit = min(limit, pageSize)
	q := url.Values{"to": {strconv.FormatInt(at.end, 10)}, "count": {strconv.Itoa(limit)}, "skip": {strconv.Itoa(at.skip)}}
	if !since.IsZero() {
		q.Set("from", strconv.FormatInt(since.Unix(), 10))
	}
	changed, n, err := a.changed(ctx, what, stages[at.stage], q)
	if err != nil {
		return nil, "", err
	}
	if payments, err = a.snapshots(ctx, what, changed); err != nil {
		return nil, "", err
	}
	switch {
	case n >= limit:
		at.skip += n
	case at.stage+1 < len(stages):
		at.stage, at.skip = at.stage+1, 0
	default:
		return payments, "", nil
	}
	return payments, at.String(), nil
}

// changed reads n records of a list and returns the payments they are about.
func (a *Adapter) changed(ctx context.Context, what, stage string, q url.Values) (payments []paymentEntity, n int, err error) {
	var ids []string
	switch stage {
	case "/payments":
		payments, err = some[paymentEntity](ctx, a, what, stage, "items", q)
		return payments, len(payments), err
	case "/refunds":
		refunds, err := some[refundEntity](ctx, a, what, stage, "items", q)
		if err != nil {
			return nil, 0, err
		}
		for _, r := range refunds {
			ids = append(ids, string(r.paymentID))
		}
	default:
		disputes, err := some[disputeEntity](ctx, a, what, stage, "items", q)
		if err != nil {
			return nil, 0, err
		}
		for _, d := range disputes {
			ids = append(ids, string(d.paymentID))
		}
	}
	seen := map[string]bool{}
	for _, id := range ids {
		if seen[id] {
			continue
		}
		seen[id] = true
		p, err := one[paymentEntity](ctx, a, what, "/payments/", id)
		if err != nil {
			return nil, 0, err
		}
		payments = append(payments, p)
	}
	return payments, len(ids), nil
}

// snapshots puts attempts of one order into one snapshot, and asks for disputes once.
func (a *Adapter) snapshots(ctx context.Context, what string, changed []paymentEntity) (payments []payment.Snapshot, err error) {
	var pages []*page
	var attempts []paymentEntity
	seen := map[wire.LenientText]bool{}
	for _, attempt := range changed {
		if attempt.orderID != "" && seen[attempt.orderID] {
			continue
		}
		seen[attempt.orderID] = true
		p, err := a.pageOfPayment(ctx, what, attempt)
		if err != nil {
			return nil, err
		}
		pages, attempts = append(pages, p), append(attempts, p.attempts...)
	}
	disputes, err := a.disputes(ctx, what, attempts)
	if err != nil {
		return nil, err
	}
	for _, p := range pages {
		p.disputes = disputes
		s, err := a.snapshot(ctx, what, p)
		if err != nil {
			return nil, err
		}
		payments = append(payments, s)
	}
	return payments, nil
}
