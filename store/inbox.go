package store

import (
	"context"
	"strings"
	"time"

	"onceshop/payment"
)

// Received is one verified event with the exact bytes that were signed, and how
// many copies of it arrived together.
type Received struct {
	payment.Event
	Body   []byte
	Copies int
}

// InsertEvents stores events and their bytes in two statements, however many
// there are, so that they share one commit. A known event id fails the whole
// first statement with a duplicate-key error (promise 3); the transaction goes on.
func (tx *Tx) InsertEvents(ctx context.Context, events []Received) error {
	rows := make([]string, len(events))
	args := make([]any, 0, len(events)*10)
	for i, e := range events {
		rows[i] = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
		args = append(args, e.Provider, e.ID, e.Type, revisionOrNull(e.Revision), e.PaymentRef, e.OrderRef,
			timeOrNull(e.OccurredAt), e.Fingerprint[:], e.KeyID, e.Copies)
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO shop_events (provider, event_id, event_type, event_revision, payment_ref, order_ref,
    occurred_at, payload_hash, key_id, deliveries) VALUES `+strings.Join(rows, ", "), args...)
	if err != nil {
		return err
	}
	args = args[:0]
	for i, e := range events {
		rows[i] = "(?, ?, ?)"
		args = append(args, e.Provider, e.ID, e.Body)
	}
	_, err = tx.ExecContext(ctx, "INSERT INTO shop_event_payloads (provider, event_id, body) VALUES "+strings.Join(rows, ", "), args...)
	return err
}

func revisionOrNull(a *payment.Amount) any {
	if a == nil {
		return nil
	}
	return *a
}

func timeOrNull(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC()
}
