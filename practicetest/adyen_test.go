package practicetest

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"onceshop/payment"
	"onceshop/providers/adyen"
	"onceshop/sandbox"
	standin "onceshop/sandbox/adyen"
	"onceshop/webhooks"
)

func adyenProvider() provider { return adyenThat(standin.Manual) }

// adyenThat captures as the merchant account is set to.
func adyenThat(captures string) provider {
	const (
		key, account   = "AQE-practice-key-of-adyen", "PracticeECOM"
		secret         = "0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF"
		user, password = "practice", "practice-password"
	)
	return provider{
		name: adyen.Name, price: "2500", currency: "EUR", secret: secret, reserves: captures == standin.Manual, takesBack: true, refundsFail: true,
		dialect: func(t *testing.T) sandbox.Dialect {
			return made[*standin.Dialect](t)(standin.New(standin.Config{
				APIKey: key, MerchantAccount: account, CaptureMode: captures, BasicUser: user, BasicPassword: password,
			}))
		},
		adapter: func(t *testing.T, c *counter) any {
			return made[*adyen.Adapter](t)(adyen.New(adyen.Config{
				Secrets: secrets(secret), MerchantAccounts: []string{account}, BasicUser: user, BasicPassword: password,
				CaptureMode: adyen.CaptureMode(captures), APIKey: key, BaseURL: c.bench.URL + "/adyen",
				// The shop, whose events these are, is made after its adapters.
				Told: func(ctx context.Context, ref string) ([]payment.Event, error) {
					return webhooks.Told{DB: c.DB, Provider: adyen.Name}.Events(ctx, ref)
				},
			}))
		},
	}
}

// TestWhatAnAccountThatCapturesByItselfTellsBackwardsEndsAsInOrder: there an
// authorisation is all that is told of a payment.
func TestWhatAnAccountThatCapturesByItselfTellsBackwardsEndsAsInOrder(t *testing.T) {
	t.Parallel()
	p := adyenThat(standin.Automatic)
	c := open(t, p)
	for _, tale := range stories(p) {
		inOrder, backwards := c.sell(1), c.sell(1)
		inOrder.through(tale...)
		for _, step := range tale {
			backwards.act(step)
		}
		mail := c.post.Take()
		slices.Reverse(mail)
		for _, l := range mail {
			c.hand(l)
			c.work()
		}
		if d := cmp.Diff(inOrder.outcome().settled(), backwards.outcome().settled(), cmpopts.EquateEmpty()); d != "" {
			t.Errorf("%v:\n%s", tale, d)
		}
		if o := inOrder.now(); o.ReviewReason != nil || o.PaymentStatus == payment.Pending {
			t.Errorf("%v ended as %+v", tale, inOrder.outcome())
		}
	}
}
