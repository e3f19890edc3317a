package razorpay

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"onceshop/payment"
	"onceshop/providers/signing"
)

// The headers of a delivery. Their names are compared without case. The event's
// id isn't signed.
const (
	SignatureHeader = "X-Razorpay-Signature"
	EventIDHeader   = "X-Razorpay-Event-Id"
)

// Verify returns the id of the secret that signed raw, or payment.ErrSignature. It
// doesn't look into raw. There is no signed time: a captured delivery stays valid
// for as long as its secret, and what keeps it from counting twice is the event's
// identity.
func (a *Adapter) Verify(header http.Header, raw []byte, now time.Time) (keyID string, err error) {
	digest, err := readSignature(header)
	if err != nil {
		return "", err
	}
	keyID, ok := match(a.secrets, digest, raw, now)
	if !ok {
		return "", fmt.Errorf("%w: no valid secret made it over these bytes", payment.ErrSignature)
	}
	return keyID, nil
}

func readSignature(header http.Header) (sum [sha256.Size]byte, err error) {
	signature, err := signing.Header(header, SignatureHeader)
	if err != nil {
		return sum, err
	}
	sum, ok := parseSignature(signature)
	if !ok {
		return sum, signing.Malformed(SignatureHeader)
	}
	return sum, nil
}

// parseSignature reads ^[a-f0-9]{64}$. Capitals are refused: one signature has
// one text.
func parseSignature(s string) (sum [sha256.Size]byte, ok bool) {
	if strings.ContainsAny(s, "ABCDEF") {
		return sum, false
	}
	return signing.Hex(s)
}

func match(secrets []signing.Secret, given [sha256.Size]byte, raw []byte, now time.Time) (keyID string, ok bool) {
	return signing.Match(secrets, now, func(key string) ([sha256.Size]byte, bool) {
		return signing.Digest([]byte(key), raw), true
	}, given)
}

// Sign returns the signature header of a body. It is what Razorpay does; we use
// it to test and to practise.
func Sign(secret string, body []byte) string {
	sum := signing.Digest([]byte(secret), body)
	return hex.EncodeToString(sum[:])
}

// CheckSecret tells what is wrong with a webhook secret, without repeating it.
func CheckSecret(key string) error {
	if strings.HasPrefix(key, "rzp_test_") || strings.HasPrefix(key, "rzp_live_") {
		return errors.New("is the id of an API key")
	}
	return signing.CheckSecret(key)
}
