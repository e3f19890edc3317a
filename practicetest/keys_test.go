package practicetest

import (
	"errors"
	"testing"

	"onceshop/payment"
	"onceshop/store"
)

// Whose key had another request before knows that something was done under it: who
// took that for a refusal would do it once more under the next key.
func TestARefundUnderAUsedKeyIsNeverCalledRefused(t *testing.T) {
	each(t, func(t *testing.T, c *counter) {
		s := c.sell(1)
		s.through(pay)
		payments, err := c.DB.ListPaymentsOfOrder(t.Context(), &s.order.ID)
		if err != nil {
			t.Fatal(err)
		}
		refund := func(amount int64, reason string) error {
			provider := c.Shop.Shop.Providers[c.provider.name].(payment.Refunder)
			return provider.Refund(t.Context(), "refund-of-this-test", store.Deref(payments[0].ProviderRef), payment.NewAmount(amount), reason)
		}
		if err := refund(980, "asked for"); err != nil {
			t.Fatal(err)
		}
		for reason, amount := range map[string]int64{"asked for, twice": 980, "asked for": 600} {
			if err := refund(amount, reason); err != nil && !errors.Is(err, payment.ErrLater) {
				t.Errorf("%d, %s: %v", amount, reason, err)
			}
		}
		c.catchUp()
		if o := s.now(); o.RefundedAmount.String() != "980" {
			t.Errorf("refunded %s, want 980", o.RefundedAmount)
		}
	})
}
