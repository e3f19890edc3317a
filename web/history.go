package web

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"onceshop/payment"
	"onceshop/store"
	"onceshop/store/db"
	"onceshop/web/view"
)

// history puts the order's revisions and the events that changed nothing into one
// line of time, newest first (promise 12).
func history(r record) []view.Entry {
	type dated struct {
		at time.Time
		view.Entry
	}
	var all []dated
	for _, rev := range r.revisions {
		all = append(all, dated{rev.CreatedAt, revisionEntry(rev, r)})
	}
	for _, e := range r.events {
		if entry, ok := eventEntry(e, r); ok {
			all = append(all, dated{e.ReceivedAt, entry})
		}
	}
	for _, c := range r.conflicts {
		all = append(all, dated{c.LastSeenAt, conflictEntry(c, r)})
	}
	slices.SortStableFunc(all, func(a, b dated) int { return b.at.Compare(a.at) })
	entries := make([]view.Entry, len(all))
	for i, d := range all {
		entries[i] = d.Entry
	}
	return entries
}

func revisionEntry(rev db.ListOrderRevisionsRow, r record) view.Entry {
	var changes []payment.Change
	// A row that can't be read is shown without its table rather than not at all.
	_ = json.Unmarshal(rev.Changes, &changes)
	e := view.Entry{
		ID: fmt.Sprintf("r%d", rev.Revision), Kind: view.EntryChange, Revision: int(rev.Revision),
		Sentence: sentence(rev.Kind, changes, r), At: view.At(rev.CreatedAt, r.now),
		Cause: view.Cause{Source: rev.Source, Provider: whose(rev.EventProvider, r), EventID: rev.EventID, EventType: rev.EventType},
	}
	if rev.ProviderRevision != nil {
		e.Cause.ProviderRevision = rev.ProviderRevision.String()
	}
	for _, ev := range r.events {
		if rev.EventSeq != nil && ev.Seq == *rev.EventSeq && ev.Deliveries > 1 {
			e.Cause.Deliveries = ev.Deliveries
		}
	}
	printed := func(m payment.Money) string { return m.Format(locale) }
	for _, c := range payment.InMoney(changes, r.order.Currency, printed) {
		if c.Field == "reason" || c.Field == "refund_key" {
			continue // why a person gave money back is a note among colleagues, and a key for machines
		}
		v := view.Change{Field: field(c.Field), Before: value(c.Field, c.Before, r), After: value(c.Field, c.After, r)}
		if v.Before != v.After { // a new payment may be with the same provider, or due in the same second
			e.Changes = append(e.Changes, v)
		}
	}
	return e
}

// whose names the provider of an event where the order has to do with several.
func whose(provider string, r record) string {
	if provider == "" {
		return ""
	}
	for _, p := range r.payments {
		if p.Provider != provider {
			return r.way(provider).Label
		}
	}
	return ""
}

// eventEntry shows an event that changed nothing, with the reason. The applied
// ones stand at the revisions that they caused.
func eventEntry(ev db.Event, r record) (view.Entry, bool) {
	e := view.Entry{
		ID: fmt.Sprintf("e%d", ev.Seq), At: view.At(ev.ReceivedAt, r.now), Reason: store.Deref(ev.Reason),
		Cause: view.Cause{Source: string(store.FromWebhook), Provider: whose(ev.Provider, r), EventID: ev.EventID, EventType: ev.EventType},
	}
	if ev.EventRevision != nil {
		e.Cause.ProviderRevision = ev.EventRevision.String()
	}
	if ev.Deliveries > 1 {
		e.Cause.Deliveries = ev.Deliveries
	}
	verdict := payment.Verdict(store.Deref(ev.Verdict))
	switch {
	case ev.Status == "dead":
		e.Kind, e.Sentence = view.EntryRefused, "An event could not be processed; we are looking into it."
	case ev.Status != "done":
		e.Kind, e.Sentence, e.Reason = view.EntryWaiting, "An event is stored and waits to be processed.", waitReason(ev)
	case verdict == payment.Stale:
		e.Kind, e.Sentence = view.EntryStale, "A late event changed nothing."
	case verdict == payment.Unchanged:
		e.Kind, e.Sentence = view.EntryUnchanged, "An event told us what we already knew."
	case verdict == payment.Ignored:
		e.Kind, e.Sentence = view.EntryIgnored, "An event was stored and not acted on."
	case verdict == payment.NeedsReview:
		e.Kind, e.Sentence, e.Reason = view.EntryRefused, "What the provider reports does not fit this order, so a person looks at it.", reviewReason(e.Reason)
	default:
		return e, false
	}
	return e, true
}

// waitReason tells a buyer why an event waits. What exactly failed is for the staff.
func waitReason(ev db.Event) string {
	if ev.Attempts == 0 {
		return ""
	}
	return "The provider's record doesn't answer it yet; we ask again by ourselves."
}

func conflictEntry(c db.EventConflict, r record) view.Entry {
	return view.Entry{
		ID: fmt.Sprintf("c%x", c.PayloadHash[:4]), Kind: view.EntryRefused, At: view.At(c.LastSeenAt, r.now),
		Sentence: "An event was refused.",
		Reason:   "It came under the id of an event that we have, but with other content.",
		Cause:    view.Cause{Source: string(store.FromWebhook), Provider: whose(c.Provider, r), EventID: c.EventID, Deliveries: c.Seen},
	}
}
