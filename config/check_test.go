package config_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"onceshop/config"
)

func TestAUsableConfigurationHasNoFaults(t *testing.T) {
	t.Parallel()
	if faults := faultsOf(t, environment(nil)); faults != nil {
		t.Fatal(faults)
	}
}

func TestUnusableSecretsStopTheStart(t *testing.T) {
	t.Parallel()
	unusable := []string{"", "whsec_", "whsec_!!!!", " stablein-shop-secret-current", "stablein-shop-secret-current ",
		"stablein-shop-secret-current\t", "REPLACE_ME", "change-me-change-me", "fifteen-bytes-x", "xxxxxxxxxxxxxxxxxxxxxxxx", "<your secret here>"}
	for _, name := range []string{"SHOP_STABLEIN_WEBHOOK_SECRET", "SHOP_STABLEIN_API_KEY",
		"SHOP_SECRET", "SHOP_LICENSE_SECRET", "SHOP_LICENSE_SIGNING_KEY"} {
		for _, value := range unusable {
			faults := faultsOf(t, environment(map[string]string{name: value}))
			if len(faults) != 1 || faults[0].Setting != name {
				t.Errorf("%s=%q: want one fault of it, got %v", name, value, faults)
				continue
			}
			if value != "" && strings.Contains(faults.Error(), value) {
				t.Errorf("%s=%q: the fault repeats the value: %s", name, value, faults)
			}
		}
	}
}

func TestWhatIsMissingIsNamed(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"SHOP_BASE_URL", "SHOP_DATABASE_URL", "SHOP_SECRET", "SHOP_LICENSE_SECRET", "SHOP_LICENSE_SIGNING_KEY",
		"SHOP_STABLEIN_BASE_URL", "SHOP_STABLEIN_API_KEY", "SHOP_STABLEIN_WEBHOOK_SECRET", "SHOP_MAIL_URL", "SHOP_MAIL_FROM"} {
		faults := faultsOf(t, environment(nil, name))
		if len(faults) != 1 || faults[0].Setting != name || !strings.HasPrefix(faults[0].Problem, "is not set") {
			t.Errorf("without %s: %v", name, faults)
		}
	}
}

func TestAllFaultsAreReportedTogetherWithoutTheirValues(t *testing.T) {
	t.Parallel()
	const marker = "hunter2-value"
	changes := map[string]string{}
	names := []string{"SHOP_BASE_URL", "SHOP_DEMO", "SHOP_TIME_ZONE", "SHOP_SKIP_LOCKED", "SHOP_LISTEN", "SHOP_ROLES", "SHOP_SECRET",
		"SHOP_LICENSE_SIGNING_KEY", "SHOP_PROVIDERS", "SHOP_MODE", "SHOP_ORDER_LIFETIME", "SHOP_STABLEIN_BASE_URL",
		"SHOP_STABLEIN_WEBHOOK_SECRET", "SHOP_MAIL_URL", "SHOP_MAIL_FROM", "SHOP_CONTACT", "SHOP_LOG_LEVEL", "SHOP_LOG_FORMAT", "SHOP_DATABASE_URL"}
	for _, name := range names {
		changes[name] = marker
	}
	// What isn't of the right form is reported at once, what it means at the next look.
	form := faultsOf(t, environment(changes))
	for _, name := range []string{"SHOP_DEMO", "SHOP_SKIP_LOCKED", "SHOP_ORDER_LIFETIME", "SHOP_LOG_LEVEL"} {
		if form.Of(name) == "" {
			t.Errorf("no fault of %s in:\n%v", name, form)
		}
		delete(changes, name)
	}
	meaning := faultsOf(t, environment(changes))
	for name := range changes {
		if meaning.Of(name) == "" {
			t.Errorf("no fault of %s in:\n%v", name, meaning)
		}
	}
	for _, text := range []string{form.Error(), meaning.Error()} {
		if strings.Contains(text, marker) {
			t.Errorf("a value is repeated in:\n%s", text)
		}
	}
}

