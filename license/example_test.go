package license_test

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"time"

	"onceshop/license"
)

// The shop derives a key, shows it masked, and stores its hash. What a buyer
// types later is normalized before it is looked up.
func ExampleKey() {
	secret := []byte("at least 32 bytes that nobody guesses")
	key := license.Key(secret, "0199a0c2-7f3e-7c11-9d2a-3f5e6b7c8d90")
	fmt.Println(key)
	fmt.Println(license.Mask(key))
	fmt.Printf("%x\n", license.Hash(key))
	// Output:
	// VE0TQ-XK5XC-A1X05-CWX4E-7VA50
	// VE0TQ-•••••-•••••-•••••-7VA50
	// a00723fdf08482418373f552d849511204c4e1857f60ac51bba2999ba21428d5
}

func ExampleNormalize() {
	// Small letters, blanks, an O for a zero and an S for a five.
	key, err := license.Normalize("veotq xksxc a1xos cwx4e 7vaso")
	fmt.Println(key, err)

	_, err = license.Normalize("VE0TQ-XK5XC-A1X05-CWX4E-7VA05")
	fmt.Println(err)
	// Output:
	// VE0TQ-XK5XC-A1X05-CWX4E-7VA50 <nil>
	// the license key has a typing error: its last character doesn't fit the others
}

// The shop signs with its private key; a program that carries the public key
// verifies without asking anybody.
func ExampleVerify() {
	private := signer(7) // in a shop: from its configuration
	data := license.File{
		License:  "0199a0c2-7f3e-7c11-9d2a-3f5e6b7c8d90",
		Product:  "Once Pro",
		Order:    "2026-000042",
		Buyer:    "buyer@example.com",
		IssuedAt: time.Date(2026, 1, 1, 10, 20, 30, 0, time.UTC),
	}.Sign(private)
	fmt.Printf("%s", data)

	public := private.Public().(ed25519.PublicKey)
	keys := map[string]ed25519.PublicKey{license.KeyID(public): public}
	f, err := license.Verify(data, keys)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.Product, "for", f.Buyer, f.Expired(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)))

	_, err = license.Verify(data[:300], keys)
	fmt.Println(errors.Is(err, license.ErrTruncated), err)
	// Output:
	// -----BEGIN ONCESHOP LICENSE-----
	// Key-Id: fe812c12f3ab4ce6
	// Product: Once Pro
	// Order: 2026-000042
	// Licensed to: buyer@example.com
	// License: 0199a0c2-7f3e-7c11-9d2a-3f5e6b7c8d90
	// Issued: 2026-01-01T10:20:30Z
	// Expires: never
	//
	// nxP8RrWrB5WrIy7RPeuUAeXrzcJtw1RCszv4ZzNGA5WJvZLGKtTDLCxHdKniZwxf
	// x7uBnDFQU+qvk/l3dpTnAnsib25jZXNob3BMaWNlbnNlIjoxLCJrZXlJZCI6ImZl
	// ODEyYzEyZjNhYjRjZTYiLCJsaWNlbnNlIjoiMDE5OWEwYzItN2YzZS03YzExLTlk
	// MmEtM2Y1ZTZiN2M4ZDkwIiwicHJvZHVjdCI6Ik9uY2UgUHJvIiwib3JkZXIiOiIy
	// MDI2LTAwMDA0MiIsImJ1eWVyIjoiYnV5ZXJAZXhhbXBsZS5jb20iLCJpc3N1ZWRB
	// dCI6IjIwMjYtMDEtMDFUMTA6MjA6MzBaIn0=
	// -----END ONCESHOP LICENSE-----
	// Once Pro for buyer@example.com false
	// true the license is incomplete: no line "-----END ONCESHOP LICENSE-----"
}

func ExampleMarshalPublic() {
	data, err := license.MarshalPublic(signer(7).Public().(ed25519.PublicKey))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", data)

	key, err := license.ParsePublic(data)
	fmt.Println(license.KeyID(key), err)
	// Output:
	// -----BEGIN PUBLIC KEY-----
	// MCowBQYDK2VwAyEA6kpsY+KcUgq+9VB7Ey7F+ZVHdq6+vnuSQh7qaRRG0iw=
	// -----END PUBLIC KEY-----
	// fe812c12f3ab4ce6 <nil>
}
