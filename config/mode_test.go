package config_test

import (
	"strings"
	"testing"
)

func TestAKeyOfTheOtherModeStopsTheStart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ provider, name, live, test string }{
		{"stripe", "SHOP_STRIPE_API_KEY", "sk_live_key-for-these-tests", "sk_test_key-for-these-tests"},
		{"stripe", "SHOP_STRIPE_API_KEY", "rk_live_key-for-these-tests", "rk_test_key-for-these-tests"},
		{"checkoutcom", "SHOP_CHECKOUTCOM_API_KEY", "sk_key-for-these-tests", "sk_sbox_key-for-these-tests"},
		{"checkoutcom", "SHOP_CHECKOUTCOM_API_KEY", "sk_key-for-these-tests", "sk_test_key-for-these-tests"},
		{"razorpay", "SHOP_RAZORPAY_KEY_ID", "rzp_live_keyForTheseTests", "rzp_test_keyForTheseTests"},
	} {
		for mode, key := range map[string]string{"live": c.test, "test": c.live} {
			faults := faultsOf(t, with(t, c.provider, map[string]string{c.name: key, "SHOP_MODE": mode}))
			if len(faults) != 1 || !strings.Contains(faults.Of(c.name), "SHOP_MODE tells") {
				t.Errorf("%s=%s with %s: %v", c.name, key, mode, faults)
			}
		}
		for mode, key := range map[string]string{"live": c.live, "test": c.test} {
			if faults := faultsOf(t, with(t, c.provider, map[string]string{c.name: key, "SHOP_MODE": mode})); faults != nil {
				t.Errorf("%s=%s with %s: %v", c.name, key, mode, faults)
			}
		}
	}
}

func TestAShopIsLiveUnlessItIsADemoOrSaysOtherwise(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		changes map[string]string
		live    bool
	}{
		{nil, true},
		{map[string]string{"SHOP_MODE": "test"}, false},
		{map[string]string{"SHOP_DEMO": "true"}, false},
		{map[string]string{"SHOP_DEMO": "true", "SHOP_MODE": "live"}, true},
	} {
		if got := load(t, environment(c.changes)).Live(); got != c.live {
			t.Errorf("%v: live is %t", c.changes, got)
		}
	}
}

func TestAdyensLiveAPIIsAtTheCompanysOwnAddress(t *testing.T) {
	t.Parallel()
	live := map[string]string{"SHOP_MODE": "live"}
	if faults := faultsOf(t, with(t, "adyen", live)); len(faults) != 1 || faults.Of("SHOP_ADYEN_LIVE_PREFIX") != "is not set, and SHOP_PROVIDERS lists adyen" {
		t.Error(faults)
	}
	live["SHOP_ADYEN_LIVE_PREFIX"] = "https://1797a841fbb37ca7-Onceshop"
	if faults := faultsOf(t, with(t, "adyen", live)); len(faults) != 1 || faults.Of("SHOP_ADYEN_LIVE_PREFIX") == "" {
		t.Error(faults)
	}
	live["SHOP_ADYEN_LIVE_PREFIX"] = "1797a841fbb37ca7-Onceshop"
	if faults := faultsOf(t, with(t, "adyen", live)); faults != nil {
		t.Error(faults)
	}
}

func TestAdyensAPIIsAskedOnThePlatformOfTheShopsMode(t *testing.T) {
	t.Parallel()
	const setting = "SHOP_ADYEN_BASE_URL"
	for _, c := range []struct{ mode, address, says string }{
		{"live", "https://checkout-test.adyen.com/v71", "is the test platform's, and the shop is live; SHOP_MODE tells"},
		{"live", "https://checkout-test.adyen.com:443/v72", "is the test platform's, and the shop is live; SHOP_MODE tells"},
		{"test", "https://1797a841fbb37ca7-Onceshop-checkout-live.adyenpayments.com/checkout/v71", "is a live one, and the shop is in test mode; SHOP_MODE tells"},
		{"test", "https://checkout-test.adyen.com/v71", ""},
		{"live", "https://1797a841fbb37ca7-Onceshop-checkout-live.adyenpayments.com/checkout/v71", ""},
		{"live", "https://gateway.shop.example/adyen", ""},
		{"test", "http://127.0.0.1:8090/adyen", ""},
	} {
		faults := faultsOf(t, with(t, "adyen", map[string]string{"SHOP_MODE": c.mode, setting: c.address}))
		if faults.Of(setting) != c.says || (c.says == "") != (len(faults) == 0) {
			t.Errorf("%s at %s: %v, want %q", c.mode, c.address, faults, c.says)
		}
	}
}
