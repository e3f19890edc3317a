package sandbox

import (
	"context"
	"database/sql"
	"time"

	"onceshop/database"
)

// Resend puts one more delivery of an event into the queue, to the endpoint of
// an earlier one. The earlier one stays as it is: what is done or dead remains
// on record. Faults make it late, spoiled, several, or a conflict.
func (s *Server) Resend(ctx context.Context, seq uint64, faults *Faults) (Delivery, error) {
	if err := faults.check(); err != nil {
		return Delivery{}, err
	}
	old, err := s.delivery(ctx, seq)
	if err != nil {
		return Delivery{}, err
	}
	f := faults.or()
	kinds := []string{kindResend}
	if f.Conflict {
		kinds[0] = kindConflict
	}
	for range f.Duplicate {
		kinds = append(kinds, kindDuplicate)
	}
	wait := time.Duration(f.DelayMS) * time.Millisecond
	var first uint64
	err = database.InTx(ctx, s.db, func(tx *sql.Tx) error {
		if _, err := findEndpoint(ctx, tx, old.EndpointID); err != nil {
			return err
		}
		event := Event{ID: old.EventID, OrderID: old.OrderID}
		for i, kind := range kinds {
			seq, err := insertDelivery(ctx, tx, kind, event, old.EndpointID, faults, wait)
			if err != nil {
				return err
			}
			if i == 0 {
				first = seq
			}
		}
		return nil
	})
	if err != nil {
		return Delivery{}, err
	}
	s.deliveries.Wake()
	return s.delivery(ctx, first)
}

// Deliveries lists the deliveries of an event or an order, newest first, with
// their attempts; an empty id doesn't narrow the list.
func (s *Server) Deliveries(ctx context.Context, eventID, orderID string, limit int) ([]Delivery, error) {
	return selectDeliveries(ctx, s.db, deliveryFilter{EventID: eventID, OrderID: orderID, Limit: limit})
}

func (s *Server) delivery(ctx context.Context, seq uint64) (Delivery, error) {
	list, err := selectDeliveries(ctx, s.db, deliveryFilter{Seq: seq, Limit: 1})
	if err == nil && len(list) == 0 {
		err = NotFound("delivery")
	}
	if err != nil {
		return Delivery{}, err
	}
	return list[0], nil
}
