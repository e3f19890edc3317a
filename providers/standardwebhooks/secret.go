package standardwebhooks

import (
	"encoding/base64"
	"errors"
	"strings"

	"onceshop/providers/signing"
)

// prefix marks a secret; it may be left out.
const prefix = "whsec_"

// The lengths that the specification asks of a key.
const minKey, maxKey = 24, 64

// CheckSecret tells what is wrong with a webhook secret, without repeating it.
func CheckSecret(secret string) error {
	if err := signing.CheckSecret(secret); err != nil {
		return err
	}
	bare := strings.TrimPrefix(secret, prefix)
	if err := signing.CheckSecret(bare); err != nil {
		return err
	}
	key, ok := keyBytes(secret)
	switch {
	case !ok:
		return errors.New("isn't base64 after " + prefix)
	case len(key) < minKey:
		return errors.New("stands for fewer than 24 bytes")
	case len(key) > maxKey:
		return errors.New("stands for more than 64 bytes")
	}
	return nil
}

// keyBytes are what a secret stands for. One text stands for them: no line breaks,
// which Go's decoder skips, no padding left out, no bits behind the last byte.
func keyBytes(secret string) ([]byte, bool) {
	text := strings.TrimPrefix(secret, prefix)
	if strings.ContainsAny(text, "\r\n") {
		return nil, false
	}
	key, err := base64.StdEncoding.Strict().DecodeString(text)
	return key, err == nil
}
