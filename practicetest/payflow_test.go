package practicetest

import (
	"testing"

	"onceshop/providers/payflow"
	"onceshop/sandbox"
	standin "onceshop/sandbox/payflow"
)

func payflowProvider() provider {
	const id, key, secret = "pf_practice_key", "practice-key-secret-of-payflow", "practice-webhook-secret-of-payflow"
	return provider{
		name: payflow.Name, price: "2500", currency: "INR", secret: secret, reserves: true,
		dialect: func(t *testing.T) sandbox.Dialect {
			return made[*standin.Dialect](t)(standin.New(standin.Config{KeyID: id, KeySecret: key}))
		},
		adapter: func(t *testing.T, c *counter) any {
			return made[*payflow.Adapter](t)(payflow.New(payflow.Config{
				Secrets: secrets(secret), KeyID: id, KeySecret: key, BaseURL: c.bench.URL + "/payflow",
			}))
		},
	}
}
