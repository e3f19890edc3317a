package sandbox

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"onceshop/lease"
)

// answerTime is how long a receiver may take; the published contract says 10 s.
const answerTime = 10 * time.Second

// batch is how many deliveries one pass claims: they all start at once, except
// that those of one order follow one another.
const batch = 16

// maxAnswer is how much of an answer is read, to reuse the connection.
const maxAnswer = 64 << 10

// DeliverOnce sends what is due and returns how many deliveries it tried.
func (s *Server) DeliverOnce(ctx context.Context) (int, error) {
	leases, err := s.queue.Claim(ctx, batch)
	if err != nil || len(leases) == 0 {
		return 0, err
	}
	if len(leases) == batch {
		s.deliveries.Wake() // there may be more: a sibling can begin
	}
	lanes, err := s.lanes(ctx, leases)
	if err != nil {
		return 0, err // the leases expire, and the rows are claimed again
	}
	var sending sync.WaitGroup
	for _, lane := range lanes {
		sending.Go(func() {
			for _, l := range lane {
				s.queue.Run(ctx, []lease.Lease{l}, func(ctx context.Context) error { return s.deliver(ctx, l) })
			}
		})
	}
	sending.Wait()
	return len(leases), nil
}

// lanes groups leases by endpoint and order. Without faults the events of one
// order go out in the order in which they happened; with reorder, the other way
// round.
func (s *Server) lanes(ctx context.Context, leases []lease.Lease) (map[string][]lease.Lease, error) {
	general, err := generalFaults(ctx, s.db)
	if err != nil {
		return nil, err
	}
	bySeq := map[uint64]lease.Lease{}
	args := make([]any, len(leases))
	for i, l := range leases {
		bySeq[l.Seq], args[i] = l, l.Seq
	}
	rows, err := s.db.QueryContext(ctx, `SELECT d.seq, CONCAT(d.endpoint_id, d.order_id), d.faults, p.faults
		FROM pay_webhook_deliveries d JOIN pay_webhook_endpoints p ON p.id = d.endpoint_id
		WHERE d.seq IN (?`+strings.Repeat(", ?", len(args)-1)+`) ORDER BY d.seq`, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	lanes, reordered := map[string][]lease.Lease{}, map[string]bool{}
	for rows.Next() {
		var seq uint64
		var lane string
		var own, endpoint nullFaults
		if err := rows.Scan(&seq, &lane, &own, &endpoint); err != nil {
			return nil, err
		}
		lanes[lane] = append(lanes[lane], bySeq[seq])
		if own.or(endpoint.Faults, &general).Reorder {
			reordered[lane] = true
		}
	}
	for lane := range reordered {
		slices.Reverse(lanes[lane])
	}
	return lanes, rows.Err()
}

// deliver makes one attempt. A crash between the answer and Finish sends the
// same bytes again: receivers are promised at least one delivery, not one.
func (s *Server) deliver(ctx context.Context, l lease.Lease) error {
	p, err := s.loadParcel(ctx, l.Seq)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return lease.Permanent(errors.New("the delivery is gone"))
	case err != nil:
		return err
	case p.removed:
		return lease.Permanent(errors.New("endpoint removed"))
	}
	p.faults = p.faults.onAttempt(l.Attempts)
	a, fate := s.send(ctx, p)
	a.Number = l.Attempts
	s.log.Info("delivery attempted", "delivery", l.Seq, "event", p.event.ID, "kind", p.kind,
		"attempt", a.Number, "status", a.StatusCode, "ms", a.Duration.Milliseconds(), "fault", a.Fault)
	// What happened is written down even when the process is being stopped.
	if err := s.logAttempt(context.WithoutCancel(ctx), l.Seq, a); err != nil {
		return err
	}
	if errors.Is(fate, errConflict) {
		return lease.Permanent(fate)
	}
	if fate != nil {
		return fate
	}
	return s.queue.Finish(ctx, l)
}

// send makes the request and reports it, with the fate of the delivery: nil,
// errConflict, or the reason to try again.
func (s *Server) send(ctx context.Context, p parcel) (a Attempt, fate error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	a.Fault = p.faults.spoiled()
	defer func() {
		if fate != nil {
			a.Error = fate.Error()
		}
	}()
	r, signedAt, err := p.request(ctx, s.now())
	a.SignedAt = signedAt
	if err != nil {
		return a, err
	}
	start := time.Now()
	response, err := s.http.Do(r)
	a.Duration = time.Since(start)
	if err != nil {
		return a, err
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, maxAnswer)) // the status has been said
	if p.faults.DropAnswer {
		return a, fmt.Errorf("the answer was lost on purpose (it was %d)", response.StatusCode)
	}
	a.StatusCode = response.StatusCode
	return a, verdict(response.StatusCode)
}

// newClient never follows a redirect: a receiver has to answer by itself.
func newClient() *http.Client {
	return &http.Client{
		Transport:     http.DefaultTransport.(*http.Transport).Clone(),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
