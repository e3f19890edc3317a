package lease_test

import (
	"context"
	"database/sql"

	"onceshop/database"
	"onceshop/lease"
)

// A worker in full: a loop that claims one row at a time and finishes it in the
// transaction of its own effects.
func Example() {
	work := func(ctx context.Context, db *sql.DB) error {
		jobs := &lease.Queue{DB: db, Table: "shop_fulfillment_outbox", Kinds: []string{"issue-license"}}
		loop := &lease.Loop{Name: "licenses", Workers: 4}
		loop.RunOnce = func(ctx context.Context) (int, error) {
			leases, err := jobs.Claim(ctx, 1)
			if err != nil || len(leases) == 0 {
				return 0, err
			}
			jobs.Run(ctx, leases, func(ctx context.Context) error {
				return database.InTx(ctx, db, func(tx *sql.Tx) error {
					// … issue the license with tx, then:
					return jobs.FinishTx(ctx, tx, leases[0])
				})
			})
			return len(leases), nil
		}
		return loop.Run(ctx) // until ctx ends and running work has ended
	}
	_ = work
}
