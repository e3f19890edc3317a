package license_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"onceshop/license"
)

// signer is a key for tests: its seed is one byte, repeated.
func signer(seed byte) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{seed}, ed25519.SeedSize))
}

func trusted(keys ...ed25519.PrivateKey) map[string]ed25519.PublicKey {
	m := map[string]ed25519.PublicKey{}
	for _, k := range keys {
		public := k.Public().(ed25519.PublicKey)
		m[license.KeyID(public)] = public
	}
	return m
}

func sold() license.File {
	return license.File{
		License: "0199a0c2-7f3e-7c11-9d2a-3f5e6b7c8d90", Product: `Pro 🚀 Édition <b>"x"</b> & عربى`,
		Order: "2026-000042", Buyer: "buyer@example.com",
		IssuedAt: time.Date(2026, 1, 1, 10, 20, 30, 0, time.UTC),
	}
}

func TestASignedLicenseVerifies(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]time.Time{"for ever": {}, "for a year": time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := sold()
			want.ExpiresAt = end
			data := want.Sign(signer(1))
			got, err := license.Verify(data, trusted(signer(1), signer(2)))
			if err != nil {
				t.Fatal(err)
			}
			want.KeyID = license.KeyID(signer(1).Public().(ed25519.PublicKey))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			if !bytes.Equal(data, got.Sign(signer(1))) {
				t.Error("the same license signed again is another file")
			}
		})
	}
}

func TestAnyTextSurvivesSigning(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		anything := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
			rapid.SampledFrom([]string{"a\n\n-----END ONCESHOP LICENSE-----\nb", "-----BEGIN ONCESHOP LICENSE-----", "x\nKey-Id: 00", "\u202egnorw", "\r\n", " "}))
		f := license.File{
			License: anything.Draw(t, "license"), Product: anything.Draw(t, "product"),
			Order: anything.Draw(t, "order"), Buyer: anything.Draw(t, "buyer"),
			IssuedAt: time.Unix(rapid.Int64Range(0, 1<<33).Draw(t, "issued"), 123456789).In(time.FixedZone("", 5*3600)),
		}
		data := f.Sign(signer(1))
		got, err := license.Verify(data, trusted(signer(1)))
		if err != nil {
			t.Fatalf("%v\n%s", err, data)
		}
		clean := func(s string) string { return strings.ToValidUTF8(s, "\ufffd") }
		if got.Product != clean(f.Product) || got.Buyer != clean(f.Buyer) || got.Order != clean(f.Order) || got.License != clean(f.License) {
			t.Fatalf("signed %+v, read %+v", f, got)
		}
		if !got.IssuedAt.Equal(f.IssuedAt.Truncate(time.Second)) {
			t.Fatalf("issued %s, read %s", f.IssuedAt, got.IssuedAt)
		}
	})
}

