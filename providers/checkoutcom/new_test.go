package checkoutcom_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"onceshop/payment"
	"onceshop/providers/checkoutcom"
)

func TestAConfigurationThatCannotBeMeantIsRefused(t *testing.T) {
	t.Parallel()
	for name, edit := range map[string]func(*checkoutcom.Config){
		"a sandbox key in a live shop":       func(c *checkoutcom.Config) { c.Live = true },
		"an older test key in a live shop":   func(c *checkoutcom.Config) { c.Live, c.APIKey = true, "sk_test_canary-b5db6" },
		"a live key in a test shop":          func(c *checkoutcom.Config) { c.APIKey = "sk_canaryabcdefghijklmnopq" },
		"a public key":                       func(c *checkoutcom.Config) { c.APIKey = "pk_sbox_canary" },
		"a key with a newline":               func(c *checkoutcom.Config) { c.APIKey = apiKey + "\n" },
		"a country in words":                 func(c *checkoutcom.Config) { c.BillingCountry = "Germany" },
		"a country in small letters":         func(c *checkoutcom.Config) { c.BillingCountry = "de" },
		"a header that can't be":             func(c *checkoutcom.Config) { c.AuthorizationHeader = "canary\r\nX: y" },
		"a header with a blank at its end":   func(c *checkoutcom.Config) { c.AuthorizationHeader = "canary " },
		"an address that isn't one":          func(c *checkoutcom.Config) { c.BaseURL = "api.checkout.com" },
		"a channel with a control character": func(c *checkoutcom.Config) { c.ProcessingChannelID = "pc_\x00" },
	} {
		c := config()
		edit(&c)
		if _, err := checkoutcom.New(c); err == nil {
			t.Errorf("%s: taken", name)
		} else {
			checkQuiet(t, err)
		}
	}
	for name, edit := range map[string]func(*checkoutcom.Config){
		"a live key in a live shop":     func(c *checkoutcom.Config) { c.Live, c.APIKey = true, "sk_canaryabcdefghijklmnopq" },
		"an older test key":             func(c *checkoutcom.Config) { c.APIKey = "sk_test_canary-b5db6" },
		"no key, to verify only":        func(c *checkoutcom.Config) { c.APIKey = "" },
		"no key, in a live shop":        func(c *checkoutcom.Config) { c.Live, c.APIKey = true, "" },
		"an address of the account":     func(c *checkoutcom.Config) { c.BaseURL = "https://abc123.api.sandbox.checkout.com" },
		"a header with a blank in it":   func(c *checkoutcom.Config) { c.AuthorizationHeader = "Basic abc=" },
		"no country, to read back only": func(c *checkoutcom.Config) { c.BillingCountry = "" },
	} {
		c := config()
		edit(&c)
		if _, err := checkoutcom.New(c); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// whereTo notes the address that a request was meant for, and answers nothing.
type whereTo struct{ host string }

func (w *whereTo) RoundTrip(r *http.Request) (*http.Response, error) {
	w.host = r.URL.Scheme + "://" + r.URL.Host
	return nil, errors.New("canary")
}

func TestTheModeChoosesTheAddress(t *testing.T) {
	t.Parallel()
	for want, edit := range map[string]func(*checkoutcom.Config){
		checkoutcom.DefaultTestBaseURL: func(*checkoutcom.Config) {},
		checkoutcom.DefaultBaseURL:     func(c *checkoutcom.Config) { c.Live, c.APIKey = true, "sk_canary" },
		"https://abc.api.checkout.com": func(c *checkoutcom.Config) { c.BaseURL = "https://abc.api.checkout.com/" },
	} {
		synctest.Test(t, func(t *testing.T) {
			to := &whereTo{}
			c := config()
			c.HTTP = &http.Client{Transport: to}
			edit(&c)
			_, err := adapter(t, c).Create(t.Context(), creation())
			if !errors.Is(err, payment.ErrLater) || to.host != want {
				t.Errorf("asked %s, want %s; %v", to.host, want, err)
			}
			checkQuiet(t, err)
		})
	}
}

func TestWithoutAKeyNothingIsAsked(t *testing.T) {
	t.Parallel()
	c := config()
	c.APIKey = ""
	to := &whereTo{}
	c.HTTP = &http.Client{Transport: to}
	a := adapter(t, c)
	for name, call := range calls(a) {
		if err := call(t.Context()); !errors.Is(err, payment.ErrRefused) || !strings.Contains(err.Error(), "no API key") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if to.host != "" {
		t.Errorf("asked %s", to.host)
	}
}
