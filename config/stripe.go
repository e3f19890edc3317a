package config

import (
	"strings"

	"onceshop/providers/stripe"
)

// Stripe is set up with a key and a webhook secret.
type Stripe struct {
	APIKey        Secret         `env:"API_KEY" about:"Secret or restricted key, sk_… or rk_…."`
	WebhookSecret WebhookSecrets `env:"WEBHOOK_SECRET" about:"Signing secret of the webhook endpoint, whsec_…. May be several, as StableIn's."`
	BaseURL       string         `env:"BASE_URL" about:"Address of the API, without /v1. Unset: Stripe's own."`
}

func (p Stripe) webhookSecrets() WebhookSecrets { return p.WebhookSecret }

func (p Stripe) strength(secret string) error { return stripe.CheckSecret(secret) }

func (p Stripe) check(s section) {
	if s.key("API_KEY", p.APIKey) {
		key := p.APIKey.Reveal()
		if !strings.HasPrefix(key, "sk_") && !strings.HasPrefix(key, "rk_") {
			s.add("API_KEY", "is neither a secret key (sk_…) nor a restricted one (rk_…)")
		}
		s.mode("API_KEY", key,
			[]string{"sk_live_", "rk_live_", "sk_org_live_", "rk_org_live_"},
			[]string{"sk_test_", "rk_test_", "sk_org_test_", "rk_org_test_"})
	}
	s.address(p.BaseURL)
}

func (p Stripe) pages(bool) []string {
	if own := standIn(p.BaseURL, "stripe.com"); own != nil {
		return own
	}
	return []string{"https://checkout.stripe.com"}
}
