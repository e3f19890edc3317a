package practicetest

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"onceshop/payment"
)

// lister is an adapter that reads back what changed.
type lister interface {
	payment.Fetcher
	List(ctx context.Context, since time.Time, cursor string, limit int) ([]payment.Snapshot, string, error)
}

// TestEveryPaymentIsInTheListAsItIsFetched loses all webhooks: the list has to tell of
// every payment that was tried, and the same of it as asking for it does.
func TestEveryPaymentIsInTheListAsItIsFetched(t *testing.T) {
	each(t, func(t *testing.T, c *counter) {
		api, ok := c.Shop.Shop.Providers[c.provider.name].(lister)
		if !ok {
			return // it can't be asked
		}
		began := time.Now().Add(-time.Minute)
		var refs []string
		for _, tale := range [][]step{{pay}, {attemptFails}, {attemptFails, pay, part}, {pay, disputeOpens}, {authorise}} {
			s := c.sell(1)
			for _, happens := range tale {
				s.act(happens)
			}
			refs = append(refs, s.order.ID)
		}
		listed := map[string]payment.Snapshot{}
		for cursor, page := "", 0; page == 0 || cursor != ""; page++ {
			var snapshots []payment.Snapshot
			var err error
			if snapshots, cursor, err = api.List(t.Context(), began, cursor, 2); err != nil || page > 20 {
				t.Fatalf("page %d: %v", page, err)
			}
			for _, s := range snapshots {
				listed[s.OrderRef] = s
			}
		}
		for _, ref := range refs {
			fetched, err := api.Fetch(t.Context(), listed[ref].Ref)
			if d := cmp.Diff(fetched, listed[ref]); d != "" || err != nil {
				t.Errorf("%v\n%s", err, d)
			}
		}
	})
}
