package config

import "onceshop/providers/standardwebhooks"

// StandardWebhooks is set up with an API's address, a key and a webhook secret.
type StandardWebhooks struct {
	BaseURL       string         `env:"BASE_URL" about:"Address of the API of a platform that signs as Standard Webhooks do; /payments is added to it."`
	APIKey        Secret         `env:"API_KEY" about:"Key for that API."`
	WebhookSecret WebhookSecrets `env:"WEBHOOK_SECRET" about:"Secret that signs its webhooks, whsec_ and base64 of 24 to 64 bytes. May be several, as StableIn's."`
}

func (p StandardWebhooks) webhookSecrets() WebhookSecrets { return p.WebhookSecret }

func (p StandardWebhooks) strength(secret string) error { return standardwebhooks.CheckSecret(secret) }

func (StandardWebhooks) keys() []string { return []string{"API_KEY"} }

func (p StandardWebhooks) check(s section) {
	if s.required("BASE_URL", p.BaseURL) {
		s.address(p.BaseURL)
	}
	s.key("API_KEY", p.APIKey)
}

func (p StandardWebhooks) pages(bool) []string { return []string{originOf(p.BaseURL)} }
