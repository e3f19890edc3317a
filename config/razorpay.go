package config

import "onceshop/providers/razorpay"

// Razorpay is set up with a key, which has an id and a secret, and a webhook secret.
type Razorpay struct {
	KeyID         string         `env:"KEY_ID" about:"Id of the API key, rzp_…."`
	KeySecret     Secret         `env:"KEY_SECRET" about:"Secret of the API key."`
	WebhookSecret WebhookSecrets `env:"WEBHOOK_SECRET" about:"Secret of the webhook, which is another one than the key's. May be several, as StableIn's; keep the old one for a day."`
	Accounts      []string       `env:"ACCOUNTS" about:"Accounts, acc_…, whose events are the shop's, separated by commas. Unset: all that are rightly signed."`
	BaseURL       string         `env:"BASE_URL" about:"Address of the API, with its version. Unset: Razorpay's own."`
}

func (p Razorpay) webhookSecrets() WebhookSecrets { return p.WebhookSecret }

func (p Razorpay) strength(secret string) error { return razorpay.CheckSecret(secret) }

func (Razorpay) keys() []string { return []string{"KEY_ID", "KEY_SECRET"} }

func (p Razorpay) check(s section) {
	if s.required("KEY_ID", p.KeyID) {
		s.check("KEY_ID", razorpay.CheckKeyID(p.KeyID, s.live))
	}
	s.key("KEY_SECRET", p.KeySecret)
	s.check("ACCOUNTS", razorpay.CheckAccounts(p.Accounts))
	s.address(p.BaseURL)
}

func (p Razorpay) pages(bool) []string {
	if own := standIn(p.BaseURL, "razorpay.com"); own != nil {
		return own
	}
	return []string{"https://rzp.io", "https://api.razorpay.com"}
}
