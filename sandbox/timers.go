package sandbox

import (
	"context"
	"errors"
	"time"
)

// timerPage is how many orders one pass of a timer looks at.
const timerPage = 100

// ExpireOnce ends orders whose time is over and returns how many. One that
// waits for blocks has been paid as far as the buyer can: it is left alone.
func (s *Server) ExpireOnce(ctx context.Context) (int, error) {
	return s.each(ctx, `WHERE payment_status IN ('pending', 'confirming') AND incoming_amount = 0
			AND expires_at <= NOW(6) ORDER BY expires_at LIMIT ?`,
		func(o Order, now time.Time) (Order, string, error) {
			if !o.open() || o.AwaitsBlocks() || o.ExpiresAt.After(now) {
				return o, "", errUnchanged
			}
			return o.expire()
		})
}

// ConfirmOnce lets one block come for every order that waits for one and whose
// last change is old enough. It does nothing without AutoConfirm.
func (s *Server) ConfirmOnce(ctx context.Context) (int, error) {
	if s.autoConfirm <= 0 {
		return 0, nil
	}
	return s.each(ctx, `WHERE incoming_amount > 0 AND updated_at <= NOW(6) - INTERVAL ? MICROSECOND
			ORDER BY updated_at LIMIT ?`,
		func(o Order, now time.Time) (Order, string, error) {
			if !o.AwaitsBlocks() || o.UpdatedAt.After(now.Add(-s.autoConfirm)) {
				return o, "", errUnchanged
			}
			return o.confirm(1)
		}, s.autoConfirm.Microseconds())
}

// each changes the orders that a query finds, one transaction each. The
// decision looks again: the order is locked only now.
func (s *Server) each(ctx context.Context, where string, decide func(o Order, now time.Time) (Order, string, error), args ...any) (changed int, err error) {
	orders, err := selectOrders(ctx, s.db, where, append(args, timerPage)...)
	if err != nil {
		return 0, err
	}
	for _, o := range orders {
		_, _, err := s.change(ctx, o.ID, nil, ofOrder(decide))
		if errors.Is(err, errUnchanged) {
			continue
		}
		if err != nil {
			return changed, err
		}
		changed++
	}
	return changed, nil
}
