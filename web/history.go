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
		if entry, ok := eventEntry(e, r.now); ok {
			all = append(all, dated{e.ReceivedAt, entry})
		}
	}
	for _, c := range r.conflicts {
		all = append(all, dated{c.LastSeenAt, conflictEntry(c, r.now)})
	}
	slices.SortStableFunc(all, func(a, b dated) int { return b.at.Compare(a.at) })
	entries := make([]view.Entry, len(all))
	for i, d := range all {
		entries[i] = d.Entry
	}
	return entries
}

func revisionEntry(rev db.ListOrderRevisionsRow, r record) view.Entry {
	e := view.Entry{
		ID: fmt.Sprintf("r%d", rev.Revision), Kind: view.EntryChange, Revision: int(rev.Revision),
		Sentence: sentence(rev.Kind), At: view.At(rev.CreatedAt, r.now),
		Cause: view.Cause{Source: rev.Source, EventID: rev.EventID, EventType: rev.EventType},
	}
	if rev.ProviderRevision != nil {
		e.Cause.ProviderRevision = rev.ProviderRevision.String()
	}
	for _, ev := range r.events {
		if rev.EventSeq != nil && ev.Seq == *rev.EventSeq && ev.Deliveries > 1 {
			e.Cause.Deliveries = ev.Deliveries
		}
	}
	var changes []payment.Change
	// A row that can't be read is shown without its table rather than not at all.
	_ = json.Unmarshal(rev.Changes, &changes)
	for _, c := range changes {
		e.Changes = append(e.Changes, view.Change{Field: field(c.Field), Before: value(c.Field, c.Before, r.order), After: value(c.Field, c.After, r.order)})
	}
	return e
}

// eventEntry shows an event that changed nothing, with the reason. The applied
// ones stand at the revisions that they caused.
func eventEntry(ev db.Event, now time.Time) (view.Entry, bool) {
	e := view.Entry{
		ID: fmt.Sprintf("e%d", ev.Seq), At: view.At(ev.ReceivedAt, now), Reason: store.Deref(ev.Reason),
		Cause: view.Cause{Source: string(store.FromWebhook), EventID: ev.EventID, EventType: ev.EventType},
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
	case verdict == payment.NeedsReview:
		e.Kind, e.Sentence, e.Reason = view.EntryRefused, "What the provider reports does not fit this order, so a person looks at it.", value("review_reason", e.Reason, db.Order{})
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

func conflictEntry(c db.EventConflict, now time.Time) view.Entry {
	return view.Entry{
		ID: fmt.Sprintf("c%x", c.PayloadHash[:4]), Kind: view.EntryRefused, At: view.At(c.LastSeenAt, now),
		Sentence: "An event was refused.",
		Reason:   "It came under the id of an event that we have, but with other content.",
		Cause:    view.Cause{Source: string(store.FromWebhook), EventID: c.EventID, Deliveries: c.Seen},
	}
}

// sentence words a kind of change for the buyer.
func sentence(kind string) string {
	switch kind {
	case "placed":
		return "Order placed."
	case "payment_retried":
		return "A new payment was started."
	case "payment_pending":
		return "Waiting for the payment."
	case "payment_confirming":
		return "The payment was seen and is being confirmed."
	case "payment_paid":
		return "Paid in full."
	case "payment_failed":
		return "The payment failed."
	case "payment_expired", "expired":
		return "The time to pay ran out."
	case "cancelled":
		return "The order was cancelled."
	case "reopened":
		return "The cancellation was taken back."
	case "received":
		return "Money arrived."
	case "surplus":
		return "More arrived than was asked for."
	case "refunded":
		return "Money was sent back."
	case "review":
		return "The payment is under review."
	case "review_over":
		return "The review is over."
	case "risk":
		return "The provider assessed the risk of this payment."
	case "withheld":
		return "The delivery is held back."
	case "delivered":
		return "Delivered."
	case "mail_refused":
		return "The mail could not be delivered."
	case "mail_sent":
		return "The mail was delivered."
	}
	return "The payment's details changed."
}

// field names a column for people.
func field(name string) string {
	switch name {
	case "payment_status":
		return "Payment"
	case "refund_status":
		return "Refund"
	case "received_amount", "received":
		return "Received"
	case "refunded_amount", "refunded":
		return "Refunded"
	case "surplus_amount":
		return "Paid too much"
	case "fulfillment_status":
		return "Delivery"
	case "review_reason":
		return "Review"
	case "fulfillment_decision":
		return "Decision"
	case "service_status":
		return "Merchant service"
	case "chain_enforcement":
		return "Chain enforcement"
	case "risk_valid_until":
		return "Assessment valid until"
	case "risk_assessed_at":
		return "Assessed"
	case "provider_ref":
		return "Provider reference"
	case "confirmations":
		return "Confirmations"
	case "licenses":
		return "Licenses"
	case "licenses_revoked":
		return "Licenses revoked"
	case "blocked_by":
		return "Held back by"
	case "mail_refusal":
		return "Because"
	case "mail_refused_at":
		return "Mail refused"
	case "cancelled_at":
		return "Cancelled"
	case "expires_at":
		return "To be paid until"
	case "attempt":
		return "Payment no."
	case "amount":
		return "Amount"
	case "currency":
		return "Currency"
	case "provider_revision":
		return "Provider revision"
	}
	return name
}

// value words a field's content for people: amounts with their currency, times in
// UTC, codes in words.
func value(name, v string, o db.Order) string {
	switch name {
	case "received_amount", "refunded_amount", "surplus_amount", "received", "refunded", "amount":
		if a, err := payment.ParseAmount(v); err == nil {
			return price(a, o.Currency)
		}
	case "risk_valid_until", "risk_assessed_at", "mail_refused_at", "cancelled_at", "expires_at":
		if t, err := time.Parse(time.RFC3339Nano, v); err == nil {
			return t.UTC().Format("2 Jan 2006, 15:04:05") + " UTC"
		}
	case "review_reason":
		return reviewReason(v)
	}
	return v
}

func reviewReason(code string) string {
	switch code {
	case payment.AmountMismatch:
		return "not the amount that was asked for"
	case payment.CurrencyMismatch:
		return "not the currency that was asked for"
	case payment.RefundExceedsPayment:
		return "more was sent back than ever arrived"
	case payment.ImpossibleChange:
		return "the provider reports a step backwards"
	case payment.UnknownStatus:
		return "the provider uses a word that we don't know"
	case "paid_after_cancellation":
		return "money arrived after the order was cancelled"
	}
	return code
}
