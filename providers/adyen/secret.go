package adyen

import (
	"encoding/hex"
	"errors"
	"fmt"

	"onceshop/providers/signing"
)

// minDigits are 16 bytes.
const minDigits = 32

// CheckSecret tells what is wrong with a webhook secret of Adyen's, without
// repeating it.
func CheckSecret(key string) error {
	err := signing.CheckSecret(key)
	switch _, ok := keyBytes(key); {
	case err != nil:
		return err
	case !ok:
		return errors.New("is not hexadecimal: pairs of the digits 0-9 and A-F")
	case len(key) < minDigits:
		return fmt.Errorf("is shorter than %d hexadecimal digits", minDigits)
	}
	return nil
}

func checkSecrets(secrets []signing.Secret) error {
	if err := signing.Check(Name, secrets); err != nil {
		return err
	}
	for _, s := range secrets {
		if _, ok := keyBytes(s.Key); !ok {
			return fmt.Errorf("%s: webhook secret %q is not hexadecimal", Name, s.ID)
		}
	}
	return nil
}

// keyBytes are what a secret stands for; capital digits are the same as small ones.
func keyBytes(secret string) ([]byte, bool) {
	key, err := hex.DecodeString(secret)
	return key, err == nil && len(key) > 0
}
