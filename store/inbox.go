package store

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode"

	"onceshop/database"
	"onceshop/payment"
)

// Received is one verified event with the exact bytes that were signed, and how
// many copies of it arrived together.
type Received struct {
	payment.Event
	Body   []byte
	Copies int
	// NeverRefuse says that a refusal would stop the sender's queue: a conflict is
	// parked for a person then, and answered like any other event.
	NeverRefuse bool
}

// parked is between the id of an event and the fingerprint of another content that
// came under it.
const parked = "#"

// Parked is the event as one of its own that a person has to look at.
func (r Received) Parked() Received {
	r.ID = fmt.Sprintf("%s%s%x", r.ID, parked, r.Fingerprint[:8])
	r.Verdict, r.Reason = payment.NeedsReview, "another content under the id of a known event"
	r.NeverRefuse, r.Alias = false, ""
	return r
}

// IsParked tells whether an event's id is one that Parked has made. A provider's own
// may have the sign in it as well.
func IsParked(id string) bool { return parkedForm.MatchString(id) }

var parkedForm = regexp.MustCompile(parked + "[0-9a-f]{16}$")

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
	var row []string
	for _, e := range events {
		// What the event itself decides is done with it.
		status, verdict, reason, processed := "pending", Ref(string(e.Verdict)), Ref(e.Reason), "NULL"
		if verdict != nil {
			status, processed = "done", "NOW(6)"
		}
		row = append(row, "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "+processed+")")
		args = append(args, e.Provider, e.ID, Ref(e.Alias), e.Type, countable(e.Revision), string(e.Status), string(e.Effect), e.PaymentRef, e.OrderRef,
			countable(e.Amount), codeOrNone(e.Currency), timeOrNull(e.OccurredAt), e.Fingerprint[:], e.KeyID, e.Copies, status, verdict, reason)
	}
	return `INSERT INTO shop_events (provider, event_id, alias, event_type, event_revision, event_status, event_effect, payment_ref, order_ref,
    amount, currency, occurred_at, payload_hash, key_id, deliveries, status, verdict, reason, processed_at) VALUES ` + strings.Join(row, ", "), args
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

// What an event says that a column can't hold is left out: it is no reason to refuse
// the event for ever. Who acts on it finds nothing, and looks at the record or asks a
// person.

// maxDigits is what a DECIMAL(65,0) holds.
const maxDigits = 65

func countable(a *payment.Amount) any {
	if a == nil || len(a.String()) > maxDigits {
		return nil
	}
	return *a
}

// codeOrNone drops a currency that isn't written in ASCII: none is.
func codeOrNone(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII }) {
		return ""
	}
	return s
}

// timeOrNull cuts a time to what the database keeps: rounded up, the last moment of
// the year 9999 is none.
func timeOrNull(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Truncate(time.Microsecond)
}
