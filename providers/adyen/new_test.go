package adyen_test

import (
	"strings"
	"testing"

	"onceshop/providers/adyen"
	"onceshop/providers/signing"
)

func TestNewRefusesWhatCannotWork(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*adyen.Config){
		"a secret that isn't hexadecimal":   func(c *adyen.Config) { c.Secrets[1].Key = current + "zz" },
		"a secret with an odd digit":        func(c *adyen.Config) { c.Secrets[1].Key = current + "0" },
		"a blank around it":                 func(c *adyen.Config) { c.Secrets[1].Key = current + " " },
		"no secret":                         func(c *adyen.Config) { c.Secrets = nil },
		"an empty secret":                   func(c *adyen.Config) { c.Secrets = append(c.Secrets, signing.Secret{ID: "x"}) },
		"no account":                        func(c *adyen.Config) { c.MerchantAccounts = nil },
		"an empty account":                  func(c *adyen.Config) { c.MerchantAccounts = []string{""} },
		"an account with a colon":           func(c *adyen.Config) { c.MerchantAccounts = []string{"A:B"} },
		"an account with a bar":             func(c *adyen.Config) { c.MerchantAccounts = []string{"A|B"} },
		"an account twice":                  func(c *adyen.Config) { c.MerchantAccounts = []string{"A", "B", "A"} },
		"a padded account":                  func(c *adyen.Config) { c.MerchantAccounts = []string{"A "} },
		"no capture mode":                   func(c *adyen.Config) { c.CaptureMode = "" },
		"another capture mode":              func(c *adyen.Config) { c.CaptureMode = "delayed" },
		"a user without a password":         func(c *adyen.Config) { c.BasicUser = "adyen" },
		"a password without a user":         func(c *adyen.Config) { c.BasicPassword = current },
		"a user with a colon":               func(c *adyen.Config) { c.BasicUser, c.BasicPassword = "a:b", current },
		"a newline in the API key":          func(c *adyen.Config) { c.APIKey = current + "\n" },
		"live without a prefix":             func(c *adyen.Config) { c.Live = true },
		"a prefix that is an address":       func(c *adyen.Config) { c.Live, c.LivePrefix = true, "evil.example/" },
		"an address without a host":         func(c *adyen.Config) { c.BaseURL = "https://" },
		"an address with a password in it":  func(c *adyen.Config) { c.BaseURL = "https://" + current + "@pay.example" },
		"an address of no scheme we follow": func(c *adyen.Config) { c.BaseURL = "ftp://pay.example" },
	} {
		c := config()
		change(&c)
		_, err := adyen.New(c)
		if err == nil || strings.Contains(err.Error(), current) {
			t.Errorf("%s: %v", name, err)
		}
	}
	c := config()
	c.Live, c.APIKey = true, ""
	adapter(t, c) // verifies and folds, and needs no address for that
}

func TestWeakSecretsAreFound(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]string{
		"": "is empty", " " + current: "has white space around it", "REPLACE_ME": "is a placeholder", strings.Repeat("0", 64): "is a placeholder",
		strings.Repeat("fF", 32): "is a placeholder", current[:30]: "is shorter than 32 hexadecimal digits", current[:63]: "is not hexadecimal",
		"a-text-of-more-than-sixteen-bytes": "is not hexadecimal", "v1," + current: "begins with v1,", "0x" + current: "is not hexadecimal", "00ff": "is shorter than 16 bytes",
	} {
		if err := adyen.CheckSecret(key); err == nil || !strings.HasPrefix(err.Error(), want) || len(key) > 4 && strings.Contains(err.Error(), key) {
			t.Errorf("%q %v", key, err)
		}
	}
	for _, key := range []string{current, previous, strings.ToLower(current), current[:32]} {
		if err := adyen.CheckSecret(key); err != nil {
			t.Errorf("%q %v", key, err)
		}
	}
}