func TestWhatMailProgramsDoBreaksNothing(t *testing.T) {
	t.Parallel()
	f := sold()
	f.Product = strings.Repeat("A very long name of a product ", 6)
	data := string(f.Sign(signer(1)))
	for name, changed := range map[string]string{
		"windows line endings":        strings.ReplaceAll(data, "\n", "\r\n"),
		"a trailing newline":          data + "\n\n",
		"no trailing newline":         strings.TrimRight(data, "\n"),
		"a byte order mark":           "\ufeff" + data,
		"blanks at line ends":         strings.ReplaceAll(data, "\n", "  \n"),
		"indented":                    "  " + strings.ReplaceAll(data, "\n", "\n\t"),
		"a mail around it":            "Dear customer,\n\n" + data + "\n-- \nThe shop\n",
		"long lines wrapped":          strings.Replace(data, "name of a product A very long", "name of a product\nA very long", 1),
		"the signed part in one line": oneLine(data),
	} {
		if changed == data {
			t.Errorf("%s: nothing was changed", name)
		}
		if got, err := license.Verify([]byte(changed), trusted(signer(1))); err != nil || got.Order != f.Order {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// oneLine joins the lines of the signed part.
func oneLine(data string) string {
	head, rest, _ := strings.Cut(data, "\n\n")
	block, _, _ := strings.Cut(rest, "-----END")
	return head + "\n\n" + strings.ReplaceAll(block, "\n", "") + "\n-----END" + strings.SplitN(rest, "-----END", 2)[1]
}

func TestABadLicenseIsRefusedWithTheReason(t *testing.T) {
	t.Parallel()
	data := string(sold().Sign(signer(1)))
	_, block, _ := strings.Cut(data, "\n\n")
	other := license.File{License: "other"}.Sign(signer(1))
	_, otherBlock, _ := strings.Cut(string(other), "\n\n")
	edit := func(old, new string) string {
		if !strings.Contains(data, old) {
			t.Fatalf("no %q in the license", old)
		}
		return strings.Replace(data, old, new, 1)
	}
	for _, c := range []struct {
		name, data string
		kind       error
		says       string
	}{
		{"empty", "", license.ErrNotLicense, "no line"},
		{"something else", "-----BEGIN CERTIFICATE-----\n", license.ErrNotLicense, "no line"},
		{"a film", strings.Repeat("x", 1<<17), license.ErrNotLicense, "longer than"},
		{"cut in the middle", data[:len(data)/2], license.ErrTruncated, "no line"},
		{"cut before its last line", data[:strings.Index(data, "-----END")], license.ErrTruncated, "no line"},
		{"signed part missing", edit(block, "-----END ONCESHOP LICENSE-----"), license.ErrTruncated, "signed part is missing"},
		{"lower half missing", data[:strings.Index(data, "\n\n")+1] + "-----END ONCESHOP LICENSE-----\n", license.ErrTruncated, "no empty line"},
		{"a line of the signed part missing", edit(block[:65], ""), license.ErrChanged, "signature"},
		{"product edited", edit("Product: Pro", "Product: Enterprise"), license.ErrChanged, "readable lines"},
		{"buyer edited", edit("buyer@", "thief@"), license.ErrChanged, "readable lines"},
		{"a line added", edit("Expires: never", "Expires: never\nSeats: 1000"), license.ErrChanged, "readable lines"},
		{"a line removed", edit("Expires: never\n", ""), license.ErrChanged, "readable lines"},
		{"signed part of another license", edit(block, otherBlock), license.ErrChanged, "readable lines"},
		{"signed part of noise", edit(block[:5], "!!!!!"), license.ErrChanged, "base64"},
		{"key id edited", edit("Key-Id: ", "Key-Id: 0"), license.ErrUnknownKey, "isn't known here"},
		{"key id removed", edit("Key-Id: ", "Key: "), license.ErrChanged, "first line"},
	} {
		got, err := license.Verify([]byte(c.data), trusted(signer(1)))
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.says) || got != (license.File{}) {
			t.Errorf("%s: got %+v and %v, want %q and %q", c.name, got, err, c.kind, c.says)
		}
	}
}

// signedText is a license file around any text, signed as it should be.
func signedText(text string) []byte {
	key := signer(1)
	all := append(ed25519.Sign(key, []byte(text)), text...)
	return []byte("-----BEGIN ONCESHOP LICENSE-----\nKey-Id: " + license.KeyID(key.Public().(ed25519.PublicKey)) +
		"\n\n" + base64.StdEncoding.EncodeToString(all) + "\n-----END ONCESHOP LICENSE-----\n")
}

func TestATrustedSignatureDoesNotMakeALicenseOfAnything(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]error{
		"":                        license.ErrTruncated,
		"I agree":                 license.ErrNotLicense,
		`{"product":"Once Pro"}`:  license.ErrNotLicense,
		`{"onceshopLicense":2}`:   license.ErrVersion,
		`{"onceshopLicense":"1"}`: license.ErrNotLicense,
		`{"onceshopLicense":1}`:   license.ErrChanged, // its readable lines are missing
	} {
		if got, err := license.Verify(signedText(text), trusted(signer(1))); !errors.Is(err, want) || got != (license.File{}) {
			t.Errorf("%q: got %+v and %v, want %v", text, got, err, want)
		}
	}
}

func TestANameCantWriteItsOwnLines(t *testing.T) {
	t.Parallel()
	f := sold()
	f.Product = "Pro\nSeats: 1000\r\x1b[31m\u202egnorw\u2028x\x00"
	head, _, _ := strings.Cut(string(f.Sign(signer(1))), "\n\n")
	if got, want := strings.Split(head, "\n")[2], "Product: Pro Seats: 1000 [31m gnorw x"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if n := strings.Count(head, "\n"); n != 7 {
		t.Errorf("%d lines:\n%s", n+1, head)
	}
}

func TestALicenseOfAnUnknownKeyIsRefused(t *testing.T) {
	t.Parallel()
	data := sold().Sign(signer(1))
	for name, keys := range map[string]map[string]ed25519.PublicKey{
		"none":        nil,
		"another":     trusted(signer(2)),
		"a short one": {license.KeyID(signer(1).Public().(ed25519.PublicKey)): {1, 2, 3}},
	} {
		if _, err := license.Verify(data, keys); !errors.Is(err, license.ErrUnknownKey) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A key under another's name doesn't open it either.
	wrong := map[string]ed25519.PublicKey{license.KeyID(signer(1).Public().(ed25519.PublicKey)): signer(2).Public().(ed25519.PublicKey)}
	if _, err := license.Verify(data, wrong); !errors.Is(err, license.ErrChanged) {
		t.Errorf("the wrong key under the right name: %v", err)
	}
}

func TestALicenseEndsAtItsInstant(t *testing.T) {
	t.Parallel()
	end := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	f := license.File{ExpiresAt: end}
	if f.Expired(end.Add(-time.Nanosecond)) || !f.Expired(end) || (license.File{}).Expired(end) {
		t.Error("the end is not where it was set")
	}
}

// Every byte of a license, changed to every other value, is refused, or was one
// of the blanks that Verify leaves out and the license says the same.
func TestAFlippedByteIsRefused(t *testing.T) {
	t.Parallel()
	data := sold().Sign(signer(1))
	want, err := license.Verify(data, trusted(signer(1)))
	if err != nil {
		t.Fatal(err)
	}
	blank := func(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
	for i := range data {
		for bit := range 8 {
			flipped := bytes.Clone(data)
			flipped[i] ^= 1 << bit
			got, err := license.Verify(flipped, trusted(signer(1)))
			if err == nil && (got != want || !blank(data[i]) || !blank(flipped[i])) {
				t.Errorf("byte %d %q as %q was accepted", i, data[i], flipped[i])
			}
		}
	}
}

func FuzzVerify(f *testing.F) {
	data := sold().Sign(signer(1))
	f.Add(data)
	f.Add(data[:200])
	f.Add([]byte("-----BEGIN ONCESHOP LICENSE-----\n\n-----END ONCESHOP LICENSE-----"))
	f.Add([]byte("-----BEGIN ONCESHOP LICENSE-----\nKey-Id: 1\n\nAAAA\n-----END ONCESHOP LICENSE-----"))
	keys := trusted(signer(1))
	want, err := license.Verify(data, keys)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		// Only one license was ever signed, so nothing else can verify.
		if got, err := license.Verify(data, keys); err == nil && got != want {
			t.Errorf("forged: %+v", got)
		}
	})
}
