package sandbox

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
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
	switch {
	case begins && len(text) >= minSecret:
		return nil
	case s.Prefix == "":
		return fmt.Errorf("must have at least %d bytes", minSecret)
	}
	return fmt.Errorf("must begin with %s and have at least %d bytes more", s.Prefix, minSecret)
}

// NewSecret makes one up.
func (s TextSecrets) NewSecret() string { return s.Prefix + rand.Text() }

// HMAC is the HMAC-SHA256 of a message.
func HMAC(key, message string) []byte {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(message))
	return mac.Sum(nil)
}
