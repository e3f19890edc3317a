package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"fmt"
)

type secretsCommand struct{}

// ownSecrets are those that a shop makes up itself. A real provider's come from
// the provider.
var ownSecrets = [...]string{"SHOP_SECRET", "SHOP_LICENSE_SECRET", "SHOP_LICENSE_SIGNING_KEY", "SHOP_STABLEIN_API_KEY", "SHOP_STABLEIN_WEBHOOK_SECRET"}

// Run prints what docker-compose.yml wants in .env. Whoever loses the first three
// can't show sold keys again, so they are for keeping.
func (*secretsCommand) Run(s *session) error {
	for _, name := range ownSecrets {
		fmt.Fprintf(s.stdout, "%s=%s\n", name, newSecret())
	}
	_, err := fmt.Fprintf(s.stdout, "DB_PASSWORD=%s\n", hex.EncodeToString(random(16))) // it becomes part of a URL
	return err
}

// newSecret has as many random bytes as the seed of a signing key.
func newSecret() string { return base64.StdEncoding.EncodeToString(random(ed25519.SeedSize)) }

func random(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails
	return b
}
