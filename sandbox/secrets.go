package sandbox

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"strconv"
	"strings"
)

// minSecret refuses what is too short to be a secret.
const minSecret = 16

// TextSecrets are the webhook secrets of a provider that takes any text which is long
// enough, behind a prefix or none. A Dialect embeds it.
type TextSecrets struct{ Prefix string }

// CheckSecret takes what has the prefix and enough behind it.
func (s TextSecrets) CheckSecret(secret string) error {
	text, begins := strings.CutPrefix(secret, s.Prefix)
	switch least := "have at least " + strconv.Itoa(minSecret) + " bytes"; {
	case begins && len(text) >= minSecret:
		return nil
	case s.Prefix == "":
		return errors.New("must " + least)
	default:
		return errors.New("must begin with " + s.Prefix + " and " + least + " more")
	}
}

// NewSecret makes one up.
func (s TextSecrets) NewSecret() string { return s.Prefix + rand.Text() }

// HMAC is the HMAC-SHA256 of a message.
func HMAC(key, message string) []byte {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(message))
	return mac.Sum(nil)
}
