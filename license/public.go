package license

import (
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
)

const publicType = "PUBLIC KEY"

// KeyID names a public key: the first 16 hex digits of its SHA-256. It tells
// keys apart, it doesn't vouch for them.
func KeyID(key ed25519.PublicKey) string {
	sum := sha256.Sum256(key)
	return hex.EncodeToString(sum[:8])
}

// MarshalPublic returns the key as PEM, the form openssl and others read.
func MarshalPublic(key ed25519.PublicKey) ([]byte, error) {
	if len(key) != ed25519.PublicKeySize {
		return nil, fmt.Errorf("an ed25519 public key has %d bytes, not %d", ed25519.PublicKeySize, len(key))
	}
	der, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		return nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: publicType, Bytes: der}), nil
}

// ParsePublic reads a key that MarshalPublic wrote.
func ParsePublic(data []byte) (ed25519.PublicKey, error) {
	block, _ := pem.Decode(data)
	if block == nil {
		return nil, errors.New("not a public key in pem form")
	}
	if block.Type != publicType {
		return nil, fmt.Errorf("a %q, not a public key", block.Type)
	}
	parsed, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("not a public key: %w", err)
	}
	key, ok := parsed.(ed25519.PublicKey)
	if !ok {
		return nil, fmt.Errorf("a public key of another kind: %T", parsed)
	}
	return key, nil
}
