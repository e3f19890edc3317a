package main

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"os"
	"time"

	"onceshop/config"
	"onceshop/license"
)

type licenseCommand struct {
	Verify licenseVerify `cmd:"" help:"Check a license file's signature, offline."`
}

type licenseVerify struct {
	format
	File string   `arg:"" help:"The license file; a mail that contains it will do."`
	Key  []string `help:"A public key to trust (PEM), from the shop's /licenses/public-key.pem; may be repeated. Default: this shop's own." placeholder:"FILE"`
}

// Run answers for the file alone. Whether the license was revoked later, after a
// refund say, only the shop knows.
func (cmd *licenseVerify) Run(s *session) error {
	text, err := os.ReadFile(cmd.File)
	if err != nil {
		return err
	}
	keys, err := cmd.keys(s)
	if err != nil {
		return err
	}
	f, err := license.Verify(text, keys)
	if err != nil {
		fmt.Fprintln(s.stdout, "not valid:", err)
		return errSaid
	}
	expired := f.Expired(time.Now())
	if done, err := cmd.json(s, map[string]any{
		"valid": !expired, "license": f.License, "product": f.Product, "order": f.Order, "buyer": f.Buyer,
		"issued_at": f.IssuedAt, "expires_at": f.ExpiresAt, "key_id": f.KeyID,
	}); done {
		if expired && err == nil {
			err = errSaid
		}
		return err
	}
	first := "valid"
	if expired {
		first = "expired"
	}
	t := s.table("", first, "signed with key "+f.KeyID)
	t.row("product", f.Product)
	t.row("licensed to", f.Buyer)
	t.row("order", f.Order)
	t.row("license", f.License)
	t.row("issued", f.IssuedAt.Format(time.RFC3339))
	if f.ExpiresAt.IsZero() {
		t.row("expires", "never")
	} else {
		t.row("expires", f.ExpiresAt.Format(time.RFC3339))
	}
	if err := t.flush(); err != nil || !expired {
		return err
	}
	return errSaid
}

// keys are those that are trusted, by their ids.
func (cmd *licenseVerify) keys(s *session) (map[string]ed25519.PublicKey, error) {
	keys := map[string]ed25519.PublicKey{}
	for _, path := range cmd.Key {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		key, err := license.ParsePublic(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		keys[license.KeyID(key)] = key
	}
	if len(keys) > 0 {
		return keys, nil
	}
	c, err := s.config()
	if err != nil {
		return nil, err
	}
	if c.LicenseSigningKey == "" {
		return nil, errors.New("no key to trust: give the shop's public key with --key")
	}
	own, err := c.SigningKey()
	if err != nil {
		return nil, config.Faults{{Setting: config.Prefix + "LICENSE_SIGNING_KEY", Problem: err.Error()}}
	}
	public := own.Public().(ed25519.PublicKey)
	return map[string]ed25519.PublicKey{license.KeyID(public): public}, nil
}
