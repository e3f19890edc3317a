package webhooks

import (
	"fmt"
	"slices"

	"onceshop/checkout"
	"onceshop/lease"
	"onceshop/payment"
	"onceshop/store/db"
)

// work is one payment's events, held against its snapshot.
type work struct {
	ready, ahead         []db.Event
	readyHeld, aheadHeld []lease.Lease
}

// sortOut parts the events that the snapshot answers from those that it is behind
// of: for these it isn't applied, they wait until it has caught up (promise 4).
func sortOut(events []db.Event, held []lease.Lease, s payment.Snapshot) work {
	var w work
	for i, e := range events {
		if isAhead(e, held[i], s) {
			w.ahead, w.aheadHeld = append(w.ahead, e), append(w.aheadHeld, held[i])
		} else {
			w.ready, w.readyHeld = append(w.ready, e), append(w.readyHeld, held[i])
		}
	}
	return w
}

// isAhead tells whether the snapshot is behind the event: by their revisions, or,
// where there are none, because the event says that the money has arrived and the
// record says it is still open, or tells of a refund or a dispute where the record has
// none. Such a record is asked for a few times; then it counts, for it may be right.
func isAhead(e db.Event, l lease.Lease, s payment.Snapshot) bool {
	if e.EventRevision != nil {
		return e.EventRevision.Cmp(s.Revision) > 0
	}
	return s.Revision.Sign() == 0 && l.Attempts < waitForRecord && missing(e, s) != ""
}

// missing is what the event tells of and the record doesn't show; empty: nothing.
func missing(e db.Event, s payment.Snapshot) string {
	open := s.Status == payment.Pending || s.Status == payment.Confirming || s.Status == payment.Authorised
	shows := func(states ...payment.DisputeStatus) bool {
		return slices.ContainsFunc(s.Disputes, func(d payment.Dispute) bool { return slices.Contains(states, d.Status) })
	}
	switch e.EventEffect {
	case payment.EffectRefund, payment.EffectRefundReversed:
		if s.Refunded.Sign() == 0 && s.Reversed.Sign() == 0 {
			return "shows no refund"
		}
	case payment.EffectDisputeOpened:
		if len(s.Disputes) == 0 {
			return "shows no dispute"
		}
	case payment.EffectDisputeWon, payment.EffectDisputeLost:
		if !shows(payment.DisputeWon, payment.DisputeLost) {
			return "shows no dispute that has ended"
		}
	}
	if e.EventStatus == payment.Paid && open {
		return "is still " + string(s.Status)
	}
	return ""
}

// mayBeBehind tells whether the record that answers the events may lack what they told,
// and nobody sees: it has no revision to compare, and the refund that it shows may be an
// earlier one. It is asked for once more, later (package reconcile).
func mayBeBehind(events []db.Event, s payment.Snapshot) bool {
	return s.Revision.Sign() == 0 && slices.ContainsFunc(events, func(e db.Event) bool { return e.EventEffect.AfterPaid() })
}

// behind is why an event waits.
func behind(e db.Event, s payment.Snapshot) error {
	if e.EventRevision != nil {
		return fmt.Errorf("the provider's record is at revision %s, behind the event's %s", s.Revision, e.EventRevision)
	}
	return fmt.Errorf("the provider's record %s, behind the event (%s)", missing(e, s), e.EventType)
}

// cause is the event that the history names for a snapshot: the one that told of
// this very revision, else the newest.
func cause(events []db.Event, s payment.Snapshot) *uint64 {
	if len(events) == 0 {
		return nil
	}
	seq := &events[len(events)-1].Seq
	for i := range events {
		if r := events[i].EventRevision; r != nil && r.Equal(s.Revision) {
			seq = &events[i].Seq
		}
	}
	return seq
}

// waitedEnough tells whether each of the events has been tried as often as an
// order that isn't visible yet is waited for.
func waitedEnough(held []lease.Lease) bool {
	for _, l := range held {
		if l.Attempts < waitForOrder {
			return false
		}
	}
	return true
}

// verdictOf tells what became of one of the events that a snapshot answers.
func verdictOf(e db.Event, a checkout.Application, out checkout.Outcome) (payment.Verdict, string) {
	s := a.Snapshot
	caused := a.EventSeq != nil && e.Seq == *a.EventSeq && out.Verdict == payment.Applied // the history names it
	if caused || e.EventRevision == nil || out.Verdict == payment.Unattributed || out.Verdict == payment.NeedsReview {
		return out.Verdict, out.Reason
	}
	switch r := *e.EventRevision; {
	case r.Cmp(out.Before) < 0:
		return payment.Stale, fmt.Sprintf("revision %s is older than %s, which was recorded already", r, out.Before)
	case r.Cmp(s.Revision) < 0:
		return payment.Stale, fmt.Sprintf("the provider's record had moved on from revision %s to %s", r, s.Revision)
	default:
		return out.Verdict, out.Reason
	}
}
