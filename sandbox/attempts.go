package sandbox

import (
	"context"
	"strings"
	"time"
)

// logAttempt writes down what was sent and what came back. It is a record of
// what happened, so it is written whether or not the lease still holds.
func (s *Server) logAttempt(ctx context.Context, deliverySeq uint64, a Attempt) error {
	var code any
	if a.StatusCode != 0 {
		code = a.StatusCode
	}
	_, err := s.db.ExecContext(ctx, `INSERT INTO pay_delivery_attempts
			(delivery_seq, attempt, signed_at, status_code, duration_ms, error, fault, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, NOW(6))`,
		deliverySeq, a.Number, a.SignedAt, code, a.Duration.Milliseconds(), shorten(a.Error, 500), a.Fault)
	return err
}

// addLogs fills in the attempts of deliveries, oldest first.
func addLogs(ctx context.Context, q querier, list []Delivery) error {
	if len(list) == 0 {
		return nil
	}
	index := make(map[uint64]*Delivery, len(list))
	args := make([]any, len(list))
	for i := range list {
		index[list[i].Seq] = &list[i]
		args[i] = list[i].Seq
	}
	rows, err := q.QueryContext(ctx, `SELECT delivery_seq, attempt, signed_at, COALESCE(status_code, 0),
			duration_ms, error, fault, created_at
		FROM pay_delivery_attempts WHERE delivery_seq IN (?`+strings.Repeat(", ?", len(args)-1)+`) ORDER BY seq`, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var seq uint64
		var ms int64
		var a Attempt
		if err := rows.Scan(&seq, &a.Number, &a.SignedAt, &a.StatusCode, &ms, &a.Error, &a.Fault, &a.At); err != nil {
			return err
		}
		a.Duration = time.Duration(ms) * time.Millisecond
		index[seq].Log = append(index[seq].Log, a)
	}
	return rows.Err()
}

// shorten cuts a text to n bytes of valid UTF-8.
func shorten(text string, n int) string {
	if len(text) > n {
		text = text[:n]
	}
	return strings.ToValidUTF8(text, "")
}
