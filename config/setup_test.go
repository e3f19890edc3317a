package config_test

import (
	"encoding/base64"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"onceshop/config"
)

// environment is a usable configuration with changes; a nil value takes one away.
func environment(changes map[string]string, without ...string) []string {
	env := map[string]string{
		"SHOP_BASE_URL":                "https://shop.example",
		"SHOP_DATABASE_URL":            "mysql://shop:db-password@127.0.0.1/shop",
		"SHOP_SECRET":                  "an-order-secret-of-at-least-32-bytes",
		"SHOP_LICENSE_SECRET":          "a-license-secret-of-at-least-32-bytes",
		"SHOP_LICENSE_SIGNING_KEY":     base64.StdEncoding.EncodeToString([]byte("0123456789abcdef0123456789abcdef")),
		"SHOP_STABLEIN_BASE_URL":       "https://api.stablein.example",
		"SHOP_STABLEIN_API_KEY":        "an-api-key-for-tests",
		"SHOP_STABLEIN_WEBHOOK_SECRET": "stablein-shop-secret-current",
		"SHOP_MAIL_URL":                "smtp://user:mail-password@mail.example:587",
		"SHOP_MAIL_FROM":               "Our Shop <shop@shop.example>",
	}
	maps.Copy(env, changes)
	for _, name := range without {
		delete(env, name)
	}
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(env)) {
		lines = append(lines, name+"="+env[name])
	}
	return lines
}

// faultsOf loads and checks as a start does.
func faultsOf(t *testing.T, environ []string) config.Faults {
	t.Helper()
	c, err := config.Load(environ)
	if err == nil {
		err = c.Check()
	}
	if err == nil {
		return nil
	}
	var faults config.Faults
	if !errors.As(err, &faults) {
		t.Fatalf("want config.Faults, got %T: %v", err, err)
	}
	return faults
}

func load(t *testing.T, environ []string) *config.Config {
	t.Helper()
	c, err := config.Load(environ)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Check(); err != nil {
		t.Fatal(err)
	}
	return c
}

func mustContain(t *testing.T, text, part string) {
	t.Helper()
	if !strings.Contains(text, part) {
		t.Fatalf("%q doesn't contain %q", text, part)
	}
}
