package config

import (
	"regexp"
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

var livePrefix = regexp.MustCompile(`^[0-9A-Za-z]+(-[0-9A-Za-z]+)*$`)

func (p Adyen) check(s section) {
	s.key("API_KEY", p.APIKey)
	if s.required("MERCHANT_ACCOUNTS", strings.Join(p.MerchantAccounts, ",")) {
		p.checkAccounts(s)
	}
	switch {
	case p.WebhookUser == "" && p.WebhookPassword != "":
		s.add("WEBHOOK_USER", "is not set, but its password is")
	case p.WebhookUser != "" && p.WebhookPassword == "":
		s.add("WEBHOOK_PASSWORD", "is not set, but its user is")
	case strings.Contains(p.WebhookUser, ":"):
		s.add("WEBHOOK_USER", "has a colon in it, which ends a user's name")
	}
	if p.CaptureMode != string(adyen.Automatic) && p.CaptureMode != string(adyen.Manual) {
		s.add("CAPTURE_MODE", "is neither automatic nor manual")
	}
	s.address(p.BaseURL)
	switch {
	case s.live && isOn(p.BaseURL, "checkout-test.adyen.com"):
		s.add("BASE_URL", "is the test platform's, and the shop is live; %sMODE tells", Prefix)
	case !s.live && isOn(p.BaseURL, "adyenpayments.com"):
		s.add("BASE_URL", "is a live one, and the shop is in test mode; %sMODE tells", Prefix)
	}
	if p.BaseURL == "" && s.live && s.required("LIVE_PREFIX", p.LivePrefix) && !livePrefix.MatchString(p.LivePrefix) {
		s.add("LIVE_PREFIX", "is not one of letters, digits and hyphens")
	}
}

func (p Adyen) checkAccounts(s section) {
	seen := map[string]bool{}
	for _, account := range p.MerchantAccounts {
		switch {
		case account == "" || strings.ContainsAny(account, ": \t"):
			s.add("MERCHANT_ACCOUNTS", "has an account that is empty or has blanks or a colon in it")
			return
		case seen[account]:
			s.add("MERCHANT_ACCOUNTS", "has an account twice")
			return
		}
		seen[account] = true
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
