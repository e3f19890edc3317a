package practicetest

import (
	"testing"

	"onceshop/providers/signing"
	"onceshop/providers/stripe"
	"onceshop/sandbox"
	standin "onceshop/sandbox/stripe"
)

// provider is one that the shop sells through, and its stand-in.
type provider struct {
	name            string
	price, currency string
	secret          string
	dialect         func(*testing.T) sandbox.Dialect
	adapter         func(*testing.T, *counter) any
	reserves        bool // it can reserve money before it takes it
	takesBack       bool // it can take captured money back
	refundsFail     bool // a refund may come back
}

func providers() []provider {
	return []provider{stripeProvider(), checkoutcomProvider(), adyenProvider(), razorpayProvider(), payflowProvider(), standardwebhooksProvider()}
}

func secrets(key string) []signing.Secret { return []signing.Secret{{ID: "current", Key: key}} }

// made is for constructors whose arguments are known to be right.
func made[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func stripeProvider() provider {
	const key, secret = "sk_test_practice_key_of_stripe", "whsec_practice_secret_of_stripe"
	return provider{
		name: stripe.Name, price: "2500", currency: "EUR", secret: secret, reserves: true, refundsFail: true,
		dialect: func(t *testing.T) sandbox.Dialect {
			return made[*standin.Dialect](t)(standin.New(standin.Config{APIKey: key}))
		},
		adapter: func(t *testing.T, c *counter) any {
			return made[*stripe.Adapter](t)(stripe.New(stripe.Config{
				Secrets: secrets(secret), APIKey: key, BaseURL: c.bench.URL + "/stripe",
			}))
		},
	}
}
