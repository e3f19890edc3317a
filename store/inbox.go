package store

import (
	"context"
	"strings"
	"time"

	"onceshop/database"
	"onceshop/payment"
)

// Received is one verified event with the exact bytes that were signed, and how
// many copies of it arrived together.
type Received struct {
	payment.Event
	Body   []byte
	Copies int
}

// InsertEvents stores new events and their bytes as one transaction: in one round
// trip where the shop has a pool for scripts. A known event id fails all of it with
// a duplicate-key error (promise 3).
func (d *DB) InsertEvents(ctx context.Context, events []Received) error {
	if d.scripts == nil {
		return d.InTx(ctx, func(tx *Tx) error { return tx.InsertEvents(ctx, events) })
	}
	row, rowArgs := eventRows(events)
	payload, payloadArgs := payloadRows(events)
	return database.RunScript(ctx, d.scripts, []string{row, payload}, append(rowArgs, payloadArgs...)...)
}

// InsertEvents stores events and their bytes in two statements, however many
// there are. A known event id fails the whole first statement with a duplicate-key
// error; the transaction goes on.
func (tx *Tx) InsertEvents(ctx context.Context, events []Received) error {
	row, args := eventRows(events)
	if _, err := tx.ExecContext(ctx, row, args...); err != nil {
		return err
	}
	payload, args := payloadRows(events)
	_, err := tx.ExecContext(ctx, payload, args...)
	return err
}

func eventRows(events []Received) (statement string, args []any) {
	for _, e := range events {
		args = append(args, e.Provider, e.ID, e.Type, revisionOrNull(e.Revision), e.PaymentRef, e.OrderRef,
			timeOrNull(e.OccurredAt), e.Fingerprint[:], e.KeyID, e.Copies)
	}
	return `INSERT INTO shop_events (provider, event_id, event_type, event_revision, payment_ref, order_ref,
    occurred_at, payload_hash, key_id, deliveries) VALUES ` + rows(len(events), 10), args
}

func payloadRows(events []Received) (statement string, args []any) {
	for _, e := range events {
		args = append(args, e.Provider, e.ID, e.Body)
	}
	return "INSERT INTO shop_event_payloads (provider, event_id, body) VALUES " + rows(len(events), 3), args
}

// rows is n times a row of placeholders.
func rows(n, columns int) string {
	row := "(" + strings.Repeat("?, ", columns-1) + "?)"
	return row + strings.Repeat(", "+row, n-1)
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
