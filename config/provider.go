package config

import (
	"net/url"
	"strings"

	"onceshop/providers/signing"
	"onceshop/providers/stablein"
)

// StableInSecrets are the secrets that verify StableIn's webhooks, the first being
// the one in use.
func (c *Config) StableInSecrets() []signing.Secret {
	var list []signing.Secret
	if c.StableInWebhookSecret != "" {
		list = append(list, signing.Secret{ID: c.StableInWebhookSecretID, Key: c.StableInWebhookSecret.Reveal()})
	}
	if c.StableInWebhookSecretPrevious != "" {
		list = append(list, signing.Secret{ID: c.StableInWebhookPreviousID,
			Key: c.StableInWebhookSecretPrevious.Reveal(), ValidUntil: c.StableInWebhookPreviousUntil})
	}
	return list
}

// PaymentPages are the origins that a buyer is sent to for paying.
func (c *Config) PaymentPages() []string {
	if len(c.PayOrigins) > 0 {
		return c.PayOrigins
	}
	u, err := url.Parse(c.StableInBaseURL)
	if err != nil {
		return nil // Check has refused it
	}
	return []string{u.Scheme + "://" + u.Host}
}

func (c *Config) checkProvider(f *Faults) {
	for _, o := range c.PayOrigins {
		if _, problem := origin(o); problem != "" {
			f.add("PAY_ORIGINS", "has an origin that %s", problem)
			break
		}
	}
	if c.Provider != stablein.Name {
		f.add("PROVIDER", "is not a provider that is known here; there is %s", stablein.Name)
	}
	if required(f, "STABLEIN_BASE_URL", c.StableInBaseURL) {
		u, err := url.Parse(c.StableInBaseURL)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" ||
			u.User != nil || u.RawQuery != "" || u.Fragment != "" || strings.HasSuffix(u.Path, "/v1") {
			f.add("STABLEIN_BASE_URL", "is not an http or https URL such as https://api.stablein.example, without /v1")
		}
	}
	if required(f, "STABLEIN_API_KEY", c.StableInAPIKey.Reveal()) {
		if err := signing.CheckSecret(c.StableInAPIKey.Reveal()); err != nil {
			f.add("STABLEIN_API_KEY", "%v", err)
		}
	}
	if required(f, "STABLEIN_WEBHOOK_SECRET", c.StableInWebhookSecret.Reveal()) {
		if err := signing.CheckSecret(c.StableInWebhookSecret.Reveal()); err != nil {
			f.add("STABLEIN_WEBHOOK_SECRET", "%v", err)
		}
	}
	c.checkPrevious(f)
}

func (c *Config) checkPrevious(f *Faults) {
	if c.StableInWebhookSecretPrevious == "" {
		if !c.StableInWebhookPreviousUntil.IsZero() {
			f.add("STABLEIN_WEBHOOK_SECRET_PREVIOUS_UNTIL", "ends a secret that isn't set")
		}
		return
	}
	if err := signing.CheckSecret(c.StableInWebhookSecretPrevious.Reveal()); err != nil {
		f.add("STABLEIN_WEBHOOK_SECRET_PREVIOUS", "%v", err)
	} else if c.StableInWebhookSecretPrevious == c.StableInWebhookSecret {
		f.add("STABLEIN_WEBHOOK_SECRET_PREVIOUS", "is the same as SHOP_STABLEIN_WEBHOOK_SECRET")
	}
	if c.StableInWebhookPreviousID == c.StableInWebhookSecretID {
		f.add("STABLEIN_WEBHOOK_SECRET_PREVIOUS_ID", "is the id of the other secret as well")
	}
}
