package checkout

import (
	"context"
	"time"
)

// cartLife is how long a cart is kept that nobody orders: longer than its cookie.
const cartLife = 40 * 24 * time.Hour

// PurgeOnce deletes carts that nobody has ordered, and returns how many.
func (s *Shop) PurgeOnce(ctx context.Context) (int, error) {
	n, err := s.DB.PurgeCarts(ctx, int64(cartLife.Seconds()), 1000)
	return int(n), err
}
