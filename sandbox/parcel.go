package sandbox

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"onceshop/lease"
)

// parcel is everything that one attempt needs, read when the attempt begins:
// switches and secrets that changed since the event are the new ones.
type parcel struct {
	kind     string
	dialect  string
	event    Event
	endpoint string
	url      string
	secret   string
	second   string
	removed  bool
	faults   Faults
}

func (s *Server) loadParcel(ctx context.Context, seq uint64) (p parcel, err error) {
	general, err := generalFaults(ctx, s.db)
	if err != nil {
		return p, err
	}
	var own, endpoint nullFaults
	var removedAt sql.NullTime
	err = s.db.QueryRowContext(ctx, `SELECT d.kind, d.faults, e.id, e.dialect, e.order_id, e.revision, e.type, e.body, e.created_at,
			p.id, p.dialect, p.url, p.secret, COALESCE(p.previous_secret, ''), p.faults, p.removed_at
		FROM pay_webhook_deliveries d
		JOIN pay_order_events e ON e.id = d.event_id
		JOIN pay_webhook_endpoints p ON p.id = d.endpoint_id
		WHERE d.seq = ?`, seq).
		Scan(&p.kind, &own, &p.event.ID, &p.event.Dialect, &p.event.OrderID, &p.event.Revision, &p.event.Type, &p.event.Body, &p.event.CreatedAt,
			&p.endpoint, &p.dialect, &p.url, &p.secret, &p.second, &endpoint, &removedAt)
	p.removed = removedAt.Valid
	p.faults = own.or(endpoint.Faults, &general)
	return p, err
}

// staleBy is twice what receivers tolerate.
const staleBy = 10 * time.Minute

// secrets returns what to sign with, as the switches ask for.
func (p parcel) secrets(d Dialect) []string {
	switch {
	case p.faults.WrongSignature:
		return []string{d.NewSecret()} // that nobody was given
	case p.second == "":
		return []string{p.secret}
	case p.faults.PreviousSecret:
		return []string{p.second}
	}
	return []string{p.secret, p.second}
}

// request signs the parcel's bytes afresh and returns what is sent. Spoiling
// comes last, so that what was signed is what should have arrived.
func (p parcel) request(ctx context.Context, d Dialect, now time.Time) (*http.Request, int64, error) {
	out := Dispatch{Event: p.event, Secrets: p.secrets(d), At: now, Header: http.Header{}}
	if p.kind == kindConflict {
		var err error
		if out.Event.Body, err = p.event.conflicting(); err != nil {
			return nil, 0, err
		}
	}
	if p.faults.StaleTimestamp {
		out.At = now.Add(-staleBy)
	}
	out.Header.Set("Content-Type", "application/json")
	out.Header.Set("User-Agent", "Onceshop-Sandbox/1")
	out.Body = out.Event.Body
	if err := d.Sign(&out); err != nil {
		return nil, 0, err
	}
	if p.faults.CorruptByte {
		out.Body = slices.Clone(out.Body)
		out.Body[len(out.Body)/2] ^= 1
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url, bytes.NewReader(out.Body))
	if err != nil {
		return nil, 0, err
	}
	r.Header = out.Header
	return r, out.At.Unix(), nil
}

// errEnded is the end of an endpoint.
var errEnded = errors.New("the receiver wants nothing more")

// errConflict is the end of a delivery: sending again can't mend it.
var errConflict = errors.New("conflict: the receiver knows this event id with another body (409)")

// verdict turns the receiver's answer into the delivery's fate.
func verdict(d Dialect, status int, body []byte) error {
	switch d.Accepts(status, body) {
	case Accepted:
		return nil
	case Refused:
		if status == http.StatusConflict {
			return lease.Permanent(errConflict)
		}
		return lease.Permanent(fmt.Errorf("answered %d, which ends it", status))
	case Ended:
		return lease.Permanent(fmt.Errorf("answered %d: %w", status, errEnded))
	}
	return fmt.Errorf("answered %d", status)
}
