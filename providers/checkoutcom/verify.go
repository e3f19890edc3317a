package checkoutcom

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"net/http"
	"time"

	"onceshop/payment"
	"onceshop/providers/signing"
)

// The headers of a delivery. Their names are compared without case.
const (
	SignatureHeader = "Cko-Signature"
	// AuthorizationHeader is looked at where Config has a value for it.
	AuthorizationHeader = "Authorization"
)

// Verify returns the id of the secret that signed raw, or payment.ErrSignature.
// Checkout.com signs no time: a delivery that was recorded stays valid, and only
// the event's id tells that it was here before. It doesn't look into raw.
func (a *Adapter) Verify(header http.Header, raw []byte, now time.Time) (keyID string, err error) {
	value, err := signing.Header(header, SignatureHeader)
	if err != nil {
		return "", err
	}
	given, ok := signing.Hex(value)
	if !ok {
		return "", signing.Malformed(SignatureHeader)
	}
	if keyID, ok = signing.MatchBody(a.secrets, given, raw, now); !ok {
		return "", signing.ErrNoMatch
	}
	if err := a.authorized(header); err != nil {
		return "", err
	}
	return keyID, nil
}

// authorized compares the second, fixed proof of who sent it, if one was agreed
// on: by digests, so that not even its length shows in the time it takes.
func (a *Adapter) authorized(header http.Header) error {
	if a.authorization == "" {
		return nil
	}
	value, err := signing.Header(header, AuthorizationHeader)
	if err != nil {
		return err
	}
	if !a.isAuthorization(value) {
		return fmt.Errorf("%w: header %s isn't the one that was agreed on", payment.ErrSignature, AuthorizationHeader)
	}
	return nil
}

func (a *Adapter) isAuthorization(value string) bool {
	want, got := sha256.Sum256([]byte(a.authorization)), sha256.Sum256([]byte(value))
	return subtle.ConstantTimeCompare(want[:], got[:]) == 1
}

// Sign returns the signature header of a body. It is what Checkout.com does; we
// use it to test.
func Sign(secret string, body []byte) string {
	sum := signing.Digest([]byte(secret), body)
	return hex.EncodeToString(sum[:])
}
