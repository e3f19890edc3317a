package main

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"onceshop/config"
	"onceshop/providers/adyen"
	"onceshop/providers/checkoutcom"
	"onceshop/providers/payflow"
	"onceshop/providers/razorpay"
	"onceshop/providers/stablein"
	"onceshop/providers/standardwebhooks"
	"onceshop/providers/stripe"
	"onceshop/sandbox"
	adyenstandin "onceshop/sandbox/adyen"
	checkoutcomstandin "onceshop/sandbox/checkoutcom"
	payflowstandin "onceshop/sandbox/payflow"
	razorpaystandin "onceshop/sandbox/razorpay"
	standardstandin "onceshop/sandbox/standardwebhooks"
	stripestandin "onceshop/sandbox/stripe"
)

// standIn is how a provider is practised with on this machine, without an account.
type standIn struct {
	title string
	// path leads from the sandbox to the API that it stands in for.
	path string
	// settings are what an account would come with, in the provider's own form.
	settings []madeUp
	// dialect is what the sandbox is to speak; nil: it always does.
	dialect func(c *config.Config) (sandbox.Dialect, error)
	// word is a change in the provider's own language, for shop trigger.
	word string
}

// madeUp is a setting that is made up once and then kept.
type madeUp struct {
	name string // as config.SettingOf takes it
	make func() string
}

// standIns are all that there are, by the names of the providers.
var standIns = map[string]standIn{
	stablein.Name: {
		title: "StableIn", word: "payment.paid",
		settings: []madeUp{{"API_KEY", newSecret}, {"WEBHOOK_SECRET", newSecret}},
	},
	stripe.Name: {
		title: "Stripe", path: "/stripe", word: "charge.refunded",
		settings: []madeUp{{"API_KEY", after("sk_test_")}, {"WEBHOOK_SECRET", after("whsec_")}},
		dialect: func(c *config.Config) (sandbox.Dialect, error) {
			return dialect(stripestandin.New(stripestandin.Config{APIKey: c.Stripe.APIKey.Reveal()}))
		},
	},
	checkoutcom.Name: {
		title: "Checkout.com", path: "/checkoutcom", word: "payment_refunded",
		settings: []madeUp{{"API_KEY", after("sk_sbox_")}, {"WEBHOOK_SECRET", newSecret}, {"BILLING_COUNTRY", always("DE")}},
		dialect: func(c *config.Config) (sandbox.Dialect, error) {
			return dialect(checkoutcomstandin.New(checkoutcomstandin.Config{
				APIKey: c.CheckoutCom.APIKey.Reveal(), AuthorizationHeader: c.CheckoutCom.AuthorizationHeader.Reveal(),
			}))
		},
	},
	adyen.Name: {
		title: "Adyen", path: "/adyen/v71", word: "REFUND",
		settings: []madeUp{
			{"API_KEY", after("AQE")}, {"WEBHOOK_SECRET", func() string { return strings.ToUpper(hex.EncodeToString(random(32))) }},
			{"MERCHANT_ACCOUNTS", always("OnceshopPractice")}, {"WEBHOOK_USER", always("onceshop")}, {"WEBHOOK_PASSWORD", rand.Text},
		},
		dialect: func(c *config.Config) (sandbox.Dialect, error) {
			return dialect(adyenstandin.New(adyenstandin.Config{
				APIKey: c.Adyen.APIKey.Reveal(), MerchantAccount: first(c.Adyen.MerchantAccounts), CaptureMode: c.Adyen.CaptureMode,
				BasicUser: c.Adyen.WebhookUser, BasicPassword: c.Adyen.WebhookPassword.Reveal(),
			}))
		},
	},
	razorpay.Name: {
		title: "Razorpay", path: "/razorpay/v1", word: "refund.processed",
		settings: []madeUp{{"KEY_ID", after("rzp_test_")}, {"KEY_SECRET", rand.Text}, {"WEBHOOK_SECRET", rand.Text}},
		dialect: func(c *config.Config) (sandbox.Dialect, error) {
			return dialect(razorpaystandin.New(razorpaystandin.Config{
				KeyID: c.Razorpay.KeyID, KeySecret: c.Razorpay.KeySecret.Reveal(), Account: first(c.Razorpay.Accounts),
			}))
		},
	},
	payflow.Name: {
		title: "PayFlow", path: "/payflow", word: "refund.success",
		settings: []madeUp{{"KEY_ID", after("pf_test_")}, {"KEY_SECRET", rand.Text}, {"WEBHOOK_SECRET", rand.Text}},
		dialect: func(c *config.Config) (sandbox.Dialect, error) {
			return dialect(payflowstandin.New(payflowstandin.Config{
				KeyID: c.PayFlow.KeyID, KeySecret: c.PayFlow.KeySecret.Reveal(), Currency: c.PayFlow.Currency,
			}))
		},
	},
	standardwebhooks.Name: {
		title: "Standard Webhooks", path: "/standardwebhooks", word: "payment.refunded",
		settings: []madeUp{{"API_KEY", newSecret}, {"WEBHOOK_SECRET", func() string { return "whsec_" + newSecret() }}},
		dialect: func(c *config.Config) (sandbox.Dialect, error) {
			return dialect(standardstandin.New(standardstandin.Config{APIKey: c.StandardWebhooks.APIKey.Reveal()}))
		},
	},
}

// after makes up a text that begins so.
func after(prefix string) func() string { return func() string { return prefix + rand.Text() } }

// always is a setting that has nothing to hide.
func always(value string) func() string { return func() string { return value } }

// first is the one of several that is practised with; empty if there is none.
func first(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return names[0]
}

// dialect keeps one that couldn't be made from looking like one.
func dialect[D sandbox.Dialect](d D, err error) (sandbox.Dialect, error) {
	if err != nil {
		return nil, err
	}
	return d, nil
}

// practisable are the names of all that there are stand-ins for.
func practisable() []string {
	return slices.DeleteFunc(config.KnownProviders(), func(name string) bool { _, ok := standIns[name]; return !ok })
}

// titles are providers in words.
func titles(names []string) string {
	var list []string
	for _, name := range names {
		list = append(list, standIns[name].title)
	}
	return strings.Join(list, ", ")
}

// choice is the flag of commands that set up providers to practise with.
type choice struct {
	Provider []string `help:"Whom buyers may pay through, the preferred one first: ${providers}; several with commas, or all. Default: stablein." default:"stablein" placeholder:"NAME"`
}

// Validate is asked by the parser.
func (c *choice) Validate() error { _, err := c.names(); return err }

// names are the providers that were chosen, each once.
func (c *choice) names() ([]string, error) {
	var names []string
	for _, name := range c.Provider {
		name = strings.TrimSpace(name)
		chosen := []string{name}
		switch {
		case name == "all":
			chosen = practisable()
		case !slices.Contains(practisable(), name):
			return nil, fmt.Errorf("there is no provider %q; there are %s, and all", name, strings.Join(practisable(), ", "))
		}
		for _, name := range chosen {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("no provider is named; there are %s, and all", strings.Join(practisable(), ", "))
	}
	return names, nil
}
