package practicetest

import (
	"context"
	"testing"

	"onceshop/payment"
	"onceshop/providers/adyen"
	"onceshop/sandbox"
	standin "onceshop/sandbox/adyen"
	"onceshop/webhooks"
)

func adyenProvider() provider {
	const (
		key, account   = "AQE-practice-key-of-adyen", "PracticeECOM"
		secret         = "0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF"
		user, password = "practice", "practice-password"
	)
	return provider{
		name: adyen.Name, price: "2500", currency: "EUR", secret: secret, reserves: true, takesBack: true, refundsFail: true,
		dialect: func(t *testing.T) sandbox.Dialect {
			return made[*standin.Dialect](t)(standin.New(standin.Config{
				APIKey: key, MerchantAccount: account, CaptureMode: standin.Manual, BasicUser: user, BasicPassword: password,
			}))
		},
		adapter: func(t *testing.T, c *counter) any {
			return made[*adyen.Adapter](t)(adyen.New(adyen.Config{
				Secrets: secrets(secret), MerchantAccounts: []string{account}, BasicUser: user, BasicPassword: password,
				CaptureMode: adyen.Manual, APIKey: key, BaseURL: c.bench.URL + "/adyen",
				// The shop, whose events these are, is made after its adapters.
				Told: func(ctx context.Context, ref string) ([]payment.Event, error) {
					return webhooks.Told{DB: c.DB, Provider: adyen.Name}.Events(ctx, ref)
				},
			}))
		},
	}
}
