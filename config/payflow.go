package config

import (
	"onceshop/providers/call"
	"onceshop/providers/payflow"
	"onceshop/providers/signing"
)

// PayFlow is set up with its API's address, a key, which has an id and a secret,
// and a webhook secret.
type PayFlow struct {
	BaseURL       string         `env:"BASE_URL" about:"Address of PayFlow's API."`
	KeyID         string         `env:"KEY_ID" about:"Id of the key for that API."`
	KeySecret     Secret         `env:"KEY_SECRET" about:"Secret of that key."`
	WebhookSecret WebhookSecrets `env:"WEBHOOK_SECRET" about:"Signs PayFlow's webhooks. May be several, as StableIn's."`
	Currency      string         `env:"CURRENCY" envDefault:"INR" about:"The one currency that the account takes: PayFlow's events name none."`
}

func (p PayFlow) webhookSecrets() WebhookSecrets { return p.WebhookSecret }

func (p PayFlow) strength(secret string) error { return signing.CheckSecret(secret) }

func (PayFlow) keys() []string { return []string{"KEY_ID", "KEY_SECRET"} }

func (p PayFlow) check(s section) {
	if s.required("BASE_URL", p.BaseURL) {
		s.address(p.BaseURL)
	}
	if s.required("KEY_ID", p.KeyID) {
		s.check("KEY_ID", call.CheckUser(p.KeyID))
	}
	s.key("KEY_SECRET", p.KeySecret)
	s.check("CURRENCY", payflow.CheckCurrency(p.Currency))
}

func (p PayFlow) pages(bool) []string { return []string{originOf(p.BaseURL)} }
