package license

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// What can be wrong with a license file.
var (
	ErrNotLicense = errors.New("not an onceshop license")
	ErrTruncated  = errors.New("the license is incomplete")
	ErrUnknownKey = errors.New("the license is signed with a key that isn't known here")
	ErrChanged    = errors.New("the license has been changed since it was signed")
	ErrVersion    = errors.New("the license is of a newer kind than this program knows")
)

// maxFile is far more than a license needs; a file beyond it is something else.
const maxFile = 64 << 10

// Verify reads a license file and returns what was signed. Keys are those the
// caller trusts, by their KeyID. Text before and after the license (a mail
// around it) is passed over. Whether it has expired is for the caller to ask;
// Verify needs no clock.
func Verify(data []byte, keys map[string]ed25519.PublicKey) (File, error) {
	if len(data) > maxFile {
		return File{}, fmt.Errorf("%w: longer than %d bytes", ErrNotLicense, maxFile)
	}
	lines, err := enclosed(data)
	if err != nil {
		return File{}, err
	}
	keyID, block, err := split(lines)
	if err != nil {
		return File{}, err
	}
	all, err := base64.StdEncoding.DecodeString(block)
	if err != nil {
		return File{}, fmt.Errorf("%w, or cut: its signed part isn't base64", ErrChanged)
	}
	if len(all) <= ed25519.SignatureSize {
		return File{}, fmt.Errorf("%w: its signed part is missing", ErrTruncated)
	}
	key := keys[keyID]
	if len(key) != ed25519.PublicKeySize {
		return File{}, fmt.Errorf("%w: %q", ErrUnknownKey, keyID)
	}
	signature, signed := all[:ed25519.SignatureSize], all[ed25519.SignatureSize:]
	if !ed25519.Verify(key, signed, signature) {
		return File{}, fmt.Errorf("%w: its signature doesn't fit its content", ErrChanged)
	}

	f, err := read(signed)
	if err != nil {
		return File{}, err
	}
	// The readable lines are what people believe, so they must not differ.
	if spaceless(f.document(all)) != spaceless([]byte(strings.Join(lines, "\n"))) {
		return File{}, fmt.Errorf("%w: its readable lines differ from the signed part", ErrChanged)
	}
	return f, nil
}

// read decodes bytes whose signature held.
func read(signed []byte) (File, error) {
	var p payload
	if err := json.Unmarshal(signed, &p); err != nil || p.Version < 1 {
		return File{}, fmt.Errorf("%w: something else was signed with its key", ErrNotLicense)
	}
	if p.Version > version {
		return File{}, fmt.Errorf("%w: %d, known are up to %d", ErrVersion, p.Version, version)
	}
	f := File{
		KeyID: p.KeyID, License: p.License, Product: p.Product, Order: p.Order, Buyer: p.Buyer,
		IssuedAt: p.IssuedAt.UTC(),
	}
	if p.ExpiresAt != nil {
		f.ExpiresAt = p.ExpiresAt.UTC()
	}
	return f, nil
}

// enclosed returns the trimmed lines from the first to the last of a license.
func enclosed(data []byte) ([]string, error) {
	lines := strings.Split(string(bytes.TrimPrefix(data, []byte("\ufeff"))), "\n")
	for i := range lines {
		lines[i] = strings.Trim(lines[i], " \t\r")
	}
	begin := slices.Index(lines, beginLine)
	if begin < 0 {
		return nil, fmt.Errorf("%w: no line %q", ErrNotLicense, beginLine)
	}
	end := slices.Index(lines[begin:], endLine)
	if end < 0 {
		return nil, fmt.Errorf("%w: no line %q", ErrTruncated, endLine)
	}
	return lines[begin : begin+end+1], nil
}

// split returns the id of the signing key and the signed part, still encoded.
func split(lines []string) (keyID, block string, err error) {
	blank := slices.Index(lines, "")
	if blank < 0 {
		return "", "", fmt.Errorf("%w: no empty line above its signed part", ErrTruncated)
	}
	keyID, ok := strings.CutPrefix(lines[1], keyIDName)
	if !ok {
		return "", "", fmt.Errorf("%w: its first line is not %q", ErrChanged, keyIDName)
	}
	return strings.TrimSpace(keyID), strings.Join(lines[blank:len(lines)-1], ""), nil
}

// spaceless is text as people compare it: without what mail programs do to line
// endings and long lines.
func spaceless(b []byte) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\r\n", r) {
			return -1
		}
		return r
	}, string(b))
}
