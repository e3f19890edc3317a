package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"onceshop/config"
	"onceshop/providers/stablein"
)

type secretsCommand struct{ choice }

// ownSecrets are those that a shop makes up itself. A real provider's come from
// the provider.
var ownSecrets = [...]string{"SHOP_SECRET", "SHOP_LICENSE_SECRET", "SHOP_LICENSE_SIGNING_KEY"}

// Run prints what docker-compose.yml wants in .env. Whoever loses the first three
// can't show sold keys again, so they are for keeping.
func (cmd *secretsCommand) Run(s *session) error {
	providers, err := cmd.names()
	if err != nil {
		return err
	}
	for _, line := range credentials(nil, providers) {
		fmt.Fprintln(s.stdout, line)
	}
	fmt.Fprintf(s.stdout, "SHOP_PROVIDERS=%s\n", strings.Join(providers, ","))
	_, err = fmt.Fprintf(s.stdout, "DB_PASSWORD=%s\n", hex.EncodeToString(random(16))) // it becomes part of a URL
	return err
}

// credentials are the shop's own secrets and what the providers' stand-ins ask for:
// those that are kept already, and new ones for what is missing. The practice API
// takes StableIn's key, whomever it is about.
func credentials(kept map[string]string, providers []string) []string {
	var lines []string
	add := func(name string, make func() string) {
		value := kept[name]
		if value == "" {
			value = make()
		}
		lines = append(lines, name+"="+value)
	}
	for _, name := range ownSecrets {
		add(name, newSecret)
	}
	if !slices.Contains(providers, stablein.Name) {
		add(config.SettingOf(stablein.Name, "API_KEY"), newSecret)
	}
	for _, provider := range providers {
		for _, setting := range standIns[provider].settings {
			add(config.SettingOf(provider, setting.name), setting.make)
		}
	}
	return lines
}

// newSecret has as many random bytes as the seed of a signing key.
func newSecret() string { return base64.StdEncoding.EncodeToString(random(ed25519.SeedSize)) }

func random(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails
	return b
}
