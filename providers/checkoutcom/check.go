package checkoutcom

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"onceshop/providers/call"
	"onceshop/providers/wire"
)

// The longest texts of a configuration.
const (
	maxAuthorization = 1000
	maxChannel       = 50
)

// check refuses what can't be meant, of what is set.
func (c Config) check() error {
	for _, s := range []struct {
		name, value string
		fault       error
	}{
		{"the API key", c.APIKey, CheckKey(c.APIKey, c.Live)},
		{"the Authorization header", c.AuthorizationHeader, CheckAuthorization(c.AuthorizationHeader)},
		{"the billing country", c.BillingCountry, CheckCountry(c.BillingCountry)},
		{"the processing channel", c.ProcessingChannelID, CheckChannel(c.ProcessingChannelID)},
	} {
		if s.value != "" && s.fault != nil {
			return fmt.Errorf("%s: %s %w", Name, s.name, s.fault)
		}
	}
	return nil
}

// CheckKey tells what is wrong with an API key, without repeating it. Older accounts'
// test keys are "sk_test_…".
func CheckKey(key string, live bool) error {
	if !strings.HasPrefix(key, "sk_") {
		return errors.New("is no secret key, which begins with sk_")
	}
	return call.CheckMode(!strings.HasPrefix(key, "sk_sbox_") && !strings.HasPrefix(key, "sk_test_"), live)
}

// CheckAuthorization tells what is wrong with the webhook's fixed header, without
// repeating it.
func CheckAuthorization(header string) error {
	if !wire.IsPlain(header, maxAuthorization) {
		return fmt.Errorf("is longer than %d bytes or has white space around it or a control character", maxAuthorization)
	}
	return nil
}

var country = regexp.MustCompile(`^[A-Z]{2}$`)

// CheckCountry tells what is wrong with a billing country.
func CheckCountry(code string) error {
	if !country.MatchString(code) {
		return errors.New("is not a country of two capital letters, such as DE")
	}
	return nil
}

// CheckChannel tells what is wrong with the id of a processing channel.
func CheckChannel(id string) error {
	if !wire.IsPlain(id, maxChannel) {
		return fmt.Errorf("is not an id of 1 to %d bytes without blanks around it and control characters", maxChannel)
	}
	return nil
}
