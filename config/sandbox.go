package config

import (
	"net/url"

	"onceshop/providers/stablein"
)

// CheckSandbox is Check for a sandbox that runs as a process of its own.
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
		u, err := url.Parse(c.SandboxWebhookURL)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
			f.add("SANDBOX_WEBHOOK_URL", "is not a URL such as http://127.0.0.1:8080/webhooks/stablein")
		}
	}
	if c.SandboxTimeScale <= 0 || c.SandboxTimeScale > 1 {
		f.add("SANDBOX_TIME_SCALE", "is not above 0 and at most 1")
	}
	stableIn := section{&f, prefixOf(stablein.Name), c.Live()}
	stableIn.key("API_KEY", c.StableIn.APIKey)
	stableIn.webhookSecrets(c.StableIn)
	return f.inOrder().orNil()
}
