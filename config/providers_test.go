package config_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"onceshop/config"
)

// secretsOfTests are webhook secrets that each provider could have made.
var secretsOfTests = map[string]string{
	"stablein":         "stablein-shop-secret-current",
	"stripe":           "whsec_stripe-secret-for-tests-only",
	"checkoutcom":      "checkoutcom-key-for-tests",
	"adyen":            "44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056",
	"razorpay":         "razorpay-secret-for-tests",
	"payflow":          "payflow-secret-for-tests",
	"standardwebhooks": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
}

// settingsOfTests are what each provider needs beside its webhook secret, in test
// mode.
var settingsOfTests = map[string]map[string]string{
	"stablein":         {},
	"stripe":           {"API_KEY": "sk_test_key-for-these-tests"},
	"checkoutcom":      {"API_KEY": "sk_sbox_key-for-these-tests", "BILLING_COUNTRY": "DE"},
	"adyen":            {"API_KEY": "adyen-key-for-these-tests", "MERCHANT_ACCOUNTS": "OnceshopECOM"},
	"razorpay":         {"KEY_ID": "rzp_test_keyForTheseTests", "KEY_SECRET": "razorpay-key-for-these-tests"},
	"payflow":          {"BASE_URL": "https://api.payflow.example", "KEY_ID": "key-of-these-tests", "KEY_SECRET": "payflow-key-for-these-tests"},
	"standardwebhooks": {"BASE_URL": "https://api.standard.example", "API_KEY": "standard-key-for-these-tests"},
}

// sampleOf are the webhook secret and the settings that tests give a provider.
func sampleOf(t *testing.T, provider string) (secret string, settings map[string]string) {
	t.Helper()
	secret, settings = secretsOfTests[provider], settingsOfTests[provider]
	if secret == "" || settings == nil {
		t.Fatalf("%s has no samples: add it to secretsOfTests and settingsOfTests in config/providers_test.go", provider)
	}
	return secret, settings
}

// with is a usable configuration in test mode that offers one provider.
func with(t *testing.T, provider string, changes map[string]string, without ...string) []string {
	t.Helper()
	prefix := "SHOP_" + strings.ToUpper(provider) + "_"
	secret, settings := sampleOf(t, provider)
	env := map[string]string{"SHOP_PROVIDERS": provider, "SHOP_MODE": "test", prefix + "WEBHOOK_SECRET": secret}
	for name, value := range settings {
		env[prefix+name] = value
	}
	maps.Copy(env, changes)
	if provider != "stablein" {
		without = append(without, "SHOP_STABLEIN_BASE_URL", "SHOP_STABLEIN_API_KEY", "SHOP_STABLEIN_WEBHOOK_SECRET")
	}
	return environment(env, without...)
}

func TestEachProviderIsSetUpByItselfWithAFewSettings(t *testing.T) {
	t.Parallel()
	for _, provider := range config.KnownProviders() {
		c := load(t, with(t, provider, nil))
		if got := c.Configured(); !slices.Equal(got, []string{provider}) {
			t.Errorf("%s: %v are configured", provider, got)
		}
	}
	for _, real := range []string{"stripe", "checkoutcom", "adyen", "razorpay"} {
		if n := len(settingsOfTests[real]) + 1; n > 3 {
			t.Errorf("%s wants %d settings", real, n)
		}
	}
}

// Case 22: a secret that anybody could have stops the start and is named, for every
// provider alike.
func TestUnusableWebhookSecretsOfEveryProviderStopTheStart(t *testing.T) {
	t.Parallel()
	for _, provider := range config.KnownProviders() {
		name := "SHOP_" + strings.ToUpper(provider) + "_WEBHOOK_SECRET"
		good := secretsOfTests[provider]
		unusable := []string{"", "whsec_", "whsec_!!!!", " " + good, good + " ", good + "\n", "REPLACE_ME", "fifteen-bytes-x",
			good + ",REPLACE_ME", "v1," + good}
		switch provider {
		case "adyen":
			unusable = append(unusable, "not-hexadecimal-but-long-enough!", good[:30], good[:33])
		case "stripe":
			unusable = append(unusable, "whsec_fifteen-bytes-x", "long-enough-but-without-its-prefix")
		case "standardwebhooks":
			unusable = append(unusable, "whsec_not!base64!but!long!enough!!", "whsec_MTIzNDU2Nzg5MDEyMzQ1")
		}
		for _, value := range unusable {
			faults := faultsOf(t, with(t, provider, map[string]string{name: value}))
			if len(faults) != 1 || faults[0].Setting != name {
				t.Errorf("%s=%q: want one fault of it, got %v", name, value, faults)
				continue
			}
			if value != "" && strings.Contains(faults.Error(), value) || strings.Contains(faults.Error(), good) {
				t.Errorf("%s=%q: the fault repeats the value: %s", name, value, faults)
			}
		}
	}
}

