package stablein

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"

	"onceshop/providers/signing"
	"onceshop/providers/wire"
)

// The headers of a delivery. Their names are compared without case.
const (
	EventIDHeader   = "StableIn-Event-Id"
	TimestampHeader = "StableIn-Timestamp"
	SignatureHeader = "StableIn-Signature"
)

// Verify returns the id of the secret that signed raw, or payment.ErrSignature,
// or payment.ErrStale for a signature that holds under a timestamp more than
// 300 s off. It doesn't look into raw.
func (a *Adapter) Verify(header http.Header, raw []byte, now time.Time) (keyID string, err error) {
	h, err := readHeaders(header)
	if err != nil {
		return "", err
	}
	keyID, ok := match(a.secrets, h, raw, now)
	if !ok {
		return "", signing.ErrNoMatch
	}
	if err := signing.Fresh(h.unix, now); err != nil {
		return "", err
	}
	return keyID, nil
}

func match(secrets []signing.Secret, h headers, raw []byte, now time.Time) (keyID string, ok bool) {
	return signing.Match(secrets, now, func(key string) ([sha256.Size]byte, bool) {
		return digest(key, h.timestamp, raw), true
	}, h.digest)
}

// Sign returns the signature header of a body sent at timestamp. It is what
// StableIn does; we use it to test.
func Sign(secret string, timestamp int64, body []byte) string {
	mac := digest(secret, strconv.FormatInt(timestamp, 10), body)
	return "v1=" + hex.EncodeToString(mac[:])
}

// digest takes the timestamp as it was received: formatting a number again
// could turn a text that was refused into one that verifies.
func digest(secret, timestamp string, body []byte) [sha256.Size]byte {
	return signing.Digest([]byte(secret), []byte(timestamp), []byte("."), body)
}

// headers are a delivery's headers, of the right form and not yet believed.
type headers struct {
	eventID   string
	timestamp string // as received
	unix      int64
	digest    [sha256.Size]byte
}

func readHeaders(header http.Header) (h headers, err error) {
	if h.eventID, err = signing.Header(header, EventIDHeader); err != nil {
		return h, err
	}
	if h.timestamp, err = signing.Header(header, TimestampHeader); err != nil {
		return h, err
	}
	signature, err := signing.Header(header, SignatureHeader)
	if err != nil {
		return h, err
	}
	if !wire.IsRef(h.eventID) {
		return h, signing.Malformed(EventIDHeader)
	}
	var ok bool
	if h.unix, ok = signing.Timestamp(h.timestamp); !ok {
		return h, signing.Malformed(TimestampHeader)
	}
	if h.digest, ok = parseSignature(signature); !ok {
		return h, signing.Malformed(SignatureHeader)
	}
	return h, nil
}

// parseSignature reads ^v1=[a-f0-9]{64}$.
func parseSignature(s string) (sum [sha256.Size]byte, ok bool) {
	digits, ok := strings.CutPrefix(s, "v1=")
	if !ok {
		return sum, false
	}
	return signing.LowerHex(digits)
}
