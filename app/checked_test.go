package app_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"onceshop/app"
	"onceshop/config"
)

// ofMode are settings with which every provider is set up, in either mode.
var ofMode = map[string][]string{
	config.ModeTest: everyProvider,
	config.ModeLive: slices.Concat(everyProvider, []string{
		"SHOP_STRIPE_API_KEY=sk_live_key-for-these-tests", "SHOP_CHECKOUTCOM_API_KEY=sk_key-for-these-tests",
		"SHOP_ADYEN_LIVE_PREFIX=1797a841fbb37ca7-Onceshop", "SHOP_RAZORPAY_KEY_ID=rzp_live_keyForTheseTests",
	}),
}

// checked reads and checks settings of all providers, as a start does.
func checked(mode string, more ...string) (*config.Config, config.Faults) {
	environ := environment("mysql://nobody@127.0.0.1:1/none", "http://127.0.0.1:8080", "http://127.0.0.1:8090", ofMode[mode]...)
	environ = append(environ, "SHOP_MODE="+mode, "SHOP_PROVIDERS="+strings.Join(config.KnownProviders(), ","))
	c, err := config.Load(append(environ, more...))
	if err == nil {
		err = c.Check()
	}
	var faults config.Faults
	errors.As(err, &faults)
	return c, faults
}

func TestWhatAnAdapterWouldRefuseIsNamedByItsSetting(t *testing.T) {
	t.Parallel()
	for _, lines := range [][]string{
		{"SHOP_CHECKOUTCOM_PROCESSING_CHANNEL= pc_1"},
		{"SHOP_CHECKOUTCOM_PROCESSING_CHANNEL=pc_" + strings.Repeat("x", 48)},
		{"SHOP_CHECKOUTCOM_AUTHORIZATION_HEADER=a\tb"},
		{"SHOP_CHECKOUTCOM_AUTHORIZATION_HEADER=" + strings.Repeat("a", 1001)},
		{"SHOP_CHECKOUTCOM_BILLING_COUNTRY=de"},
		{"SHOP_ADYEN_MERCHANT_ACCOUNTS=" + strings.Repeat("a", 61)},
		{"SHOP_ADYEN_MERCHANT_ACCOUNTS=Shop|ECOM"},
		{"SHOP_ADYEN_WEBHOOK_USER=a:b", "SHOP_ADYEN_WEBHOOK_PASSWORD=a-long-password"},
		{"SHOP_RAZORPAY_ACCOUNTS=acc_a\tb"},
		{"SHOP_RAZORPAY_ACCOUNTS=acc_" + strings.Repeat("a", 61)},
		{"SHOP_RAZORPAY_KEY_ID=rzp_test_a b"},
		{"SHOP_STRIPE_API_KEY=sk_live_key-for-these-tests"},
		{"SHOP_PAYFLOW_CURRENCY=inr"},
	} {
		name, _, _ := strings.Cut(lines[0], "=")
		if _, faults := checked(config.ModeTest, lines...); len(faults) != 1 || faults.Of(name) == "" {
			t.Errorf("%q: %v", lines, faults)
		}
	}
}

func TestOfWhatTheCheckLetsThroughEveryAdapterIsMade(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 61)
	for mode, lines := range ofMode {
		usual := map[string]string{}
		for _, line := range lines {
			name, value, _ := strings.Cut(line, "=")
			usual[name] = value
		}
		passed := 0
		for _, s := range config.Settings() {
			if config.ProviderOf(s.Name) == "" {
				continue
			}
			own := usual[s.Name]
			for _, value := range []string{
				"", " ", ",", "a", "a:b", "a|b", "a\tb", "ä", "a,b", "a,a", "a,,b", "USD", "manual", "acc_1,acc_2", "http://", "https://user@pay.example",
				"https://pay.example/v1", "sk_live_" + long, "rk_" + long, "rzp_live_" + long, "whsec_" + long, "acc_" + long, long, strings.Repeat(long, 20),
				own, " " + own, own + "\n", own + "\x00" + long, own + "é", own + "a b", own + ":", own + "|", own + long, own + "," + own,
			} {
				c, faults := checked(mode, s.Name+"="+value)
				if faults != nil {
					continue
				}
				passed++
				all, err := app.Adapters(c)
				if err != nil {
					t.Errorf("%s=%q: %v", s.Name, value, err)
				}
				for _, a := range all {
					a.Close()
				}
			}
		}
		if passed < 100 {
			t.Errorf("%s: only %d of the values are let through; is the rest of the configuration usable?", mode, passed)
		}
	}
}
