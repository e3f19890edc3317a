package practicetest

import (
	"slices"
	"testing"

	"onceshop/sandbox"
)

// While a provider's API answers with the record of before, it can't be seen in the
// record of a payment without revisions that a second refund is missing.
func TestARecordThatWasBehindIsReadAgainFromEveryProvider(t *testing.T) {
	each(t, func(t *testing.T, c *counter) {
		for name, tale := range map[string][]step{
			"a second refund": {part, everythingBut},
			"a dispute lost":  {disputeOpens, disputeLost},
			"a dispute won":   {disputeOpens, disputeWon},
		} {
			asUsual := c.sell(1)
			asUsual.through(append([]step{pay}, tale...)...)

			s := c.sell(1)
			s.through(pay, tale[0])
			s.act(tale[1])
			c.bench.Faults(sandbox.Faults{APIBehind: true})
			for _, l := range c.post.Take() {
				c.hand(l)
			}
			for range 4 {
				c.work()
			}
			c.bench.Faults(sandbox.Faults{})
			if _, err := c.Checker.RunOnce(t.Context()); err != nil {
				t.Fatal(err)
			}
			c.work()
			got, want := s.outcome(), asUsual.outcome()
			if got.Refunded != want.Refunded || got.Dispute != want.Dispute || !slices.Equal(got.Licenses, want.Licenses) {
				t.Errorf("%s: %+v, want %+v", name, got, want)
			}
		}
	})
}
