package sandbox

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"
)

// Delivery is one send of one event to one endpoint, repeated until answered.
type Delivery struct {
	Seq           uint64
	Kind          string // event, duplicate, conflict, resend
	EventID       string
	OrderID       string
	EndpointID    string
	URL           string
	Faults        *Faults // nil: the endpoint's
	Status        string  // pending, leased, done, dead, cancelled
	Attempts      int
	NextAttemptAt time.Time
	LastError     string
	CreatedAt     time.Time
	Log           []Attempt
}

// Attempt is one line of a delivery's log.
type Attempt struct {
	Number     int
	SignedAt   int64
	StatusCode int // 0: no answer
	Duration   time.Duration
	Error      string
	Fault      string // what was spoiled on purpose
	At         time.Time
}

// The kinds of delivery: the event itself, and the copies beside it.
const (
	kindEvent     = "event"
	kindDuplicate = "duplicate"
	kindConflict  = "conflict"
	kindResend    = "resend"
)

// enqueue writes the deliveries of an event in the transaction that made it.
func enqueue(ctx context.Context, tx *sql.Tx, e Event, own *Faults) error {
	endpoints, err := selectEndpoints(ctx, tx, e.Dialect)
	if err != nil {
		return err
	}
	general, err := generalFaults(ctx, tx)
	if err != nil {
		return err
	}
	for _, endpoint := range endpoints {
		f := own.or(endpoint.Faults, &general)
		wait, err := holdBack(ctx, tx, e, endpoint, f)
		if err != nil {
			return err
		}
		kinds := []string{kindEvent}
		for range f.Duplicate {
			kinds = append(kinds, kindDuplicate)
		}
		if f.Conflict {
			kinds = append(kinds, kindConflict)
		}
		for _, kind := range kinds {
			if _, err := insertDelivery(ctx, tx, kind, e, endpoint.ID, own, wait); err != nil {
				return err
			}
		}
	}
	return nil
}

// holdBack returns how long an event waits before its first attempt. With
// reorder on, the newest event of an order goes out at once and pushes back
// those that have not been tried yet; one with nothing to overtake is held, so
// that the next can overtake it.
func holdBack(ctx context.Context, tx *sql.Tx, e Event, endpoint Endpoint, f Faults) (time.Duration, error) {
	delay := time.Duration(f.DelayMS) * time.Millisecond
	if !f.Reorder {
		return delay, nil
	}
	hold := reorderHold
	if delay > 0 {
		hold = delay
	}
	result, err := tx.ExecContext(ctx, `UPDATE pay_webhook_deliveries SET next_attempt_at = NOW(6) + INTERVAL ? MICROSECOND
		WHERE order_id = ? AND endpoint_id = ? AND status = 'pending' AND attempts = 0`,
		hold.Microseconds(), e.OrderID, endpoint.ID)
	if err != nil {
		return 0, err
	}
	overtaken, err := result.RowsAffected()
	if err != nil || overtaken > 0 {
		return 0, err
	}
	return hold, nil
}

func insertDelivery(ctx context.Context, tx *sql.Tx, kind string, e Event, endpointID string, own *Faults, wait time.Duration) (uint64, error) {
	column, err := faultsColumn(own)
	if err != nil {
		return 0, err
	}
	result, err := tx.ExecContext(ctx, `INSERT INTO pay_webhook_deliveries
			(endpoint_id, event_id, order_id, kind, faults, created_at, status, next_attempt_at)
		VALUES (?, ?, ?, ?, ?, NOW(6), 'pending', NOW(6) + INTERVAL ? MICROSECOND)`,
		endpointID, e.ID, e.OrderID, kind, column, wait.Microseconds())
	if err != nil {
		return 0, err
	}
	seq, err := result.LastInsertId()
	return uint64(seq), err
}

const deliveryColumns = `d.seq, d.kind, d.event_id, d.order_id, d.endpoint_id, p.url, d.faults,
	d.status, d.attempts, d.next_attempt_at, COALESCE(d.last_error, ''), d.created_at`

// deliveryFilter selects deliveries; empty fields don't.
type deliveryFilter struct {
	Seq     uint64
	EventID string
	OrderID string
	Limit   int
}

// selectDeliveries returns deliveries with their logs, newest first.
func selectDeliveries(ctx context.Context, q querier, f deliveryFilter) ([]Delivery, error) {
	where, args := []string{"TRUE"}, []any{}
	if f.Seq != 0 {
		where, args = append(where, "d.seq = ?"), append(args, f.Seq)
	}
	if f.EventID != "" {
		where, args = append(where, "d.event_id = ?"), append(args, f.EventID)
	}
	if f.OrderID != "" {
		where, args = append(where, "d.order_id = ?"), append(args, f.OrderID)
	}
	rows, err := q.QueryContext(ctx, "SELECT "+deliveryColumns+` FROM pay_webhook_deliveries d
		JOIN pay_webhook_endpoints p ON p.id = d.endpoint_id
		WHERE `+strings.Join(where, " AND ")+" ORDER BY d.seq DESC LIMIT ?", append(args, f.Limit)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []Delivery
	for rows.Next() {
		var d Delivery
		var own nullFaults
		if err := rows.Scan(&d.Seq, &d.Kind, &d.EventID, &d.OrderID, &d.EndpointID, &d.URL, &own,
			&d.Status, &d.Attempts, &d.NextAttemptAt, &d.LastError, &d.CreatedAt); err != nil {
			return nil, err
		}
		d.Faults = own.Faults
		list = append(list, d)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return nil, err
	}
	return list, addLogs(ctx, q, list)
}
