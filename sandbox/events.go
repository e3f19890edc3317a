package sandbox

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Event is what a change of an order was announced by, or one of several.
type Event struct {
	Seq       uint64
	ID        string // a UUID; dialects derive the provider's own id from it
	Dialect   string
	OrderID   string
	Revision  uint64
	Type      string
	Body      []byte // exactly what is sent and signed
	CreatedAt time.Time
}

// tenfold are members that hold an amount, at one provider or another.
var tenfold = []string{"amount", "amount_minor", "amount_total", "amount_paid", "value", "total"}

// conflicting returns another body under the event's id: its first amount is ten
// times as high. The same event always gives the same bytes, as a retry must.
func (e Event) conflicting() ([]byte, error) {
	dec := jsontext.NewDecoder(bytes.NewReader(e.Body))
	for {
		token, err := dec.ReadToken()
		if errors.Is(err, io.EOF) {
			return nil, errors.New("the event has no amount to change")
		}
		if err != nil {
			return nil, err
		}
		kind, n := dec.StackIndex(dec.StackDepth())
		if kind != '{' || n%2 == 0 || token.Kind() != '"' || !slices.Contains(tenfold, token.String()) {
			continue
		}
		next := dec.PeekKind()
		if next != '"' && next != '0' {
			continue // an object with an amount in it, as it may be
		}
		value, err := dec.ReadValue()
		if err != nil {
			return nil, err
		}
		end := int(dec.InputOffset())
		if next == '"' {
			end-- // before the closing quote
		}
		digits := bytes.Trim(value, `"`)
		if len(digits) == 0 || len(bytes.Trim(digits, Digits)) > 0 {
			continue
		}
		return slices.Concat(e.Body[:end], []byte("0"), e.Body[end:]), nil
	}
}

const eventColumns = "seq, id, dialect, order_id, revision, type, body, created_at"

func scanEvent(row interface{ Scan(...any) error }) (e Event, err error) {
	err = row.Scan(&e.Seq, &e.ID, &e.Dialect, &e.OrderID, &e.Revision, &e.Type, &e.Body, &e.CreatedAt)
	return e, err
}

func insertEvent(ctx context.Context, tx *sql.Tx, e Event) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO pay_order_events (id, dialect, order_id, revision, type, body, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?)`, e.ID, e.Dialect, e.OrderID, e.Revision, e.Type, e.Body, e.CreatedAt)
	return err
}

func selectEvents(ctx context.Context, q querier, where string, args ...any) ([]Event, error) {
	rows, err := q.QueryContext(ctx, "SELECT "+eventColumns+" FROM pay_order_events "+where, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []Event
	for rows.Next() {
		e, err := scanEvent(rows)
		if err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	return list, rows.Err()
}
