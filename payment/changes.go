package payment

import (
	"strconv"
	"time"
)

// diff names what differs between two records of one payment, in an order that
// doesn't change: readers of the history compare rows by eye.
func diff(before, after Record) []Change {
	var changes []Change
	add := func(field, from, to string) {
		if from != to {
			changes = append(changes, Change{field, from, to})
		}
	}
	add("payment_status", string(before.Status), string(after.Status))
	add("refund_status", string(before.RefundStatus), string(after.RefundStatus))
	add("refunded", before.Refunded.String(), after.Refunded.String())
	add("reversed", before.Reversed.String(), after.Reversed.String())
	add("taken_back", before.TakenBack.String(), after.TakenBack.String())
	add("dispute_status", string(before.DisputeStatus), string(after.DisputeStatus))
	changes = append(changes, ledgerChanges(before, after)...)
	add("received", before.Received.String(), after.Received.String())
	add("provider_revision", before.Revision.String(), after.Revision.String())
	add("confirmations", strconv.Itoa(before.Confirmations), strconv.Itoa(after.Confirmations))
	add("fulfillment_decision", before.Risk.Decision, after.Risk.Decision)
	add("service_status", before.Risk.ServiceStatus, after.Risk.ServiceStatus)
	add("chain_enforcement", before.Risk.ChainEnforcement, after.Risk.ChainEnforcement)
	add("risk_valid_until", instant(before.Risk.ValidUntil), instant(after.Risk.ValidUntil))
	// A first assessment shows in its words. Where no time is kept, every
	// snapshot would otherwise look like a new one.
	if before.Risk.AssessedAt != nil {
		add("risk_assessed_at", instant(before.Risk.AssessedAt), instant(after.Risk.AssessedAt))
	}
	return changes
}

// claims lists what a refused snapshot says and the record doesn't.
func claims(before, after Record, s Snapshot) []Change {
	var changes []Change
	if s.Ref != before.Ref {
		changes = append(changes, Change{"provider_ref", before.Ref, s.Ref})
	}
	if !s.Amount.Equal(before.Amount) {
		changes = append(changes, Change{"amount", before.Amount.String(), s.Amount.String()})
	}
	if s.Currency != before.Currency {
		changes = append(changes, Change{"currency", before.Currency, s.Currency})
	}
	return append(changes, diff(before, after)...)
}

func instant(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// assessedBefore tells whether a is known to be the older assessment.
func assessedBefore(a, b Risk) bool {
	return a.AssessedAt != nil && b.AssessedAt != nil && a.AssessedAt.Before(*b.AssessedAt)
}

// inMicroseconds cuts the times to what the database keeps: a record read back
// must equal the snapshot it came from, or every repeat would be a change.
func (r Risk) inMicroseconds() Risk {
	cut := func(t *time.Time) *time.Time {
		if t == nil {
			return nil
		}
		c := t.UTC().Truncate(time.Microsecond)
		return &c
	}
	r.AssessedAt, r.ValidUntil = cut(r.AssessedAt), cut(r.ValidUntil)
	return r
}
