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
)

// parcel is everything that one attempt needs, read when the attempt begins:
// switches and secrets that changed since the event are the new ones.
type parcel struct {
	kind    string
	event   Event
	url     string
	secret  string
	second  string
	removed bool
	faults  Faults
}

func (s *Server) loadParcel(ctx context.Context, seq uint64) (p parcel, err error) {
	general, err := generalFaults(ctx, s.db)
	if err != nil {
		return p, err
	}
	var own, endpoint nullFaults
	var removedAt sql.NullTime
	err = s.db.QueryRowContext(ctx, `SELECT d.kind, d.faults, e.id, e.order_id, e.body,
			p.url, p.secret, COALESCE(p.previous_secret, ''), p.faults, p.removed_at
		FROM pay_webhook_deliveries d
		JOIN pay_order_events e ON e.id = d.event_id
		JOIN pay_webhook_endpoints p ON p.id = d.endpoint_id
		WHERE d.seq = ?`, seq).
		Scan(&p.kind, &own, &p.event.ID, &p.event.OrderID, &p.event.Body,
			&p.url, &p.secret, &p.second, &endpoint, &removedAt)
	p.removed = removedAt.Valid
	p.faults = own.or(endpoint.Faults, &general)
	return p, err
}

// The ways to sign that the switches ask for.
const (
	nobodysSecret = "a secret that no endpoint was given"
	staleBy       = 10 * time.Minute // twice what receivers tolerate
)

// request signs the parcel's bytes afresh and returns what is sent. Spoiling
// comes last, so that what was signed is what should have arrived.
func (p parcel) request(ctx context.Context, now time.Time) (*http.Request, int64, error) {
	body := p.event.Body
	if p.kind == kindConflict {
		var err error
		if body, err = p.event.conflicting(); err != nil {
			return nil, 0, err
		}
	}
	secret, signedAt := p.secret, now.Unix()
	if p.faults.PreviousSecret && p.second != "" {
		secret = p.second
	}
	if p.faults.WrongSignature {
		secret = nobodysSecret
	}
	if p.faults.StaleTimestamp {
		signedAt = now.Add(-staleBy).Unix()
	}
	header := http.Header{}
	setHeaders(header, p.event.ID, secret, signedAt, body)
	if p.faults.CorruptByte {
		body = slices.Clone(body)
		body[len(body)/2] ^= 1
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url, bytes.NewReader(body))
	if err != nil {
		return nil, 0, err
	}
	r.Header = header
	return r, signedAt, nil
}

// errConflict is the end of a delivery: sending again can't mend it.
var errConflict = errors.New("conflict: the receiver knows this event id with another body (409)")

// verdict turns the receiver's answer into the delivery's fate.
func verdict(status int) error {
	switch {
	case status >= 200 && status < 300:
		return nil
	case status == http.StatusConflict:
		return errConflict
	}
	return fmt.Errorf("answered %d", status)
}
