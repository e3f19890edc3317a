package main

import (
	"crypto/ed25519"
	"strings"
	"testing"
	"time"

	"onceshop/license"
)

func TestALicenseIsVerifiedOffline(t *testing.T) {
	t.Parallel()
	ours := ed25519.NewKeyFromSeed([]byte("0123456789abcdef0123456789abcdef"))
	foreign := ed25519.NewKeyFromSeed([]byte("another-seed-of-exactly-32-bytes"))
	public := func(key ed25519.PrivateKey) string {
		text, err := license.MarshalPublic(key.Public().(ed25519.PublicKey))
		if err != nil {
			t.Fatal(err)
		}
		return write(t, "key.pem", text)
	}
	f := license.File{License: "0199-1", Product: "Inkwell", Order: "OS-AAAAA-AAAAA", Buyer: "ada@example.com", IssuedAt: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	good := f.Sign(ours)
	f.ExpiresAt = time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	expired := f.Sign(ours)
	environ := environment("mysql://nobody@127.0.0.1:1/shop")

	wantCode(t, shop(t, nil, "license", "verify", write(t, "l", good), "--key", public(ours)), exitDone, "valid", "Inkwell", "ada@example.com", "OS-AAAAA-AAAAA")
	wantCode(t, shop(t, environ, "license", "verify", write(t, "l", good)), exitDone, "valid")
	wantCode(t, shop(t, nil, "license", "verify", write(t, "l", good), "--key", public(foreign), "--key", public(ours)), exitDone, "valid")
	wantCode(t, shop(t, nil, "license", "verify", write(t, "l", good), "--key", public(foreign)), exitFailed, "not valid: the license is signed with a key that isn't known here")
	wantCode(t, shop(t, environ, "license", "verify", write(t, "l", []byte(strings.Replace(string(good), "Inkwell", "Quarry", 1)))), exitFailed, "not valid: the license has been changed")
	wantCode(t, shop(t, environ, "license", "verify", write(t, "l", []byte("Dear Ada,"))), exitFailed, "not valid: not an onceshop license")
	wantCode(t, shop(t, environ, "license", "verify", write(t, "l", expired)), exitFailed, "expired")
	wantCode(t, shop(t, nil, "license", "verify", write(t, "l", good)), exitFailed, "no key to trust")
	wantCode(t, shop(t, nil, "license", "verify", "/nowhere"), exitFailed, "no such file")

	got := decode[map[string]any](t, mustShop(t, environ, "license", "verify", write(t, "l", good), "--format", "json"))
	if got["valid"] != true || got["product"] != "Inkwell" || got["license"] != "0199-1" {
		t.Errorf("%v", got)
	}
}