func TestEverySettingThatAListedProviderLacksIsNamed(t *testing.T) {
	t.Parallel()
	for _, provider := range config.KnownProviders() {
		prefix := "SHOP_" + strings.ToUpper(provider) + "_"
		want := []string{prefix + "WEBHOOK_SECRET"}
		if provider == "stablein" {
			want = append(want, prefix+"BASE_URL", prefix+"API_KEY")
		}
		for name := range settingsOfTests[provider] {
			want = append(want, prefix+name)
		}
		faults := faultsOf(t, with(t, provider, nil, want...))
		var got []string
		for _, f := range faults {
			got = append(got, f.Setting)
			if f.Problem != "is not set, and SHOP_PROVIDERS lists "+provider {
				t.Errorf("%s: %s", provider, f)
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", provider, diff)
		}
	}
}

func TestTheKeysOfEveryProviderAreSettingsOfIt(t *testing.T) {
	t.Parallel()
	var all []string
	for _, s := range config.Settings() {
		all = append(all, s.Name)
	}
	c := load(t, environment(nil))
	for _, provider := range config.KnownProviders() {
		keys := c.KeysOf(provider)
		for _, key := range keys {
			if !slices.Contains(all, key) || config.ProviderOf(key) != provider {
				t.Errorf("%s of %s is no setting of it", key, provider)
			}
		}
		if len(keys) == 0 {
			t.Errorf("%s has no key", provider)
		}
	}
}

func TestAProviderThatIsNoLongerOfferedStaysSetUp(t *testing.T) {
	t.Parallel()
	old := map[string]string{"SHOP_MODE": "test", "SHOP_STRIPE_WEBHOOK_SECRET": secretsOfTests["stripe"], "SHOP_STRIPE_API_KEY": "sk_test_key-for-these-tests"}
	c := load(t, environment(old))
	if got := c.Configured(); !slices.Equal(got, []string{"stablein", "stripe"}) || !slices.Equal(c.Providers, []string{"stablein"}) {
		t.Errorf("%v are configured, %v on offer", got, c.Providers)
	}
	delete(old, "SHOP_STRIPE_API_KEY")
	if faults := faultsOf(t, environment(old)); len(faults) != 1 || faults.Of("SHOP_STRIPE_API_KEY") != "is not set, and SHOP_STRIPE_WEBHOOK_SECRET is" {
		t.Errorf("set up by half: %v", faults)
	}
	// Without a secret it isn't set up at all, whatever else is left of it.
	if c := load(t, environment(map[string]string{"SHOP_STRIPE_API_KEY": "sk_test_key-for-these-tests"})); len(c.Configured()) != 1 {
		t.Errorf("%v are configured", c.Configured())
	}
}

func TestTheOrderOfTheProvidersIsTheShops(t *testing.T) {
	t.Parallel()
	changes := map[string]string{"SHOP_PROVIDERS": "stripe,stablein", "SHOP_STRIPE_API_KEY": "sk_test_key-for-these-tests",
		"SHOP_STRIPE_WEBHOOK_SECRET": secretsOfTests["stripe"], "SHOP_MODE": "test"}
	if got := load(t, environment(changes)).Configured(); !slices.Equal(got, []string{"stripe", "stablein"}) {
		t.Error(got)
	}
}

func TestSettingsOfProvidersAreHeldToTheirRules(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ provider, name, value, problem string }{
		{"stripe", "API_KEY", "pk_test_key-for-these-tests", "is neither a secret key"},
		{"stripe", "API_KEY", "sk_test_REPLACE_ME", "is a placeholder"},
		{"stripe", "API_KEY", "sk_test_key with blanks in it", "a header can't carry"},
		{"stripe", "BASE_URL", "api.stripe.com", "is not an http or https URL"},
		{"checkoutcom", "API_KEY", "pk_sbox_key-for-these-tests", "is no secret key"},
		{"checkoutcom", "BILLING_COUNTRY", "Germany", "is not a country"},
		{"checkoutcom", "AUTHORIZATION_HEADER", " fixed", "has white space around it"},
		{"adyen", "CAPTURE_MODE", "later", "is neither automatic nor manual"},
		{"adyen", "MERCHANT_ACCOUNTS", "One, Two", "has blanks around it, a colon"},
		{"adyen", "MERCHANT_ACCOUNTS", "One:Two", "has blanks around it, a colon"},
		{"adyen", "MERCHANT_ACCOUNTS", "One,One", "has an account twice"},
		{"razorpay", "KEY_ID", "key-without-its-prefix", "begins neither with rzp_live_"},
		{"razorpay", "KEY_ID", "rzp_test_with:a-colon", "has a colon"},
		{"payflow", "KEY_ID", "with:a-colon", "has a colon"},
		{"payflow", "CURRENCY", "rupees", "is not a currency"},
		{"razorpay", "ACCOUNTS", "acc_1, acc_2", "has an account that isn't"},
	} {
		name := "SHOP_" + strings.ToUpper(c.provider) + "_" + c.name
		faults := faultsOf(t, with(t, c.provider, map[string]string{name: c.value}))
		if len(faults) != 1 || !strings.Contains(faults.Of(name), c.problem) {
			t.Errorf("%s=%s: want %q, got %v", name, c.value, c.problem, faults)
		}
	}
}

