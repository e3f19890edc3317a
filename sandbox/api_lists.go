package sandbox

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// ordersJSON is a page of orders; the last one has no NextCursor.
type ordersJSON struct {
	Orders     []orderJSON `json:"orders"`
	NextCursor string      `json:"nextCursor,omitzero"`
}

// getOrders lists orders by the time of their last change. An order that
// changes while a caller turns the pages moves to the end and comes once more,
// with its new revision: nothing is missed, no revision comes twice. A change
// whose transaction began before a page was read and ended after it can lie
// behind the cursor, so windows of two readings should overlap.
func (s *Server) getOrders(r *http.Request) (int, any, error) {
	q := r.URL.Query()
	since, limit, err := window(q, "updatedSince")
	if err != nil {
		return 0, nil, err
	}
	id := ""
	if c := q.Get("cursor"); c != "" {
		if since, id, err = orderCursor(c); err != nil {
			return 0, nil, err
		}
	}
	orders, err := selectOrders(r.Context(), s.db, `WHERE dialect = ? AND (updated_at > ? OR (updated_at = ? AND id > ?))
		ORDER BY updated_at, id LIMIT ?`, StableIn, since, since, id, limit+1)
	if err != nil {
		return 0, nil, err
	}
	var answer ordersJSON
	if len(orders) > limit {
		orders = orders[:limit]
		last := orders[limit-1]
		answer.NextCursor = cursor(last.UpdatedAt.Format(timestampLayout), last.ID)
	}
	answer.Orders, err = s.shown(r.Context(), orders...)
	return http.StatusOK, answer, err
}

// eventsJSON is a page of events, each with exactly the bytes that were sent.
type eventsJSON struct {
	Events     []jsontext.Value `json:"events"`
	NextCursor string           `json:"nextCursor,omitzero"`
}

// getEvents lists events in the order in which they were written.
func (s *Server) getEvents(r *http.Request) (int, any, error) {
	q := r.URL.Query()
	since, limit, err := window(q, "since")
	if err != nil {
		return 0, nil, err
	}
	var after uint64
	if c := q.Get("cursor"); c != "" {
		parts, err := readCursor(c, 1)
		if err != nil {
			return 0, nil, err
		}
		if after, err = strconv.ParseUint(parts[0], 10, 64); err != nil {
			return 0, nil, badCursor()
		}
	}
	events, err := selectEvents(r.Context(), s.db, "WHERE dialect = ? AND created_at >= ? AND seq > ? ORDER BY seq LIMIT ?", StableIn, since, after, limit+1)
	if err != nil {
		return 0, nil, err
	}
	answer := eventsJSON{Events: []jsontext.Value{}}
	if len(events) > limit {
		events = events[:limit]
		answer.NextCursor = cursor(strconv.FormatUint(events[limit-1].Seq, 10))
	}
	for _, e := range events {
		answer.Events = append(answer.Events, e.Body)
	}
	return http.StatusOK, answer, nil
}

const (
	defaultLimit = 50
	maxLimit     = 200
)

// beginning is before everything, and a time that the database takes.
var beginning = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// window reads where a list starts and how long its pages are.
func window(q url.Values, name string) (since time.Time, limit int, err error) {
	since, limit = beginning, defaultLimit
	if text := q.Get(name); text != "" {
		if since, err = time.Parse(time.RFC3339Nano, text); err != nil {
			return since, limit, Invalid(name, "must be a time such as 2026-01-31T12:00:00Z")
		}
	}
	if text := q.Get("limit"); text != "" {
		if limit, err = strconv.Atoi(text); err != nil || limit < 1 || limit > maxLimit {
			return since, limit, Invalid("limit", "must be from 1 to 200")
		}
	}
	return since.UTC(), limit, nil
}

// cursor hides the place in a list, so that nobody builds one.
func cursor(parts ...string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(strings.Join(parts, " ")))
}

func readCursor(c string, n int) ([]string, error) {
	text, err := base64.RawURLEncoding.DecodeString(c)
	parts := strings.Split(string(text), " ")
	if err != nil || len(parts) != n {
		return nil, badCursor()
	}
	return parts, nil
}

func orderCursor(c string) (since time.Time, id string, err error) {
	parts, err := readCursor(c, 2)
	if err != nil {
		return since, "", err
	}
	since, err = time.Parse(timestampLayout, parts[0])
	if err != nil {
		return since, "", badCursor()
	}
	return since, parts[1], nil
}

func badCursor() error { return Invalid("cursor", "must be a nextCursor of an earlier page") }
