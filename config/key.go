package config

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"strings"

	"onceshop/providers/signing"
)

// SigningKey reads LicenseSigningKey. Its errors are predicates and don't repeat
// any of it.
func (c *Config) SigningKey() (ed25519.PrivateKey, error) {
	text := strings.TrimSpace(c.LicenseSigningKey.Reveal())
	if strings.HasPrefix(text, "-----BEGIN") {
		block, _ := pem.Decode([]byte(text))
		if block == nil {
			return nil, errors.New("is not whole: its PEM can't be read")
		}
		parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
		key, ok := parsed.(ed25519.PrivateKey)
		if err != nil || !ok {
			return nil, errors.New("is not an Ed25519 private key in PKCS 8; make one with: openssl genpkey -algorithm ed25519")
		}
		return key, nil
	}
	seed, err := base64.StdEncoding.DecodeString(text)
	switch weak := signing.CheckSecret(text); {
	case err != nil && weak != nil:
		return nil, weak // a placeholder, mostly
	case err != nil:
		return nil, errors.New("is neither PEM nor base64")
	case len(seed) != ed25519.SeedSize:
		return nil, errors.New("is base64 but not of 32 bytes, an Ed25519 seed")
	case isUniform(seed):
		return nil, errors.New("is a placeholder: all its bytes are the same")
	}
	return ed25519.NewKeyFromSeed(seed), nil
}

func isUniform(b []byte) bool {
	for _, x := range b {
		if x != b[0] {
			return false
		}
	}
	return true
}
