package license_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"strings"
	"testing"

	"onceshop/license"
)

func TestAPublicKeySurvivesPEM(t *testing.T) {
	t.Parallel()
	key := signer(1).Public().(ed25519.PublicKey)
	data, err := license.MarshalPublic(key)
	if err != nil {
		t.Fatal(err)
	}
	got, err := license.ParsePublic(bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n")))
	if err != nil || !got.Equal(key) {
		t.Errorf("got %x, %v", got, err)
	}
	if _, err := license.MarshalPublic(key[:5]); err == nil {
		t.Error("half a key was written")
	}
}

func TestOtherThingsAreNoPublicKey(t *testing.T) {
	t.Parallel()
	ec, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKIXPublicKey(ec.Public())
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(signer(1))
	if err != nil {
		t.Fatal(err)
	}
	block := func(kind string, der []byte) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
	}
	for data, says := range map[string]string{
		"":                                  "not a public key in pem form",
		"hello":                             "not a public key in pem form",
		block("PRIVATE KEY", private):       `a "PRIVATE KEY", not a public key`,
		block("PUBLIC KEY", []byte("junk")): "not a public key: ",
		block("PUBLIC KEY", der):            "of another kind",
	} {
		if _, err := license.ParsePublic([]byte(data)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%.40q: got %v, want one that says %q", data, err, says)
		}
	}
}
