package practicetest

import (
	"testing"

	"onceshop/payment"
	"onceshop/shoptest"
	"onceshop/store"
)

// TestYenDinarsAndKronurComeBackAsTheyWereAskedFor sells in currencies that providers
// count in minor units of their own: adapter and stand-in each have a table, and where
// they disagreed the payment would be of another amount.
func TestYenDinarsAndKronurComeBackAsTheyWereAskedFor(t *testing.T) {
	t.Parallel()
	sold, tried := map[string]int{}, 0
	for _, p := range providers() {
		for _, price := range []payment.Money{
			{Amount: payment.NewAmount(5800), Currency: "JPY"}, {Amount: payment.NewAmount(2950), Currency: "KWD"},
			{Amount: payment.NewAmount(4900), Currency: "ISK"}, {Amount: payment.NewAmount(4900), Currency: "CLP"},
		} {
			p.price, p.currency = price.Amount.String(), price.Currency
			t.Run(p.name+" "+price.Currency, func(t *testing.T) {
				tried++
				c := open(t, p)
				if !c.Shop.Shop.Providers[p.name].Takes(price) {
					offeredElsewhereOnly(t, c, price)
					return
				}
				sold[price.Currency]++
				s := c.sell(1)
				s.through(pay, refundOf(payment.NewAmount(1000)))
				if o := s.now(); !o.ReceivedAmount.Equal(price.Amount) || o.RefundedAmount.String() != "1000" || o.FulfillmentStatus != store.DeliveryDone {
					t.Errorf("%+v", s.outcome())
				}
				c.refund(s, 500)
				c.catchUp()
				if o := s.now(); o.RefundedAmount.String() != "1500" || o.ReviewReason != nil {
					t.Errorf("after staff's refund: %+v", s.outcome())
				}
			})
		}
	}
	if tried < 4*len(providers()) {
		return // -run asked for some of them
	}
	for _, currency := range []string{"JPY", "KWD", "ISK"} {
		if sold[currency] < 2 {
			t.Errorf("%s was sold through %d providers only", currency, sold[currency])
		}
	}
}

// offeredElsewhereOnly holds the shop to not offering a provider for what it can't take.
func offeredElsewhereOnly(t *testing.T, c *counter, price payment.Money) {
	t.Helper()
	for _, way := range c.Shop.Shop.Ways(price) {
		if way == c.provider.name {
			t.Errorf("%s is offered for %s", way, price)
		}
	}
	token, err := c.Shop.Shop.AddToCart(t.Context(), "", "product", 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Shop.Shop.Begin(t.Context(), token, shoptest.Buyer, c.provider.name); err == nil {
		t.Errorf("%s was asked for %s", c.provider.name, price)
	}
}
