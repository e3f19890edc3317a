package config

import (
	"strings"

	"onceshop/providers/adyen"
)

// Adyen is set up with a key, a webhook secret and a merchant account, and for real
// money with the prefix of the company's address.
type Adyen struct {
	APIKey           Secret         `env:"API_KEY" about:"Key for Adyen's API."`
	WebhookSecret    WebhookSecrets `env:"WEBHOOK_SECRET" about:"HMAC key of the standard webhook, in hexadecimal digits. May be several, as StableIn's."`
	MerchantAccounts []string       `env:"MERCHANT_ACCOUNTS" about:"Merchant accounts whose events are the shop's, separated by commas; payments are asked for in the first."`
	WebhookUser      string         `env:"WEBHOOK_USER" about:"User of the webhook's basic authentication. Advised: the signature leaves the date and the reason of an event open. Unset: none is asked for."`
	WebhookPassword  Secret         `env:"WEBHOOK_PASSWORD" about:"Password of that user."`
	CaptureMode      string         `env:"CAPTURE_MODE" envDefault:"automatic" about:"automatic or manual, as the merchant accounts are set: whether an authorisation is a payment."`
	LivePrefix       string         `env:"LIVE_PREFIX" about:"What the address of the company's live API begins with, from Adyen's Customer Area. Required with SHOP_MODE live."`
	BaseURL          string         `env:"BASE_URL" about:"Address of the API, with its version. Unset: Adyen's own, of the mode."`
}

func (p Adyen) webhookSecrets() WebhookSecrets { return p.WebhookSecret }

func (p Adyen) strength(secret string) error { return adyen.CheckSecret(secret) }

func (Adyen) keys() []string { return []string{"API_KEY"} }

func (p Adyen) check(s section) {
	s.key("API_KEY", p.APIKey)
	if s.required("MERCHANT_ACCOUNTS", strings.Join(p.MerchantAccounts, ",")) {
		s.check("MERCHANT_ACCOUNTS", adyen.CheckAccounts(p.MerchantAccounts))
	}
	ofUser, ofPassword := adyen.CheckBasic(p.WebhookUser, p.WebhookPassword.Reveal())
	s.check("WEBHOOK_USER", ofUser)
	s.check("WEBHOOK_PASSWORD", ofPassword)
	s.check("CAPTURE_MODE", adyen.CheckCaptureMode(adyen.CaptureMode(p.CaptureMode)))
	s.address(p.BaseURL)
	switch {
	case s.live && isOn(p.BaseURL, "checkout-test.adyen.com"):
		s.add("BASE_URL", "is the test platform's, and the shop is live"+modeTells)
	case !s.live && isOn(p.BaseURL, "adyenpayments.com"):
		s.add("BASE_URL", "is a live one, and the shop is in test mode"+modeTells)
	}
	if p.BaseURL == "" && s.live && s.required("LIVE_PREFIX", p.LivePrefix) {
		s.check("LIVE_PREFIX", adyen.CheckLivePrefix(p.LivePrefix))
	}
}

// pages know one region's live pages only.
func (p Adyen) pages(live bool) []string {
	switch own := standIn(p.BaseURL, "adyen.com"); {
	case own != nil && standIn(p.BaseURL, "adyenpayments.com") != nil:
		return own
	case live:
		return []string{"https://eu.adyen.link"}
	}
	return []string{"https://test.adyen.link"}
}
