package config

import (
	"strings"

	"onceshop/providers/signing"
)

// StableIn is set up with its API's address, a key and a webhook secret.
type StableIn struct {
	BaseURL       string         `env:"BASE_URL" about:"Address of StableIn's API, without /v1."`
	APIKey        Secret         `env:"API_KEY" about:"Key for StableIn's API."`
	WebhookSecret WebhookSecrets `env:"WEBHOOK_SECRET" about:"Signs StableIn's webhooks; 16 bytes or more. Of every provider's webhook secret there may be several, separated by commas, that count at the same time: the old and the new one while they are changed, or those of two endpoints. Each may have a name before it, which is kept with the events that it verified, and behind it the last moment at which it counts: 2026-12:SECRET,2025-12:SECRET@2026-12-31T23:59:59Z. Without names they are current, previous, secret-3 and so on."`
}

func (p StableIn) webhookSecrets() WebhookSecrets { return p.WebhookSecret }

func (p StableIn) strength(secret string) error { return signing.CheckSecret(secret) }

func (StableIn) keys() []string { return []string{"API_KEY"} }

func (p StableIn) check(s section) {
	if s.required("BASE_URL", p.BaseURL) {
		s.address(p.BaseURL)
		if strings.HasSuffix(strings.TrimRight(p.BaseURL, "/"), "/v1") {
			s.add("BASE_URL", "ends in /v1, which is added to it")
		}
	}
	s.key("API_KEY", p.APIKey)
}

func (p StableIn) pages(bool) []string { return []string{originOf(p.BaseURL)} }
