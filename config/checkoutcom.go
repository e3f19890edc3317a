package config

import (
	"regexp"
	"strings"

	"onceshop/providers/checkoutcom"
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

func (p CheckoutCom) strength(secret string) error { return checkoutcom.CheckSecret(secret) }

var countryCode = regexp.MustCompile(`^[A-Z]{2}$`)

func (p CheckoutCom) check(s section) {
	if s.key("API_KEY", p.APIKey) {
		key := p.APIKey.Reveal()
		if !strings.HasPrefix(key, "sk_") {
			s.add("API_KEY", "is no secret key, which begins with sk_")
		}
		s.mode("API_KEY", key, []string{"sk_"}, []string{"sk_sbox_", "sk_test_"})
	}
	if s.required("BILLING_COUNTRY", p.BillingCountry) && !countryCode.MatchString(p.BillingCountry) {
		s.add("BILLING_COUNTRY", "is not a country of two capital letters, such as DE")
	}
	if p.AuthorizationHeader != "" && strings.TrimSpace(p.AuthorizationHeader.Reveal()) != p.AuthorizationHeader.Reveal() {
		s.add("AUTHORIZATION_HEADER", "has white space around it")
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
