package adyen

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net/http"

	"onceshop/payment"
	"onceshop/providers/signing"
)

const authorizationHeader = "Authorization"

// credentials are the user and password of an endpoint, kept as digests: these are
// of one length, so that comparing them takes one time.
type credentials struct{ user, password [sha256.Size]byte }

func newCredentials(user, password string) *credentials {
	return &credentials{sha256.Sum256([]byte(user)), sha256.Sum256([]byte(password))}
}

// check is nil where none are asked for. What the signature leaves open, such as
// the date, is as trustworthy as this password.
func (c *credentials) check(header http.Header) error {
	if c == nil {
		return nil
	}
	value, err := signing.Header(header, authorizationHeader)
	if err != nil {
		return err
	}
	user, password, ok := readBasic(value)
	if !ok {
		return signing.Malformed(authorizationHeader)
	}
	given := newCredentials(user, password)
	sameUser := subtle.ConstantTimeCompare(given.user[:], c.user[:])
	samePassword := subtle.ConstantTimeCompare(given.password[:], c.password[:])
	if sameUser&samePassword != 1 {
		return fmt.Errorf("%w: header %s has another user or password", payment.ErrSignature, authorizationHeader)
	}
	return nil
}

func readBasic(value string) (user, password string, ok bool) {
	return (&http.Request{Header: http.Header{authorizationHeader: {value}}}).BasicAuth()
}
