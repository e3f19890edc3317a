package payflow

import (
	"encoding/hex"
	"fmt"
	"net/http"
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
	digest, err := signing.HexHeader(header, SignatureHeader)
	if err != nil {
		return "", err
	}
	keyID, ok := signing.MatchBody(a.secrets, digest, raw, now)
	if !ok {
		return "", signing.ErrNoMatch
	}
	sent, err := readTimestamp(raw)
	if err != nil {
		return "", fmt.Errorf("%w: the body %w", payment.ErrMalformed, err)
	}
	if err := signing.Fresh(sent.Unix(), now); err != nil {
		return "", err
	}
	return keyID, nil
}

func readTimestamp(raw []byte) (sent wire.Seconds, err error) {
	if err = wire.ReadDocument(raw, wire.Members{"timestamp": &sent}); err == nil && !sent.Given {
		err = wire.Faultf("has no timestamp")
	}
	return sent, err
}

// Sign returns the signature header of a body. It is what PayFlow does; we use it
// to test.
func Sign(secret string, body []byte) string {
	sum := signing.Digest([]byte(secret), body)
	return hex.EncodeToString(sum[:])
}