func TestSettingsAreHeldToTheirRules(t *testing.T) {
	t.Parallel()
	seed := base64.StdEncoding.EncodeToString(make([]byte, 32))
	for _, c := range []struct{ name, value, problem string }{
		{"SHOP_BASE_URL", "http://shop.example", "is not https"},
		{"SHOP_BASE_URL", "https://shop.example/", "more than scheme, host and port"},
		{"SHOP_BASE_URL", "https://user:pass@shop.example", "more than scheme, host and port"},
		{"SHOP_BASE_URL", "shop.example", "is not an http or https URL"},
		{"SHOP_SECRET", "only-thirty-one-bytes-as-it-is.", "shorter than 32 bytes"},
		{"SHOP_LICENSE_SECRET", "an-order-secret-of-at-least-32-bytes", "is the same as SHOP_SECRET"},
		{"SHOP_LICENSE_SIGNING_KEY", seed, "placeholder"},
		{"SHOP_LICENSE_SIGNING_KEY", "MTIz", "not of 32 bytes"},
		{"SHOP_LICENSE_SIGNING_KEY", "-----BEGIN PRIVATE KEY-----", "is not whole"},
		{"SHOP_OPERATIONS_LISTEN", "127.0.0.1:8080", "is the address of SHOP_LISTEN"},
		{"SHOP_LISTEN", "127.0.0.1", "is not an address to listen on"},
		{"SHOP_LISTEN", "127.0.0.1:99999", "is not an address to listen on"},
		{"SHOP_ROLES", "web,cook", "a role that doesn't exist"},
		{"SHOP_ORDER_LIFETIME", "5s", "between one minute"},
		{"SHOP_MAIL_URL", "mailbox:", "shows everybody's mails"},
		{"SHOP_MAIL_URL", "imap://mail.example", "is not usable: want smtp://"},
		{"SHOP_MAIL_URL", "smtp://", "is not usable: the host is missing"},
		{"SHOP_DATABASE_URL", "postgres", "is not usable: not understood"},
		{"SHOP_DATABASE_URL", "mysql://shop:db-password@127.0.0.1", "no database on it"},
		{"SHOP_MAIL_FROM", "Our Shop", "is not a mail address"},
		{"SHOP_MAIL_FROM", "shop@localhost", "is not a mail address"},
		{"SHOP_CONTACT", "help", "is not a mail address"},
		{"SHOP_CONTACT", "help@localhost", "is not a mail address"},
		{"SHOP_STABLEIN_BASE_URL", "https://api.stablein.example/v1", "ends in /v1"},
		{"SHOP_STABLEIN_BASE_URL", "https://user@api.stablein.example", "without user"},
		{"SHOP_PAY_ORIGINS", "https://pay.example/path", "has an origin that"},
		{"SHOP_MODE", "sandbox", "is neither live nor test"},
		{"SHOP_PROVIDERS", "stablein,paypal", "there are, separated by commas without blanks, stablein, stripe, checkoutcom, adyen, razorpay, payflow, standardwebhooks"},
		{"SHOP_PROVIDERS", "stablein,stablein", "names a provider twice"},
	} {
		faults := faultsOf(t, environment(map[string]string{c.name: c.value}))
		if len(faults) != 1 || !strings.Contains(faults.Of(c.name), c.problem) {
			t.Errorf("%s=%s: want %q, got %v", c.name, c.value, c.problem, faults)
		}
	}
}

func TestPlainHTTPIsForThisMachineAndForDemos(t *testing.T) {
	t.Parallel()
	for _, base := range []string{"http://127.0.0.1:8080", "http://localhost:8080", "http://[::1]:8080"} {
		if faults := faultsOf(t, environment(map[string]string{"SHOP_BASE_URL": base})); faults != nil {
			t.Errorf("%s: %v", base, faults)
		}
	}
	demo := map[string]string{"SHOP_DEMO": "true", "SHOP_BASE_URL": "http://demo.example", "SHOP_MAIL_URL": "mailbox:"}
	if faults := faultsOf(t, environment(demo)); faults != nil {
		t.Error(faults)
	}
}

func TestASandboxWantsADatabaseOfItsOwn(t *testing.T) {
	t.Parallel()
	c := load(t, environment(map[string]string{"SHOP_SANDBOX_DATABASE_URL": "mysql://shop:db-password@127.0.0.1/shop",
		"SHOP_SANDBOX_WEBHOOK_URL": "http://127.0.0.1:8080/webhooks/"}))
	err := c.CheckSandbox()
	if err == nil {
		t.Fatal("the shop's database was taken for the sandbox")
	}
	mustContain(t, err.Error(), "SHOP_SANDBOX_DATABASE_URL is the shop's database")
	c.SandboxDatabaseURL = "mysql://shop:db-password@127.0.0.1/sandbox"
	if err := c.CheckSandbox(); err != nil {
		t.Fatal(err)
	}
}

func TestASandboxSendsToTheShopsAddressOfEachProvider(t *testing.T) {
	t.Parallel()
	c := load(t, environment(map[string]string{"SHOP_SANDBOX_DATABASE_URL": "mysql://shop:db-password@127.0.0.1/sandbox",
		"SHOP_SANDBOX_WEBHOOK_URL": "http://127.0.0.1:8080/webhooks/"}))
	if got := c.SandboxWebhook("stripe"); got != "http://127.0.0.1:8080/webhooks/stripe" {
		t.Errorf("it sends to %s", got)
	}
	for url, problem := range map[string]string{
		"http://127.0.0.1:8080/webhooks/stablein": "ends in a provider's name",
		"http://127.0.0.1:8080/webhooks?for=all":  "is not a URL such as",
		"127.0.0.1:8080/webhooks":                 "is not a URL such as",
		"":                                        "is not set",
	} {
		c.SandboxWebhookURL = url
		if err := c.CheckSandbox(); err == nil || !strings.Contains(err.Error(), "SHOP_SANDBOX_WEBHOOK_URL "+problem) {
			t.Errorf("%q: want %q, got %v", url, problem, err)
		}
	}
}

func TestASandboxWantsTheSecretsOfThoseItStandsInFor(t *testing.T) {
	t.Parallel()
	alone := map[string]string{"SHOP_SANDBOX_DATABASE_URL": "mysql://shop:db-password@127.0.0.1/sandbox",
		"SHOP_SANDBOX_WEBHOOK_URL": "http://127.0.0.1:8080/webhooks", "SHOP_PROVIDERS": "stripe"}
	c, err := config.Load(environment(alone, "SHOP_STABLEIN_API_KEY", "SHOP_STABLEIN_WEBHOOK_SECRET"))
	if err != nil {
		t.Fatal(err)
	}
	err = c.CheckSandbox()
	if err == nil {
		t.Fatal("a sandbox without secrets was taken")
	}
	mustContain(t, err.Error(), "SHOP_STRIPE_WEBHOOK_SECRET is not set")
	mustContain(t, err.Error(), "SHOP_STABLEIN_API_KEY is not set") // of the practice API
	if strings.Contains(err.Error(), "SHOP_STABLEIN_WEBHOOK_SECRET") {
		t.Errorf("a provider that isn't on offer is asked for: %v", err)
	}
}
