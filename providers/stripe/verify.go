package stripe

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"

	"onceshop/providers/signing"
)

// SignatureHeader carries the timestamp and the signatures of a delivery. Its name
// is compared without case.
const SignatureHeader = "Stripe-Signature"

// Verify returns the id of the secret that signed raw, or payment.ErrSignature,
// or payment.ErrStale for a signature that holds under a timestamp more than
// 300 s off, ahead or behind. It doesn't look into raw.
func (a *Adapter) Verify(header http.Header, raw []byte, now time.Time) (keyID string, err error) {
	s, err := readSignature(header)
	if err != nil {
		return "", err
	}
	keyID, ok := match(a.secrets, s, raw, now)
	if !ok {
		return "", signing.ErrNoMatch
	}
	if err := signing.Fresh(s.unix, now); err != nil {
		return "", err
	}
	return keyID, nil
}

func match(secrets []signing.Secret, s signature, raw []byte, now time.Time) (keyID string, ok bool) {
	return signing.Match(secrets, now, func(key string) ([sha256.Size]byte, bool) {
		return digest(key, s.timestamp, raw), true
	}, s.digests...)
}

// Sign returns the signature header of a body sent at timestamp. It is what
// Stripe does; we use it to test.
func Sign(secret string, timestamp int64, body []byte) string {
	t := strconv.FormatInt(timestamp, 10)
	mac := digest(secret, t, body)
	return "t=" + t + ",v1=" + hex.EncodeToString(mac[:])
}

// digest takes the timestamp as it was received: formatting a number again
// could turn a text that was refused into one that verifies. The key is the whole
// secret, its prefix included.
func digest(secret, timestamp string, body []byte) [sha256.Size]byte {
	return signing.Digest([]byte(secret), []byte(timestamp), []byte("."), body)
}

// signature is the header, of the right form and not yet believed.
type signature struct {
	timestamp string // as received
	unix      int64
	digests   [][sha256.Size]byte // of scheme v1; several while a secret is rolled
}

func readSignature(header http.Header) (signature, error) {
	value, err := signing.Header(header, SignatureHeader)
	if err != nil {
		return signature{}, err
	}
	s, ok := parseSignature(value)
	if !ok {
		return signature{}, signing.Malformed(SignatureHeader)
	}
	return s, nil
}

// parseSignature reads parts between commas, each a name, one "=" and a value:
// exactly one t, and at least one v1 that can be used. Other schemes don't count,
// v0 included, and neither does a v1 in another form than 64 digits in lower case:
// one signature has one text.
func parseSignature(value string) (s signature, ok bool) {
	for part := range strings.SplitSeq(value, ",") {
		scheme, text, found := strings.Cut(part, "=")
		if !found || strings.Contains(text, "=") {
			return s, false
		}
		switch scheme {
		case "t":
			if s.timestamp != "" {
				return s, false
			}
			s.timestamp = text
			if s.unix, ok = signing.Timestamp(text); !ok {
				return s, false
			}
		case "v1":
			if sum, ok := signing.LowerHex(text); ok {
				s.digests = append(s.digests, sum)
			}
		}
	}
	return s, s.timestamp != "" && len(s.digests) > 0
}
