package stablein

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Secret signs webhooks. Several are held while one takes over from another;
// which of them the provider uses doesn't matter then.
type Secret struct {
	ID         string    // stored with each event it verified
	Key        string    // its bytes are the HMAC's key as they are
	ValidUntil time.Time // the last moment it counts; zero: no end
}

func (s Secret) validAt(now time.Time) bool {
	return s.ValidUntil.IsZero() || !now.After(s.ValidUntil)
}

// Sign returns the signature header of a body sent at timestamp. It is what
// StableIn does; we use it to test and to practise.
func Sign(secret string, timestamp int64, body []byte) string {
	mac := digest(secret, strconv.FormatInt(timestamp, 10), body)
	return "v1=" + hex.EncodeToString(mac[:])
}

// digest takes the timestamp as it was received: formatting a number again
// could turn a text that was refused into one that verifies.
func digest(secret, timestamp string, body []byte) (sum [sha256.Size]byte) {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp))
	mac.Write([]byte{'.'})
	mac.Write(body)
	mac.Sum(sum[:0])
	return sum
}

// minSecretBytes is half of the digest's size: less could be guessed.
const minSecretBytes = 16

// placeholders are what examples have in the place of a secret, without case
// and punctuation. A random secret practically never contains one.
var placeholders = [...]string{"replaceme", "changeme", "placeholder", "yoursecret", "yourwebhooksecret", "insertsecret", "examplesecret"}

// CheckSecret tells what is wrong with a webhook secret, without repeating it.
// The shop calls it at its start, where a weak secret has to stop it.
func CheckSecret(s string) error {
	switch {
	case s == "":
		return errors.New("is empty")
	case strings.TrimSpace(s) != s:
		return errors.New("has white space around it")
	case strings.ContainsFunc(s, unicode.IsControl):
		return errors.New("has a control character in it")
	case isPlaceholder(s):
		return errors.New("is a placeholder")
	case len(s) < minSecretBytes:
		return errors.New("is shorter than 16 bytes")
	}
	return nil
}

func isPlaceholder(s string) bool {
	bare := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
	// What is left of "whsec_", "<…>", "******" and "xxxxxxxx".
	if bare == "" || bare == "whsec" || strings.Trim(bare, string([]rune(bare)[:1])) == "" {
		return true
	}
	for _, p := range placeholders {
		if strings.Contains(bare, p) {
			return true
		}
	}
	return false
}
