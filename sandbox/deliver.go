package sandbox

import (
	"cmp"
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
	for key, lane := range lanes {
		sending.Go(func() {
			queue := cmp.Or(s.queues[key.dialect], s.queue)
			for _, l := range lane {
				queue.Run(ctx, []lease.Lease{l}, func(ctx context.Context) error { return s.deliver(ctx, l) })
			}
		})
	}
	sending.Wait()
	return len(leases), nil
}

// lane is what goes out one after the other: one order's events to one endpoint.
type lane struct{ dialect, endpoint, order string }

// lanes groups leases by endpoint and order. Without faults the events of one
// order go out in the order in which they happened; with reorder, the other way
// round.
func (s *Server) lanes(ctx context.Context, leases []lease.Lease) (map[lane][]lease.Lease, error) {
	general, err := generalFaults(ctx, s.db)
	if err != nil {
		return nil, err
	}
	bySeq := map[uint64]lease.Lease{}
	args := make([]any, len(leases))
	for i, l := range leases {
		bySeq[l.Seq], args[i] = l, l.Seq
	}
	rows, err := s.db.QueryContext(ctx, `SELECT d.seq, p.dialect, d.endpoint_id, d.order_id, d.faults, p.faults
		FROM pay_webhook_deliveries d JOIN pay_webhook_endpoints p ON p.id = d.endpoint_id
		WHERE d.seq IN (?`+strings.Repeat(", ?", len(args)-1)+`) ORDER BY d.seq`, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	lanes, reordered := map[lane][]lease.Lease{}, map[lane]bool{}
	for rows.Next() {
		var seq uint64
		var key lane
		var own, endpoint nullFaults
		if err := rows.Scan(&seq, &key.dialect, &key.endpoint, &key.order, &own, &endpoint); err != nil {
			return nil, err
		}
		lanes[key] = append(lanes[key], bySeq[seq])
		if own.or(endpoint.Faults, &general).Reorder {
			reordered[key] = true
		}
	}
	for key := range reordered {
		slices.Reverse(lanes[key])
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
	d, err := s.dialect(p.dialect)
	if err != nil {
		return err // it may be served again at a later attempt
	}
	if last := len(d.Profile().Retries) + 1; l.Attempts > last {
		return lease.Permanent(fmt.Errorf("the process ended during the last of %d attempts", last))
	}
	p.faults = p.faults.onAttempt(l.Attempts)
	a, fate := s.send(ctx, d, p)
	a.Number = l.Attempts
	s.log.Info("delivery attempted", "delivery", l.Seq, "event", p.event.ID, "kind", p.kind,
		"attempt", a.Number, "status", a.StatusCode, "ms", a.Duration.Milliseconds(), "fault", a.Fault)
	// What happened is written down even when the process is being stopped.
	if err := s.logAttempt(context.WithoutCancel(ctx), l.Seq, a); err != nil {
		return err
	}
	if errors.Is(fate, errEnded) {
		fate = cmp.Or(s.end(context.WithoutCancel(ctx), p.endpoint), fate)
	}
	if fate != nil {
		return fate
	}
	return s.queue.Finish(ctx, l)
}

// end removes an endpoint at its own wish; somebody may have done so before.
func (s *Server) end(ctx context.Context, endpoint string) error {
	err := s.RemoveEndpoint(ctx, endpoint)
	if e, ok := errors.AsType[*Error](err); ok && e.Status == http.StatusNotFound {
		return nil
	}
	return err
}

// send makes the request and reports it, with the fate of the delivery: nil, a
// reason that is final, or the reason to try again.
func (s *Server) send(ctx context.Context, d Dialect, p parcel) (a Attempt, fate error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	a.Fault = p.faults.spoiled()
	defer func() {
		if fate != nil {
			a.Error = fate.Error()
		}
	}()
	r, signedAt, err := p.request(ctx, d, s.now())
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
	answer, _ := io.ReadAll(io.LimitReader(response.Body, maxAnswer)) // the status has been said
	if p.faults.DropAnswer {
		return a, fmt.Errorf("the answer was lost on purpose (it was %d)", response.StatusCode)
	}
	a.StatusCode = response.StatusCode
	return a, verdict(d, response.StatusCode, answer)
}

// newClient never follows a redirect: a receiver has to answer by itself.
func newClient() *http.Client {
	return &http.Client{
		Transport:     http.DefaultTransport.(*http.Transport).Clone(),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
