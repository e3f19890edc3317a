package adyen

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// check refuses what can't be meant. Where the API is, address tells.
func (c Config) check() error {
	ofUser, ofPassword := CheckBasic(c.BasicUser, c.BasicPassword)
	for _, s := range []struct {
		name  string
		fault error
	}{
		{"the list of merchant accounts", CheckAccounts(c.MerchantAccounts)},
		{"the capture mode", CheckCaptureMode(c.CaptureMode)},
		{"the webhook's user", ofUser},
		{"the webhook's password", ofPassword},
	} {
		if s.fault != nil {
			return fmt.Errorf("%s: %s %w", Name, s.name, s.fault)
		}
	}
	return nil
}

// maxAccount leaves room for the other parts of an event's id.
const maxAccount = 60

// CheckAccounts tells what is wrong with a list of merchant accounts.
func CheckAccounts(accounts []string) error {
	if len(accounts) == 0 {
		return errors.New("has no account")
	}
	for i, account := range accounts {
		switch {
		case !isPart(account, maxAccount):
			return fmt.Errorf("has an account that is empty, longer than %d bytes or has blanks around it, a colon, a bar or a control character", maxAccount)
		case slices.Contains(accounts[:i], account):
			return errors.New("has an account twice")
		}
	}
	return nil
}

// CheckCaptureMode tells what is wrong with a capture mode.
func CheckCaptureMode(m CaptureMode) error {
	if m != Automatic && m != Manual {
		return errors.New("is neither automatic nor manual")
	}
	return nil
}

// CheckBasic tells what is wrong with the user and with the password of the webhook's
// basic authentication, of which there are both or neither.
func CheckBasic(user, password string) (ofUser, ofPassword error) {
	switch {
	case user == "" && password != "":
		ofUser = errors.New("is not set, but its password is")
	case user != "" && password == "":
		ofPassword = errors.New("is not set, but its user is")
	case strings.Contains(user, ":"):
		ofUser = errors.New("has a colon in it, which ends a user's name")
	}
	return ofUser, ofPassword
}

var prefixForm = regexp.MustCompile(`^[0-9A-Za-z]+(-[0-9A-Za-z]+)*$`)

// CheckLivePrefix tells what is wrong with what the address of the live platform
// begins with.
func CheckLivePrefix(prefix string) error {
	if !prefixForm.MatchString(prefix) {
		return errors.New("is not one of letters, digits and hyphens")
	}
	return nil
}
