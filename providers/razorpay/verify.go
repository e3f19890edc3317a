package razorpay

import (
	"encoding/hex"
	"errors"
	"net/http"
	"strings"
	"time"

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
	digest, err := signing.HexHeader(header, SignatureHeader)
	if err != nil {
		return "", err
	}
	keyID, ok := signing.MatchBody(a.secrets, digest, raw, now)
	if !ok {
		return "", signing.ErrNoMatch
	}
	return keyID, nil
}

// Sign returns the signature header of a body. It is what Razorpay does; we use
// it to test.
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
