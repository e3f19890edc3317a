package practicetest

import (
	"testing"

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
