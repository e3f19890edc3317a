package practicetest

import (
	"testing"

	"onceshop/providers/razorpay"
	"onceshop/sandbox"
	standin "onceshop/sandbox/razorpay"
)

func razorpayProvider() provider {
	const id, key, secret = "rzp_test_practice_key", "practice-key-secret-of-razorpay", "practice-webhook-secret-of-razorpay"
	return provider{
		name: razorpay.Name, price: "2500", currency: "INR", secret: secret, reserves: true, refundsFail: true,
		dialect: func(t *testing.T) sandbox.Dialect {
			return made[*standin.Dialect](t)(standin.New(standin.Config{KeyID: id, KeySecret: key}))
		},
		adapter: func(t *testing.T, c *counter) any {
			return made[*razorpay.Adapter](t)(razorpay.New(razorpay.Config{
				Secrets: secrets(secret), Accounts: []string{standin.DefaultAccount}, KeyID: id, KeySecret: key, BaseURL: c.bench.URL + "/razorpay/v1",
			}))
		},
	}
}
