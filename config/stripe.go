package config

import "onceshop/providers/stripe"

// Stripe is set up with a key and a webhook secret.
type Stripe struct {
	APIKey        Secret         `env:"API_KEY" about:"Secret or restricted key, sk_… or rk_…."`
	WebhookSecret WebhookSecrets `env:"WEBHOOK_SECRET" about:"Signing secret of the webhook endpoint, whsec_…. May be several, as StableIn's."`
	BaseURL       string         `env:"BASE_URL" about:"Address of the API, without /v1. Unset: Stripe's own."`
}

func (p Stripe) webhookSecrets() WebhookSecrets { return p.WebhookSecret }

func (p Stripe) strength(secret string) error { return stripe.CheckSecret(secret) }

func (Stripe) keys() []string { return []string{"API_KEY"} }

func (p Stripe) check(s section) {
	if s.key("API_KEY", p.APIKey) {
		s.check("API_KEY", stripe.CheckKey(p.APIKey.Reveal(), s.live))
	}
	s.address(p.BaseURL)
}

func (p Stripe) pages(bool) []string {
	if own := standIn(p.BaseURL, "stripe.com"); own != nil {
		return own
	}
	return []string{"https://checkout.stripe.com"}
}
