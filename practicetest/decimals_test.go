package practicetest

import (
	"testing"

	"onceshop/payment"
	"onceshop/store"
)

// TestCurrenciesOfOtherDecimalsAreCountedAlikeOnBothSides: a provider may count a
// currency in other decimals than the shop does, and than ISO 4217.
func TestCurrenciesOfOtherDecimalsAreCountedAlikeOnBothSides(t *testing.T) {
	t.Parallel()
	for _, p := range []provider{checkoutcomProvider(), adyenProvider()} {
		for currency, price := range map[string]string{"ISK": "500", "KWD": "5000", "JPY": "500"} {
			p.currency, p.price = currency, price
			t.Run(p.name+" "+currency, func(t *testing.T) {
				t.Parallel()
				c := open(t, p)
				s := c.sell(1)
				half := payment.NewAmount(200)
				s.through(pay, refundOf(half))
				if o := s.now(); o.PaymentStatus != payment.Paid || o.FulfillmentStatus != store.DeliveryDone || o.ReviewReason != nil ||
					!o.ReceivedAmount.Equal(o.Total) || !o.RefundedAmount.Equal(half) {
					t.Errorf("of %s: %+v", o.Total, s.outcome())
				}
				c.refund(s, 100)
				c.bench.Deliver()
				for _, l := range c.post.take() {
					c.hand(l)
				}
				c.work()
				if o := s.now(); o.RefundedAmount.String() != "300" || o.ReviewReason != nil {
					t.Errorf("after staff's refund: %+v", s.outcome())
				}
			})
		}
	}
}
