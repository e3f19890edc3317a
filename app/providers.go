package app

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"onceshop/config"
	"onceshop/payment"
	"onceshop/providers/adyen"
	"onceshop/providers/checkoutcom"
	"onceshop/providers/payflow"
	"onceshop/providers/razorpay"
	"onceshop/providers/signing"
	"onceshop/providers/stablein"
	"onceshop/providers/standardwebhooks"
	"onceshop/providers/stripe"
	"onceshop/web/view"
	"onceshop/webhooks"
)

// Adapter is all that the shop asks of a provider; its users each want a part. It
// is a payment.Fetcher, or a payment.Folder where the provider can't be asked.
type Adapter interface {
	payment.Verifier
	payment.Creator
	payment.Refunder
	// Explain says of a delivery whether the shop would take it, and why not.
	Explain(header http.Header, raw []byte, now time.Time) signing.Explanation
	Close()
}

// known is one provider as the shop shows and makes it.
type known struct {
	label, hint string // for buyers
	make        func(parts) (Adapter, error)
}

// providers are all that are known, by their names in routes and records.
var providers = map[string]known{
	stablein.Name:         {"Stablecoin (StableIn)", "From your own wallet", makeStableIn},
	stripe.Name:           {"Card or wallet (Stripe)", "", makeStripe},
	checkoutcom.Name:      {"Card (Checkout.com)", "", makeCheckoutCom},
	adyen.Name:            {"Card or local methods (Adyen)", "", makeAdyen},
	razorpay.Name:         {"UPI, card, netbanking (Razorpay)", "", makeRazorpay},
	payflow.Name:          {"PayFlow", "", makePayFlow},
	standardwebhooks.Name: {"Pay online", "", makeStandardWebhooks},
}

// parts are what an adapter is made of.
type parts struct {
	*config.Config
	secrets []signing.Secret
	http    *http.Client
	now     func() time.Time
	// told are the stored events under one of our references; nil where there is no
	// database.
	told func(ctx context.Context, ref string) ([]payment.Event, error)
}

// Adapters makes the adapters of all configured providers, by name. A provider
// without a secret has none: nothing of it could be verified. They know no
// database. The caller closes them.
func Adapters(c *config.Config) (map[string]Adapter, error) { return adapters(c, Deps{}) }

func adapters(c *config.Config, d Deps) (map[string]Adapter, error) {
	all := map[string]Adapter{}
	for _, name := range c.Configured() {
		secrets, setting := c.WebhookSecretsOf(name)
		list, err := secrets.List()
		if err != nil {
			err = config.Faults{{Setting: setting, Problem: err.Error()}}
		} else if len(list) > 0 {
			all[name], err = adapter(c, d, name, list)
		}
		if err != nil {
			delete(all, name) // a nil in it
			closeAll(all)
			return nil, err
		}
	}
	return all, nil
}

// AdapterWith makes one provider's adapter with secrets that needn't be the
// configuration's, to look at a delivery by hand. The caller closes it.
func AdapterWith(c *config.Config, name string, secrets []signing.Secret) (Adapter, error) {
	return adapter(c, Deps{}, name, secrets)
}

func adapter(c *config.Config, d Deps, name string, secrets []signing.Secret) (Adapter, error) {
	provider, ok := providers[name]
	if !ok {
		return nil, fmt.Errorf("there is no provider %q", name)
	}
	p := parts{Config: c, secrets: secrets, http: d.HTTP, now: d.Now}
	if d.DB != nil {
		p.told = webhooks.Told{DB: d.DB, Provider: name}.Events
	}
	return provider.make(p)
}

func closeAll(all map[string]Adapter) {
	for _, a := range all {
		a.Close()
	}
}

// only narrows adapters to what one user needs of them, and leaves out those that
// can't do it.
func only[T any](all map[string]Adapter) map[string]T {
	narrowed := make(map[string]T, len(all))
	for name, a := range all {
		if t, ok := a.(T); ok {
			narrowed[name] = t
		}
	}
	return narrowed
}

// Ways are the configured providers in words for buyers, those on offer first.
func Ways(c *config.Config) []view.Way {
	var ways []view.Way
	for _, name := range c.Configured() {
		p := providers[name]
		if c.Demo {
			p.label += " – practice"
		}
		ways = append(ways, view.Way{Name: name, Label: p.label, Hint: p.hint})
	}
	return ways
}

// asAdapter keeps an adapter that couldn't be made from looking like one.
func asAdapter[T Adapter](a T, err error) (Adapter, error) {
	if err != nil {
		return nil, err
	}
	return a, nil
}

func makeStableIn(p parts) (Adapter, error) {
	return asAdapter(stablein.New(stablein.Config{
		Secrets: p.secrets, BaseURL: p.StableIn.BaseURL, APIKey: p.StableIn.APIKey.Reveal(), HTTP: p.http, Now: p.now,
	}))
}

func makeStripe(p parts) (Adapter, error) {
	return asAdapter(stripe.New(stripe.Config{
		Secrets: p.secrets, BaseURL: p.Stripe.BaseURL, APIKey: p.Stripe.APIKey.Reveal(), Live: p.Live(), HTTP: p.http, Now: p.now,
	}))
}

func makeCheckoutCom(p parts) (Adapter, error) {
	return asAdapter(checkoutcom.New(checkoutcom.Config{
		Secrets: p.secrets, BaseURL: p.CheckoutCom.BaseURL, APIKey: p.CheckoutCom.APIKey.Reveal(), Live: p.Live(),
		AuthorizationHeader: p.CheckoutCom.AuthorizationHeader.Reveal(), BillingCountry: p.CheckoutCom.BillingCountry,
		ProcessingChannelID: p.CheckoutCom.ProcessingChannel, HTTP: p.http, Now: p.now,
	}))
}

func makeAdyen(p parts) (Adapter, error) {
	return asAdapter(adyen.New(adyen.Config{
		Secrets: p.secrets, MerchantAccounts: p.Adyen.MerchantAccounts, CaptureMode: adyen.CaptureMode(p.Adyen.CaptureMode),
		BasicUser: p.Adyen.WebhookUser, BasicPassword: p.Adyen.WebhookPassword.Reveal(), APIKey: p.Adyen.APIKey.Reveal(), Live: p.Live(),
		LivePrefix: p.Adyen.LivePrefix, BaseURL: p.Adyen.BaseURL, Told: p.told, HTTP: p.http, Now: p.now,
	}))
}

func makeRazorpay(p parts) (Adapter, error) {
	return asAdapter(razorpay.New(razorpay.Config{
		Secrets: p.secrets, BaseURL: p.Razorpay.BaseURL, KeyID: p.Razorpay.KeyID, KeySecret: p.Razorpay.KeySecret.Reveal(),
		Accounts: p.Razorpay.Accounts, Live: p.Live(), HTTP: p.http, Now: p.now,
	}))
}

func makePayFlow(p parts) (Adapter, error) {
	return asAdapter(payflow.New(payflow.Config{
		Secrets: p.secrets, BaseURL: p.PayFlow.BaseURL, KeyID: p.PayFlow.KeyID, KeySecret: p.PayFlow.KeySecret.Reveal(),
		Currency: p.PayFlow.Currency, HTTP: p.http, Now: p.now,
	}))
}

func makeStandardWebhooks(p parts) (Adapter, error) {
	return asAdapter(standardwebhooks.New(standardwebhooks.Config{
		Secrets: p.secrets, BaseURL: p.StandardWebhooks.BaseURL, APIKey: p.StandardWebhooks.APIKey.Reveal(), HTTP: p.http, Now: p.now,
	}))
}
