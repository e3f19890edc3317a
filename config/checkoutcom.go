package config

import (
	"onceshop/providers/checkoutcom"
	"onceshop/providers/signing"
)

// CheckoutCom is set up with a key, a webhook secret and a country.
type CheckoutCom struct {
	APIKey              Secret         `env:"API_KEY" about:"Secret key, sk_…."`
	WebhookSecret       WebhookSecrets `env:"WEBHOOK_SECRET" about:"Signature key of the workflow's webhook action. May be several, as StableIn's."`
	BillingCountry      string         `env:"BILLING_COUNTRY" about:"Country that Checkout.com is told before the buyer has named one, two capital letters: mostly the shop's own."`
	ProcessingChannel   string         `env:"PROCESSING_CHANNEL" about:"Processing channel, pc_…, of accounts that have several."`
	AuthorizationHeader Secret         `env:"AUTHORIZATION_HEADER" about:"Fixed Authorization header that was set up with the webhook: deliveries need it beside their signature. Unset: none."`
	BaseURL             string         `env:"BASE_URL" about:"Address of the API. Unset: Checkout.com's own, of the mode. Newer accounts have one of their own."`
}

func (p CheckoutCom) webhookSecrets() WebhookSecrets { return p.WebhookSecret }

func (p CheckoutCom) strength(secret string) error { return signing.CheckSecret(secret) }

func (CheckoutCom) keys() []string { return []string{"API_KEY"} }

func (p CheckoutCom) check(s section) {
	if s.key("API_KEY", p.APIKey) {
		s.check("API_KEY", checkoutcom.CheckKey(p.APIKey.Reveal(), s.live))
	}
	if s.required("BILLING_COUNTRY", p.BillingCountry) {
		s.check("BILLING_COUNTRY", checkoutcom.CheckCountry(p.BillingCountry))
	}
	if p.ProcessingChannel != "" {
		s.check("PROCESSING_CHANNEL", checkoutcom.CheckChannel(p.ProcessingChannel))
	}
	if p.AuthorizationHeader != "" {
		s.check("AUTHORIZATION_HEADER", checkoutcom.CheckAuthorization(p.AuthorizationHeader.Reveal()))
	}
	s.address(p.BaseURL)
}

func (p CheckoutCom) pages(live bool) []string {
	switch own := standIn(p.BaseURL, "checkout.com"); {
	case own != nil:
		return own
	case live:
		return []string{"https://pay.checkout.com"}
	}
	return []string{"https://pay.sandbox.checkout.com"}
}
