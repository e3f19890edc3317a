package practicetest

import (
	"testing"

	"onceshop/providers/standardwebhooks"
	"onceshop/sandbox"
	standin "onceshop/sandbox/standardwebhooks"
)

func standardwebhooksProvider() provider {
	const key, secret = "practice-key-of-standard-webhooks", "whsec_cHJhY3RpY2Utc2VjcmV0LW9mLXRoZS1zaG9w"
	return provider{
		name: standardwebhooks.Name, price: "2500", currency: "EUR", secret: secret, reserves: true, refundsFail: true,
		dialect: func(t *testing.T) sandbox.Dialect {
			return made[*standin.Dialect](t)(standin.New(standin.Config{APIKey: key}))
		},
		adapter: func(t *testing.T, c *counter) any {
			return made[*standardwebhooks.Adapter](t)(standardwebhooks.New(standardwebhooks.Config{
				Secrets: secrets(secret), APIKey: key, BaseURL: c.bench.URL + "/standardwebhooks",
			}))
		},
	}
}
