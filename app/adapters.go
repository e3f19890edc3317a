package app

import (
	"context"
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
)

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
	standardwebhooks.Name: {"Online payment", "", makeStandardWebhooks},
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
