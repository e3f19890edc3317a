package sandbox

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"
)

// Event is one change of one order, as it was announced.
type Event struct {
	Seq       uint64
	ID        string
	OrderID   string
	Revision  uint64
	Type      string
	Body      []byte // exactly what is sent and signed
	CreatedAt time.Time
}

// eventJSON is an event's body, both when written and when read back.
type eventJSON struct {
	ID        string         `json:"id"`
	Type      string         `json:"type"`
	CreatedAt timestamp      `json:"createdAt"`
	Order     jsontext.Value `json:"order"`
}

// newEvent builds the body once and for all: every delivery of the event sends
// these bytes.
func newEvent(o Order, word string) (Event, error) {
	order, err := json.Marshal(o.json())
	if err != nil {
		return Event{}, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return Event{}, err
	}
	e := Event{ID: id.String(), OrderID: o.ID, Revision: o.Revision, Type: word, CreatedAt: o.UpdatedAt}
	e.Body, err = json.Marshal(eventJSON{e.ID, word, timestamp(o.UpdatedAt), order})
	return e, err
}

// order returns the order as it was at the event's revision, byte for byte.
func (e Event) order() (jsontext.Value, error) {
	var body struct {
		Order jsontext.Value `json:"order"`
	}
	err := json.Unmarshal(e.Body, &body)
	return body.Order, err
}

// conflicting returns another body under the event's id: the amount is ten
// times as high. The same event always gives the same bytes, as a retry must.
func (e Event) conflicting() ([]byte, error) {
	var body map[string]jsontext.Value
	if err := json.Unmarshal(e.Body, &body); err != nil {
		return nil, err
	}
	var order map[string]jsontext.Value
	if err := json.Unmarshal(body["order"], &order); err != nil {
		return nil, err
	}
	amount := order["amount"]
	order["amount"] = jsontext.Value(string(amount[:len(amount)-1]) + `0"`)
	changed, err := json.Marshal(order, json.Deterministic(true))
	if err != nil {
		return nil, err
	}
	body["order"] = changed
	return json.Marshal(body, json.Deterministic(true))
}

const eventColumns = "seq, id, order_id, revision, type, body, created_at"

func scanEvent(row interface{ Scan(...any) error }) (e Event, err error) {
	err = row.Scan(&e.Seq, &e.ID, &e.OrderID, &e.Revision, &e.Type, &e.Body, &e.CreatedAt)
	return e, err
}

func insertEvent(ctx context.Context, tx *sql.Tx, e Event) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO pay_order_events (id, order_id, revision, type, body, created_at)
		VALUES (?, ?, ?, ?, ?, ?)`, e.ID, e.OrderID, e.Revision, e.Type, e.Body, e.CreatedAt)
	return err
}

// revisionEvent returns the event that announced a revision of an order.
func revisionEvent(ctx context.Context, q querier, orderID string, revision uint64) (Event, error) {
	e, err := scanEvent(q.QueryRowContext(ctx,
		"SELECT "+eventColumns+" FROM pay_order_events WHERE order_id = ? AND revision = ?", orderID, revision))
	if errors.Is(err, sql.ErrNoRows) {
		return e, notFound("revision")
	}
	return e, err
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
