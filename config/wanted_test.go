package config_test

import (
	"strings"
	"testing"
)

func TestAnEmptySecretSaysWhatItIsWantedFor(t *testing.T) {
	t.Parallel()
	lists := ", and SHOP_PROVIDERS lists stripe"
	for name, c := range map[string]struct{ provider, setting, want string }{
		"a listed provider's key":    {"stripe", "SHOP_STRIPE_API_KEY", "is empty" + lists},
		"a listed provider's secret": {"stripe", "SHOP_STRIPE_WEBHOOK_SECRET", "is empty" + lists},
		"another provider's key":     {"stripe", "SHOP_ADYEN_API_KEY", "is empty; leave it out if it isn't wanted"},
		"the shop's own":             {"stripe", "SHOP_SECRET", "is empty"},
		"what no shop needs":         {"stripe", "SHOP_SANDBOX_DATABASE_URL", "is empty; leave it out if it isn't wanted"},
	} {
		faults := faultsOf(t, with(t, c.provider, map[string]string{c.setting: ""}))
		if len(faults) != 1 || faults.Of(c.setting) != c.want {
			t.Errorf("%s: want %q, got %v", name, c.want, faults)
		}
	}
}

func TestTheListOfProvidersIsOfKnownOnesAndNotEmpty(t *testing.T) {
	t.Parallel()
	for value, problem := range map[string]string{
		"":                      "lists no provider, so that nobody could pay; left out, it is stablein",
		"strype":                `names "strype", which isn't known; there are, separated by commas without blanks, stablein, stripe, `,
		"stablein, stripe":      `names " stripe", which isn't known`,
		"sk_live_pasted-in-bad": "names a provider, which isn't known",
		"stablein,stablein":     "names a provider twice",
	} {
		faults := faultsOf(t, environment(map[string]string{"SHOP_PROVIDERS": value, "SHOP_MODE": "test"}))
		if len(faults) != 1 || !strings.HasPrefix(faults.Of("SHOP_PROVIDERS"), problem) {
			t.Errorf("%q: want %q, got %v", value, problem, faults)
		}
	}
}
