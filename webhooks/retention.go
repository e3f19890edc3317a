package webhooks

import (
	"context"
	"time"

	"onceshop/store"
)

const purgeAtOnce = 1000

// Retention deletes the bytes of events that are older than Keep. Their identity,
// hash and verdict stay: without them an old event sent again would count as new
// (promise 3).
type Retention struct {
	DB   *store.DB
	Keep time.Duration
}

// RunOnce deletes up to a thousand bodies and returns how many.
func (r *Retention) RunOnce(ctx context.Context) (int, error) {
	n, err := r.DB.PurgeEventPayloads(ctx, int64(r.Keep.Seconds()), purgeAtOnce)
	return int(n), err
}
