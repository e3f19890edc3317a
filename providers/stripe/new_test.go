package stripe_test

import (
	"strings"
	"testing"

	"onceshop/providers/signing"
	"onceshop/providers/stripe"
)

func TestAKeyOfTheOtherModeStopsTheStart(t *testing.T) {
	t.Parallel()
	secrets := []signing.Secret{{ID: "current", Key: current}}
	for key, modes := range map[string][2]bool{ // taken in a test shop, in a live one
		"":                       {true, true},
		"sk_test_canary51Key":    {true, false},
		"rk_test_canary51Key":    {true, false},
		"sk_live_canary51Key":    {false, true},
		"rk_live_canary51Key":    {false, true},
		"sk_org_live_canary51":   {false, true},
		"sk_canary51Key":         {true, true},
		"pk_live_canary51Key":    {false, false},
		"whsec_canary51Key":      {false, false},
		"canary51Key":            {false, false},
		"sk_":                    {false, false},
		"sk_test_canary\n":       {false, false},
		" sk_test_canary51Key":   {false, false},
		"sk_test_canary51Kéy":    {false, false},
		"SK_TEST_canary51Key":    {false, false},
		"xsk_live_canary51Key":   {false, false},
		"sk_test_canary sk_live": {false, false},
	} {
		for live, want := range map[bool]bool{false: modes[0], true: modes[1]} {
			a, err := stripe.New(stripe.Config{Secrets: secrets, APIKey: key, Live: live})
			if (err == nil) != want {
				t.Errorf("%q, live %v: %v", key, live, err)
			}
			if err != nil {
				checkQuiet(t, err)
				continue
			}
			a.Close()
		}
	}
}

func TestAddressesThatAreNoneStopTheStart(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"http://", "ftp://api.example", "http://canary@api.example", "http://api.example?canary", "api.example"} {
		if _, err := stripe.New(stripe.Config{Secrets: []signing.Secret{{ID: "current", Key: current}}, BaseURL: address}); err == nil {
			t.Errorf("%s: taken", address)
		} else {
			checkQuiet(t, err)
		}
	}
}

func TestWeakSecretsAreFound(t *testing.T) {
	t.Parallel()
	for _, key := range []string{
		"", "whsec_", "whsec_!!!!", "whsec_fifteen-bytes-x", "whsec_test_secret_one", "WHSEC_0123456789abcdef", "0123456789abcdef0123456789abcdef",
		" whsec_0123456789abcdef", "whsec_0123456789abcdef\n", "whsec_REPLACE_ME_REPLACE_ME", "sk_test_0123456789abcdef",
	} {
		err := stripe.CheckSecret(key)
		if err == nil || key != "" && strings.Contains(err.Error(), key) && key != "whsec_" {
			t.Errorf("%q: %v", key, err)
		}
	}
	for _, key := range []string{current, previous, "whsec_0123456789abcdef"} {
		if err := stripe.CheckSecret(key); err != nil {
			t.Errorf("%q %v", key, err)
		}
	}
}
