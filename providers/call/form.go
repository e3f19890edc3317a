package call

import (
	"errors"
	"net/url"
	"slices"
	"unicode/utf8"

	"onceshop/providers/wire"
)

// CheckAddress tells what is wrong with the address of an API.
func CheckAddress(s string) error {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" ||
		u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Opaque != "" {
		return errors.New("is not an http or https URL without user, query and fragment")
	}
	return nil
}

// IsPage keeps a buyer from being sent to anything but a web page.
func IsPage(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && len(s) <= wire.MaxAddress
}

// IsHeader tells whether s can be a header's value, such as a key.
func IsHeader(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	return s != ""
}

// IsUTF8 tells whether all of the texts are: a body is made of nothing else.
func IsUTF8(texts ...string) bool {
	return !slices.ContainsFunc(texts, func(s string) bool { return !utf8.ValidString(s) })
}
