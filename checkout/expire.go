package checkout

import (
	"context"

	"onceshop/database"
	"onceshop/payment"
	"onceshop/store"
)

// ExpireOnce ends orders whose time for paying is over, and returns how many. An
// order with money on its way isn't touched. Money that comes later is still
// recorded and brings the order back.
func (s *Shop) ExpireOnce(ctx context.Context) (int, error) {
	ids, err := s.DB.ListOverdueOrders(ctx, 100)
	if err != nil {
		return 0, err
	}
	expired := 0
	for _, id := range ids {
		ended := 0
		err := s.DB.InTx(ctx, func(tx *store.Tx) error {
			ended = 0
			row, err := tx.LockOrder(ctx, id)
			if err != nil {
				return err
			}
			payments, err := tx.ListPaymentsOfOrder(ctx, &id)
			if err != nil {
				return err
			}
			for _, p := range payments {
				if p.Status == payment.Confirming || p.Status == payment.Authorised || p.Status == payment.Paid {
					return nil
				}
			}
			if row.Order.PaymentStatus != payment.Pending || row.DbNow.Before(row.Order.ExpiresAt) {
				return nil
			}
			after := row.Order
			after.PaymentStatus = payment.Expired
			_, err = tx.SaveOrder(ctx, row.Order, after, store.Entry{Kind: "expired", Source: store.FromTimer, Actor: "timer"})
			ended = 1
			return err
		})
		if err != nil {
			if database.IsUnavailable(err) {
				return expired, err
			}
			s.Log.Error("order not expired", "order", id, "error", err) // the others needn't wait for it
		}
		expired += ended
	}
	return expired, nil
}