func TestAdyensWebhookHasBothUserAndPasswordOrNeither(t *testing.T) {
	t.Parallel()
	user, password := "SHOP_ADYEN_WEBHOOK_USER", "SHOP_ADYEN_WEBHOOK_PASSWORD"
	if faults := faultsOf(t, with(t, "adyen", map[string]string{user: "adyen", password: "a-long-password"})); faults != nil {
		t.Error(faults)
	}
	if faults := faultsOf(t, with(t, "adyen", map[string]string{user: "adyen"})); len(faults) != 1 || faults.Of(password) == "" {
		t.Error(faults)
	}
	if faults := faultsOf(t, with(t, "adyen", map[string]string{password: "a-long-password"})); len(faults) != 1 || faults.Of(user) == "" {
		t.Error(faults)
	}
}

func TestFormsMayLeadToThePagesOfAllProvidersThatAreSetUp(t *testing.T) {
	t.Parallel()
	all := map[string]string{"SHOP_MODE": "test"}
	for _, provider := range config.KnownProviders() {
		prefix := "SHOP_" + strings.ToUpper(provider) + "_"
		secret, settings := sampleOf(t, provider)
		all[prefix+"WEBHOOK_SECRET"] = secret
		for name, value := range settings {
			all[prefix+name] = value
		}
	}
	changed := func(changes map[string]string) map[string]string {
		m := maps.Clone(all)
		maps.Copy(m, changes)
		return m
	}
	for name, c := range map[string]struct {
		changes map[string]string
		want    []string
	}{
		"in test mode": {changed(nil), []string{"https://api.stablein.example", "https://checkout.stripe.com", "https://pay.sandbox.checkout.com",
			"https://test.adyen.link", "https://rzp.io", "https://api.razorpay.com", "https://api.payflow.example", "https://api.standard.example"}},
		"live": {changed(map[string]string{"SHOP_MODE": "live", "SHOP_STRIPE_API_KEY": "sk_live_key-for-these-tests",
			"SHOP_CHECKOUTCOM_API_KEY": "sk_key-for-these-tests", "SHOP_ADYEN_LIVE_PREFIX": "1797a841fbb37ca7-Onceshop", "SHOP_RAZORPAY_KEY_ID": "rzp_live_keyForTheseTests"}),
			[]string{"https://api.stablein.example", "https://checkout.stripe.com", "https://pay.checkout.com",
				"https://eu.adyen.link", "https://rzp.io", "https://api.razorpay.com", "https://api.payflow.example", "https://api.standard.example"}},
		"stand-ins": {changed(map[string]string{"SHOP_STRIPE_BASE_URL": "http://127.0.0.1:8090/stripe", "SHOP_CHECKOUTCOM_BASE_URL": "http://127.0.0.1:8090/checkoutcom",
			"SHOP_ADYEN_BASE_URL": "http://127.0.0.1:8090/adyen", "SHOP_RAZORPAY_BASE_URL": "http://127.0.0.1:8091/v1"}),
			[]string{"https://api.stablein.example", "http://127.0.0.1:8090", "http://127.0.0.1:8091", "https://api.payflow.example", "https://api.standard.example"}},
		"another address of the provider's": {map[string]string{"SHOP_MODE": "test", "SHOP_CHECKOUTCOM_WEBHOOK_SECRET": secretsOfTests["checkoutcom"],
			"SHOP_CHECKOUTCOM_API_KEY": "sk_sbox_key-for-these-tests", "SHOP_CHECKOUTCOM_BILLING_COUNTRY": "DE",
			"SHOP_CHECKOUTCOM_BASE_URL": "https://abcd.api.sandbox.checkout.com"}, []string{"https://api.stablein.example", "https://pay.sandbox.checkout.com"}},
		"StableIn alone": {nil, []string{"https://api.stablein.example"}},
		"named":          {map[string]string{"SHOP_PAY_ORIGINS": "https://pay.example,https://us.adyen.link"}, []string{"https://pay.example", "https://us.adyen.link"}},
	} {
		if diff := cmp.Diff(c.want, load(t, environment(c.changes)).PaymentPages()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
