package license

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"
	"unicode"
)

// File is what a license file says.
type File struct {
	KeyID     string    // of the key that signed it; Sign sets it
	License   string    // the license's id
	Product   string    // its name when it was bought
	Order     string    // the order's number
	Buyer     string    // a mail address
	IssuedAt  time.Time // whole seconds
	ExpiresAt time.Time // whole seconds; zero: never
}

// payload is the signed JSON. Its first field says what this is, so that no
// other text signed with the same key can pass for a license.
type payload struct {
	Version   int        `json:"onceshopLicense"`
	KeyID     string     `json:"keyId"`
	License   string     `json:"license"`
	Product   string     `json:"product"`
	Order     string     `json:"order"`
	Buyer     string     `json:"buyer"`
	IssuedAt  time.Time  `json:"issuedAt"`
	ExpiresAt *time.Time `json:"expiresAt,omitempty"`
}

const (
	version   = 1
	beginLine = "-----BEGIN ONCESHOP LICENSE-----"
	endLine   = "-----END ONCESHOP LICENSE-----"
	keyIDName = "Key-Id:"
	lineWidth = 64
)

// Expired tells whether the license has ended.
func (f File) Expired(now time.Time) bool {
	return !f.ExpiresAt.IsZero() && !now.Before(f.ExpiresAt)
}

// Sign returns the file's text. The same content signed with the same key gives
// the same bytes, so a lost file can be made again at any time.
func (f File) Sign(key ed25519.PrivateKey) []byte {
	f.KeyID = KeyID(key.Public().(ed25519.PublicKey))
	signed := f.payload()
	return f.document(append(ed25519.Sign(key, signed), signed...))
}

// payload encodes what is signed. Bytes that aren't text would not come back as
// they went, so they are replaced here rather than there.
func (f File) payload() []byte {
	p := payload{
		Version: version, KeyID: f.KeyID,
		License: text(f.License), Product: text(f.Product), Order: text(f.Order), Buyer: text(f.Buyer),
		IssuedAt: f.IssuedAt.UTC().Truncate(time.Second),
	}
	if !f.ExpiresAt.IsZero() {
		end := f.ExpiresAt.UTC().Truncate(time.Second)
		p.ExpiresAt = &end
	}
	raw, err := json.Marshal(p)
	if err != nil {
		// A year beyond 9999 is all that can't be encoded.
		panic("license: " + err.Error())
	}
	return raw
}

// document sets the readable lines above the signed part.
func (f File) document(signed []byte) []byte {
	var b bytes.Buffer
	line := func(parts ...string) { b.WriteString(strings.Join(parts, " ") + "\n") }
	line(beginLine)
	line(keyIDName, f.KeyID)
	line("Product:", visible(f.Product))
	line("Order:", visible(f.Order))
	line("Licensed to:", visible(f.Buyer))
	line("License:", visible(f.License))
	line("Issued:", f.IssuedAt.UTC().Format(time.RFC3339))
	if f.ExpiresAt.IsZero() {
		line("Expires: never")
	} else {
		line("Expires:", f.ExpiresAt.UTC().Format(time.RFC3339))
	}
	line()
	for encoded := base64.StdEncoding.EncodeToString(signed); encoded != ""; {
		n := min(lineWidth, len(encoded))
		line(encoded[:n])
		encoded = encoded[n:]
	}
	line(endLine)
	return b.Bytes()
}

func text(s string) string { return strings.ToValidUTF8(s, "\ufffd") }

// visible keeps a value on its line and in its direction: a product's name must
// not be able to write a line of its own, or to turn the others around.
func visible(s string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return ' '
		}
		return r
	}, text(s))), " ")
}
