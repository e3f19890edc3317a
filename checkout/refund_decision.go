package checkout

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"onceshop/internal/ellipsis"
	"onceshop/payment"
	"onceshop/store"
	"onceshop/store/db"
)

// decision is a refund that a person has decided, as the history tells of it. However
// often it is decided, it goes out under one key and with one reason: providers refuse
// other words under a key that they know.
type decision struct {
	amount payment.Amount
	key    string
	reason string
	at     time.Time      // when it was first asked for
	told   payment.Amount // what had been told of by then: see told
	seen   payment.Amount // and when it was last
	open   int            // requests of which nobody knows what became
	taken  bool           // the provider has taken it
	untold payment.Amount // how much of it isn't told of yet: see await
	// refusals are the provider's of this amount so far, those of earlier decisions
	// included.
	refusals int
}

// refused notes what became of one request. The provider's own refusal ends the decision,
// unless it was taken before, or another request under its key may still come to something
// and nothing was told of since. Who isn't let in learns nothing of the others.
func (d *decision) refused(byProvider bool) {
	if byProvider {
		d.refusals++
	}
	if d.open == 0 {
		return // another one was taken meanwhile
	}
	d.open--
	if byProvider && d.seen.Cmp(d.told) > 0 {
		d.open = 0
	}
}

// isOpen tells whether deciding as much is deciding it once more: nobody knows what became
// of it, or the provider has taken it and not told of all of it yet.
func (d *decision) isOpen() bool { return d.open > 0 || d.untold.Sign() > 0 }

// The rows of the history about decisions, and those of their fields that are read again.
const (
	refundRequested = "refund_requested"
	refundTaken     = "refund_taken"
	refundRefused   = "refund_refused"

	refundAsked = "refund_asked"
	refundOf    = "attempt"
	refundWhy   = "reason"
	// The key of a request, and before it what had been told of by then. In a refusal it
	// says that the provider hasn't looked at the refund.
	refundUnder = "refund_key"
)

// refundEntry is such a row.
func refundEntry(kind string, r RefundRequest, p db.Payment, more ...payment.Change) store.Entry {
	changes := []payment.Change{{Field: refundAsked, After: r.Amount.String()}, {Field: refundOf, After: strconv.Itoa(*p.Attempt)}}
	if r.Reason != "" {
		changes = append(changes, payment.Change{Field: refundWhy, After: r.Reason})
	}
	return store.Entry{Kind: kind, Source: store.FromStaff, Actor: r.Actor, Changes: append(changes, more...)}
}

// maxWhy is how much of a reason is kept, and sent.
const maxWhy = 200

func shortReason(s string) string { return ellipsis.Shorten(strings.ToValidUTF8(s, "�"), maxWhy) }

// decisions are those about a payment, the oldest first.
func decisions(ctx context.Context, q *db.Queries, p db.Payment) (all []*decision, err error) {
	revisions, err := q.ListOrderRevisions(ctx, *p.OrderID)
	if err != nil {
		return nil, err
	}
	for _, rev := range slices.Backward(revisions) {
		if !strings.HasPrefix(rev.Kind, "refund_") {
			continue
		}
		var changes []payment.Change
		if err := json.Unmarshal(rev.Changes, &changes); err != nil {
			return nil, fmt.Errorf("revision %d of the order: %w", rev.Revision, err)
		}
		said := map[string]payment.Change{}
		for _, c := range changes {
			said[c.Field] = c
		}
		amount, err := payment.ParseAmount(said[refundAsked].After)
		if err != nil || said[refundOf].After != strconv.Itoa(*p.Attempt) {
			continue // of another payment, or nobody's decision
		}
		d := newest(all, amount)
		switch {
		case rev.Kind == refundRequested:
			told, _ := payment.ParseAmount(said[refundUnder].Before)
			if key := said[refundUnder].After; d == nil || d.key != key {
				refusals := refusalsOf(d)
				d = &decision{amount: amount, key: key, reason: said[refundWhy].After, at: rev.CreatedAt, told: told, refusals: refusals}
				all = append(all, d)
			}
			d.open, d.seen = d.open+1, told
		case d == nil:
		case rev.Kind == refundTaken:
			d.open, d.taken = 0, true
		case rev.Kind == refundRefused:
			_, unsure := said[refundUnder]
			d.refused(!unsure)
		}
	}
	return all, nil
}

// refusalsOf is how often the provider has refused this much; d is the newest decision.
func refusalsOf(d *decision) int {
	if d == nil {
		return 0
	}
	return d.refusals
}

// newest is the last decision about so much; nil: there was none.
func newest(all []*decision, amount payment.Amount) *decision {
	for _, d := range slices.Backward(all) {
		if d.amount.Equal(amount) {
			return d
		}
	}
	return nil
}

// told is how much of a payment's money the provider has told of as given back, wherever
// it is now, or as a refund that came to nothing. It only grows.
func told(p db.Payment, refunds []db.Refund) payment.Amount {
	var failed payment.Amount
	for _, f := range refunds {
		if f.Status == payment.RefundFailed {
			failed = failed.Add(f.Amount)
		}
	}
	if failed.Cmp(p.Reversed) < 0 {
		failed = p.Reversed
	}
	return p.Refunded.Add(failed)
}

// await finds out how much of each decision isn't told of yet. Providers don't say which
// request a refund comes from: what is told of more is that one's of just as much, or
// else the oldest one's that waits.
func await(all []*decision, now payment.Amount) {
	var waiting []*decision
	var known payment.Amount
	tell := func(told payment.Amount) {
		more := told.Sub(known)
		if i := slices.IndexFunc(waiting, func(d *decision) bool { return d.untold.Equal(more) }); i >= 0 {
			waiting[i].untold, more = payment.Amount{}, payment.Amount{}
		}
		for _, d := range waiting {
			part := d.untold
			if part.Cmp(more) > 0 {
				part = more
			}
			part = part.OrZero()
			d.untold, more = d.untold.Sub(part), more.Sub(part)
		}
		known = told
	}
	for _, d := range all {
		tell(d.told)
		if d.open > 0 || d.taken {
			d.untold = d.amount
			waiting = append(waiting, d)
		}
	}
	tell(now)
}

// refundKey is short and plain enough for every provider's header. A refusal changes it:
// providers repeat their first answer to a key, whatever has been put right meanwhile.
func refundKey(p db.Payment, told, amount payment.Amount, refusals int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "refund:%s:%s:%s:%d", p.ID, told, amount, refusals))
	return "refund-" + hex.EncodeToString(sum[:16])
}
