package practicetest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"onceshop/payment"
	"onceshop/providers/checkoutcom"
	"onceshop/sandbox"
	standin "onceshop/sandbox/checkoutcom"
)

func checkoutcomProvider() provider {
	const key, secret, fixed = "sk_sbox_practice_key_of_checkoutcom", "practice-signature-key-of-checkoutcom", "practice-authorization"
	return provider{
		name: checkoutcom.Name, price: "2500", currency: "EUR", secret: secret, reserves: true,
		dialect: func(t *testing.T) sandbox.Dialect {
			return made[*standin.Dialect](t)(standin.New(standin.Config{APIKey: key, AuthorizationHeader: fixed}))
		},
		adapter: func(t *testing.T, c *counter) any {
			return made[*checkoutcom.Adapter](t)(checkoutcom.New(checkoutcom.Config{
				Secrets: secrets(secret), AuthorizationHeader: fixed, APIKey: key, BillingCountry: "DE", BaseURL: c.bench.URL + "/checkoutcom",
			}))
		},
	}
}

// TestCheckoutcomsListIsEverySaleAsItIs reads the account back: by its search, page by
// page, and by its disputes.
func TestCheckoutcomsListIsEverySaleAsItIs(t *testing.T) {
	t.Parallel()
	p := checkoutcomProvider()
	c := open(t, p)
	adapter := p.adapter(t, c).(*checkoutcom.Adapter)
	t.Cleanup(adapter.Close)
	since := time.Now().Add(-time.Minute)
	told := map[string]payment.Snapshot{}
	for _, tale := range stories(p) {
		s := c.sell(1)
		s.through(tale...)
		snapshot, err := adapter.Fetch(t.Context(), s.ref)
		if err != nil {
			t.Fatal(err)
		}
		told[s.ref] = snapshot
	}
	c.sell(1) // nobody tries to pay this one
	listed := map[string]payment.Snapshot{}
	for cursor := ""; ; {
		page, next, err := adapter.List(t.Context(), since, cursor, 2)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range page {
			listed[s.Ref] = s
		}
		if cursor = next; next == "" {
			break
		}
	}
	if d := cmp.Diff(told, listed); d != "" {
		t.Error(d)
	}
}
