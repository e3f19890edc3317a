package payflow

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"time"

	"onceshop/payment"
	"onceshop/providers/signing"
	"onceshop/providers/wire"
)

// SignatureHeader signs a delivery. Its name is compared without case.
const SignatureHeader = "X-PayFlow-Signature"

// Verify returns the id of the secret that signed raw, or payment.ErrSignature.
// Only for a signature that holds it looks into raw, for the time of sending:
// payment.ErrStale if that is more than 300 s off, payment.ErrMalformed if it can't
// be read.
func (a *Adapter) Verify(header http.Header, raw []byte, now time.Time) (keyID string, err error) {
	digest, err := readSignature(header)
	if err != nil {
		return "", err
	}
	keyID, ok := match(a.secrets, digest, raw, now)
	if !ok {
		return "", fmt.Errorf("%w: no valid secret made it over these bytes", payment.ErrSignature)
	}
	sent, err := readTimestamp(raw)
	if err != nil {
		return "", fmt.Errorf("%w: the body %w", payment.ErrMalformed, err)
	}
	if age := now.Unix() - sent.Unix(); age > signing.Tolerance || age < -signing.Tolerance {
		return "", payment.ErrStale
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

// parseSignature reads ^[a-f0-9]{64}$. A header of any other length is refused
// before anything is compared, and capitals are: one signature has one text.
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

func readTimestamp(raw []byte) (sent wire.Seconds, err error) {
	if err = wire.ReadDocument(raw, wire.Members{"timestamp": &sent}); err == nil && !sent.Given {
		err = wire.Faultf("has no timestamp")
	}
	return sent, err
}

// Sign returns the signature header of a body. It is what PayFlow does; we use it
// to test and to practise.
func Sign(secret string, body []byte) string {
	sum := signing.Digest([]byte(secret), body)
	return hex.EncodeToString(sum[:])
}

// CheckSecret tells what is wrong with a webhook secret, without repeating it.
func CheckSecret(key string) error { return signing.CheckSecret(key) }
