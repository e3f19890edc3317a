package adyen

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"time"

	"onceshop/payment"
	"onceshop/providers/signing"
)

// Verify returns the id of the secret that signed every item in raw, or
// payment.ErrSignature. What can't be read can't be verified: the signature covers
// values, not bytes.
func (a *Adapter) Verify(header http.Header, raw []byte, now time.Time) (keyID string, err error) {
	if err := a.basic.check(header); err != nil {
		return "", err
	}
	items, err := readItems(raw)
	if err != nil {
		return "", fmt.Errorf("%w: the body %w", payment.ErrSignature, err)
	}
	for n, i := range items {
		if !a.isOurs(i) {
			return "", fmt.Errorf("%w: item %d of %d is of another merchant account", payment.ErrSignature, n+1, len(items))
		}
		if _, ok := i.digest(); !ok {
			return "", fmt.Errorf("%w: item %d of %d has no hmacSignature of the right form", payment.ErrSignature, n+1, len(items))
		}
	}
	keyID, ok := match(a.secrets, items, now)
	if !ok {
		return "", fmt.Errorf("%w: no valid secret signed every item", payment.ErrSignature)
	}
	return keyID, nil
}

func (a *Adapter) isOurs(i item) bool { return slices.Contains(a.accounts, i.MerchantAccountCode) }

// match wants one secret to have signed all of the items: it compares the digest of
// all their digests.
func match(secrets []signing.Secret, items []item, now time.Time) (keyID string, ok bool) {
	given := sha256.New()
	for _, i := range items {
		sum, ok := i.digest()
		if !ok {
			return "", false
		}
		given.Write(sum[:])
	}
	return signing.Match(secrets, now, func(secret string) ([sha256.Size]byte, bool) {
		key, ok := keyBytes(secret)
		want := sha256.New()
		for _, i := range items {
			sum := signing.Digest(key, []byte(i.text()))
			want.Write(sum[:])
		}
		return [sha256.Size]byte(want.Sum(nil)), ok
	}, [sha256.Size]byte(given.Sum(nil)))
}

// digest reads the signature, of which there is one text only: strict base64 has no
// bits left over, and the lengths leave no room for newlines.
func (i item) digest() (sum [sha256.Size]byte, ok bool) {
	if len(i.signature.S) != base64.StdEncoding.EncodedLen(len(sum)) {
		return sum, false
	}
	data, err := base64.StdEncoding.Strict().DecodeString(i.signature.S)
	if err != nil || len(data) != len(sum) {
		return sum, false
	}
	return [sha256.Size]byte(data), true
}

// Sign returns the hmacSignature of an item with these fields; it is empty if the
// secret isn't hexadecimal. It is what Adyen does; we use it to test and to explain.
func Sign(secret string, fields Signed) string {
	key, ok := keyBytes(secret)
	if !ok {
		return ""
	}
	return encode(signing.Digest(key, []byte(fields.text())))
}

func encode(sum [sha256.Size]byte) string { return base64.StdEncoding.EncodeToString(sum[:]) }
