package config

import (
	"net/url"
	"slices"
	"strings"

	"onceshop/providers/stablein"
)

// CheckSandbox is Check for a sandbox that runs as a process of its own. It stands in
// for the providers that the shop speaks to, with the shop's own credentials of them.
func (c *Config) CheckSandbox() error {
	var f Faults
	checkDatabase(&f, "SANDBOX_DATABASE_URL", c.SandboxDatabaseURL)
	if c.SandboxDatabaseURL != "" && c.SandboxDatabaseURL == c.DatabaseURL {
		f.add("SANDBOX_DATABASE_URL", "is the shop's database; the sandbox wants one of its own")
	}
	if !isListenAddress(c.SandboxListen) {
		f.add("SANDBOX_LISTEN", "is not an address to listen on, such as 127.0.0.1:8090")
	}
	if _, problem := origin(c.SandboxPublicURL); problem != "" {
		f.add("SANDBOX_PUBLIC_URL", "%s", problem)
	}
	if required(&f, "SANDBOX_WEBHOOK_URL", c.SandboxWebhookURL) {
		c.checkSandboxWebhookURL(&f)
	}
	if c.SandboxTimeScale <= 0 || c.SandboxTimeScale > 1 {
		f.add("SANDBOX_TIME_SCALE", "is not above 0 and at most 1")
	}
	c.checkOffered(&f)
	configured := c.Configured()
	for _, p := range c.providers() {
		s := section{&f, p.name, false, ""}
		if p.name == stablein.Name {
			s.key("API_KEY", c.StableIn.APIKey) // the practice API takes it, whomever it is about
		}
		if slices.Contains(configured, p.name) {
			s.webhookSecrets(p)
		}
	}
	return f.inOrder().orNil()
}

// checkSandboxWebhookURL wants what is the same for all providers. With a name at its
// end it is the address that a provider is told, and easily taken for it.
func (c *Config) checkSandboxWebhookURL(f *Faults) {
	u, err := url.Parse(c.SandboxWebhookURL)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "":
		f.add("SANDBOX_WEBHOOK_URL", "is not a URL such as http://127.0.0.1:8080/webhooks")
	case slices.ContainsFunc(KnownProviders(), func(name string) bool { return strings.HasSuffix(strings.TrimRight(u.Path, "/"), "/"+name) }):
		f.add("SANDBOX_WEBHOOK_URL", "ends in a provider's name, which is added to it")
	}
}

// SandboxWebhook is where the sandbox sends a provider's events.
func (c *Config) SandboxWebhook(provider string) string {
	return strings.TrimRight(c.SandboxWebhookURL, "/") + "/" + provider
}
