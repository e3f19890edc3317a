package signing

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"onceshop/payment"
)

// Tolerance is how many seconds a signed timestamp may be off, in either
// direction; the last of them still counts.
const Tolerance = 300

// Header returns a header that has to be there once. Joining repeated ones, or
// taking the first, would let two readers see two different deliveries. Maps
// that didn't come from net/http may hold names in any case.
func Header(header http.Header, name string) (value string, err error) {
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

// Malformed is a header whose form can't be right.
func Malformed(name string) error {
	return fmt.Errorf("%w: header %s is malformed", payment.ErrSignature, name)
}

// Timestamp reads ^(0|[1-9][0-9]{0,11})$, seconds since 1970.
func Timestamp(s string) (int64, bool) {
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

// Fresh returns payment.ErrStale for a signed time that is more than Tolerance off.
// It is asked once the signature holds: only who signed learns of it.
func Fresh(unix int64, now time.Time) error {
	if age := now.Unix() - unix; age > Tolerance || age < -Tolerance {
		return payment.ErrStale
	}
	return nil
}

// HexHeader reads a header that is a digest, as LowerHex does.
func HexHeader(header http.Header, name string) (sum [sha256.Size]byte, err error) {
	value, err := Header(header, name)
	if err != nil {
		return sum, err
	}
	sum, ok := LowerHex(value)
	if !ok {
		return sum, Malformed(name)
	}
	return sum, nil
}

// LowerHex reads a digest of 64 hex digits in lower case. Capitals are refused: one
// signature has one text.
func LowerHex(s string) (sum [sha256.Size]byte, ok bool) {
	if strings.ContainsAny(s, "ABCDEF") {
		return sum, false
	}
	return Hex(s)
}

// Hex reads a digest of 64 hex digits in either case.
func Hex(s string) (sum [sha256.Size]byte, ok bool) {
	if len(s) != hex.EncodedLen(len(sum)) {
		return sum, false
	}
	_, err := hex.Decode(sum[:], []byte(s))
	return sum, err == nil
}
