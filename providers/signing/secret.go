package signing

import (
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"onceshop/payment"
)

// Secret signs webhooks. Several are held while one takes over from another;
// which of them the provider uses doesn't matter then.
type Secret struct {
	ID         string    // stored with each event it verified
	Key        string    // as the provider shows it; the adapter knows which bytes it stands for
	ValidUntil time.Time // the last moment it counts; zero: no end
}

// ValidAt tells whether the secret counts at that moment.
func (s Secret) ValidAt(now time.Time) bool {
	return s.Key != "" && (s.ValidUntil.IsZero() || !now.After(s.ValidUntil))
}

// Digest is an HMAC-SHA256 over the parts one after the other.
func Digest(key []byte, parts ...[]byte) (sum [sha256.Size]byte) {
	mac := hmac.New(sha256.New, key)
	for _, p := range parts {
		mac.Write(p)
	}
	mac.Sum(sum[:0])
	return sum
}

// ErrNoMatch is a signature of the right form that none of the secrets made.
var ErrNoMatch = fmt.Errorf("%w: no valid secret made it over these bytes", payment.ErrSignature)

// Match returns the id of the first secret that is valid now and whose digest is
// among given. It tries them all, also after one has matched: how long it takes
// tells nothing about which one it was. digest says what a secret's key makes of
// the delivery; false: the key can't be used.
func Match(secrets []Secret, now time.Time, digest func(key string) (sum [sha256.Size]byte, ok bool), given ...[sha256.Size]byte) (keyID string, ok bool) {
	for _, s := range secrets {
		if !s.ValidAt(now) {
			continue
		}
		want, usable := digest(s.Key)
		for _, g := range given {
			if hmac.Equal(want[:], g[:]) && usable && !ok {
				keyID, ok = s.ID, true
			}
		}
	}
	return keyID, ok
}

// MatchBody is Match where the secret's text is the key and the body alone is signed.
func MatchBody(secrets []Secret, given [sha256.Size]byte, raw []byte, now time.Time) (keyID string, ok bool) {
	return Match(secrets, now, func(key string) ([sha256.Size]byte, bool) { return Digest([]byte(key), raw), true }, given)
}

// Check refuses a set of secrets that can't verify anything safely: none at all, an
// empty one, or two under one id. How strong they are, CheckSecret tells.
func Check(provider string, secrets []Secret) error {
	if len(secrets) == 0 {
		return fmt.Errorf("%s: no webhook secret is set", provider)
	}
	seen := make(map[string]bool)
	for _, s := range secrets {
		switch {
		case s.ID == "":
			return fmt.Errorf("%s: a webhook secret has no id", provider)
		case seen[s.ID]:
			return fmt.Errorf("%s: two webhook secrets have the id %q", provider, s.ID)
		case s.Key == "":
			return fmt.Errorf("%s: webhook secret %q is empty", provider, s.ID)
		}
		seen[s.ID] = true
	}
	return nil
}

// minSecretBytes is half of the digest's size: less could be guessed.
const minSecretBytes = 16

// SignaturePrefix is what the signatures of Standard Webhooks begin with. People copy
// them in the place of a secret.
const SignaturePrefix = "v1,"

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
	case strings.HasPrefix(s, SignaturePrefix):
		return errors.New("begins with " + SignaturePrefix + ": that is a signature")
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
