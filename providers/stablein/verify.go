package stablein

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"onceshop/payment"
)

// The headers of a delivery. Their names are compared without case.
const (
	EventIDHeader   = "StableIn-Event-Id"
	TimestampHeader = "StableIn-Timestamp"
	SignatureHeader = "StableIn-Signature"
)

// tolerance is how many seconds a timestamp may be off, in either direction;
// the last of them still counts.
const tolerance = 300

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
		return "", fmt.Errorf("%w: no valid secret made it over these bytes", payment.ErrSignature)
	}
	if age := now.Unix() - h.unix; age > tolerance || age < -tolerance {
		return "", payment.ErrStale
	}
	return keyID, nil
}

// match tries every secret that is valid, also after one has matched: how long
// it takes tells nothing about which one it was.
func match(secrets []Secret, h headers, raw []byte, now time.Time) (keyID string, ok bool) {
	for _, s := range secrets {
		if s.Key == "" || !s.validAt(now) {
			continue
		}
		want := digest(s.Key, h.timestamp, raw)
		if hmac.Equal(want[:], h.digest[:]) && !ok {
			keyID, ok = s.ID, true
		}
	}
	return keyID, ok
}

// headers are a delivery's headers, of the right form and not yet believed.
type headers struct {
	eventID   string
	timestamp string // as received
	unix      int64
	digest    [sha256.Size]byte
}

func readHeaders(header http.Header) (h headers, err error) {
	if h.eventID, err = single(header, EventIDHeader); err != nil {
		return h, err
	}
	if h.timestamp, err = single(header, TimestampHeader); err != nil {
		return h, err
	}
	signature, err := single(header, SignatureHeader)
	if err != nil {
		return h, err
	}
	if !isRef(h.eventID) {
		return h, malformedHeader(EventIDHeader)
	}
	var ok bool
	if h.unix, ok = parseTimestamp(h.timestamp); !ok {
		return h, malformedHeader(TimestampHeader)
	}
	if h.digest, ok = parseSignature(signature); !ok {
		return h, malformedHeader(SignatureHeader)
	}
	return h, nil
}

func malformedHeader(name string) error {
	return fmt.Errorf("%w: header %s is malformed", payment.ErrSignature, name)
}

// single returns a header that has to be there once. Joining repeated ones, or
// taking the first, would let two readers see two different deliveries. Maps
// that didn't come from net/http may hold names in any case.
func single(header http.Header, name string) (value string, err error) {
	n := 0
	for key, values := range header {
		if len(values) > 0 && len(key) == len(name) && strings.EqualFold(key, name) {
			n += len(values)
			value = values[0]
		}
	}
	switch n {
	case 0:
		return "", fmt.Errorf("%w: header %s is missing", payment.ErrSignature, name)
	case 1:
		return value, nil
	}
	return "", fmt.Errorf("%w: header %s occurs %d times", payment.ErrSignature, name, n)
}

// parseTimestamp reads ^(0|[1-9][0-9]{0,11})$.
func parseTimestamp(s string) (int64, bool) {
	if len(s) < 1 || len(s) > 12 || s[0] == '0' && len(s) > 1 {
		return 0, false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil
}

// parseSignature reads ^v1=[a-f0-9]{64}$. Capitals are refused: one signature
// has one text.
func parseSignature(s string) (sum [sha256.Size]byte, ok bool) {
	digits, ok := strings.CutPrefix(s, "v1=")
	if !ok || len(digits) != hex.EncodedLen(len(sum)) || strings.ContainsAny(digits, "ABCDEF") {
		return sum, false
	}
	_, err := hex.Decode(sum[:], []byte(digits))
	return sum, err == nil
}
