package license

import (
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"unicode"
)

// The shape of a key: ABCDE-FGHJK-….
const (
	// alphabet has a prime number of characters, which the check needs. Left
	// out are I and L (1), O (0), U (V), S (5), Z (2) and B (8).
	alphabet  = "0123456789ACDEFGHJKMNPQRTVWXY"
	keyLength = 25
	groupSize = 5
)

// What can be wrong with a typed key.
var (
	ErrKeyShape = errors.New("not a license key")
	ErrKeyCheck = errors.New("the license key has a typing error")
)

// Key derives the key of a license from its id. The secret must be long and
// kept: who has it can make all keys, and without it they can't be shown again.
func Key(secret []byte, licenseID string) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("onceshop license key 1\n"))
	mac.Write([]byte(licenseID))

	// 256 bits, of which the 24 characters take 117: none is likelier than
	// another by anything that could be noticed.
	n := new(big.Int).SetBytes(mac.Sum(nil))
	base, rest := big.NewInt(int64(len(alphabet))), new(big.Int)
	var key [keyLength]byte
	for i := range keyLength - 1 {
		n.DivMod(n, base, rest)
		key[i] = alphabet[rest.Int64()]
	}
	key[keyLength-1] = checkCharacter(key[:keyLength-1])
	return grouped(string(key[:]))
}

// Normalize reads a key as people type it, in any case, with blanks or dashes
// anywhere, a look-alike for its twin, and returns it as Key prints it. An error
// wraps ErrKeyShape or ErrKeyCheck, says what is wrong, and never repeats the
// key: it may end in a log.
func Normalize(typed string) (string, error) {
	var key []byte
	for _, r := range typed {
		switch c := canonical(r); {
		case c != 0:
			key = append(key, c)
		case unicode.IsSpace(r), unicode.Is(unicode.Dash, r), unicode.Is(unicode.Cf, r):
		default:
			return "", fmt.Errorf("%w: %q doesn't occur in one", ErrKeyShape, r)
		}
		if len(key) > keyLength {
			return "", fmt.Errorf("%w: it has %d characters, this one has more", ErrKeyShape, keyLength)
		}
	}
	if len(key) < keyLength {
		return "", fmt.Errorf("%w: it has %d characters, this one has %d", ErrKeyShape, keyLength, len(key))
	}
	if checkCharacter(key[:keyLength-1]) != key[keyLength-1] {
		return "", fmt.Errorf("%w: its last character doesn't fit the others", ErrKeyCheck)
	}
	return grouped(string(key)), nil
}

// Mask hides the middle of a key, for pages that anybody may look at over a
// shoulder. Of a text that isn't one of our keys at most four characters show.
func Mask(key string) string {
	hidden := strings.Repeat("•", groupSize)
	if ours, err := Normalize(key); err == nil && ours == key {
		groups := strings.Split(key, "-")
		for i := 1; i < len(groups)-1; i++ {
			groups[i] = hidden
		}
		return strings.Join(groups, "-")
	}
	runes := []rune(key)
	return hidden + hidden + string(runes[len(runes)-min(len(runes)/4, 4):])
}

// Hash is what the shop stores instead of a key. It is exact: hand it what Key
// or Normalize returned. A plain hash will do, for there are too many keys to
// try.
func Hash(key string) [32]byte { return sha256.Sum256([]byte(key)) }

// checkCharacter weighs each character by its place. With a prime modulus and
// weights that differ and aren't zero, no single wrong character and no two
// exchanged ones leave the sum as it was; the check character itself, of weight
// -1, included.
func checkCharacter(key []byte) byte {
	sum := 0
	for i, c := range key {
		sum += (i + 1) * strings.IndexByte(alphabet, c)
	}
	return alphabet[sum%len(alphabet)]
}

// canonical returns the character of the alphabet that was meant, or zero.
func canonical(r rune) byte {
	if 'a' <= r && r <= 'z' {
		r -= 'a' - 'A'
	}
	switch r {
	case 'I', 'L':
		return '1'
	case 'O':
		return '0'
	case 'S':
		return '5'
	case 'Z':
		return '2'
	case 'B':
		return '8'
	case 'U':
		return 'V'
	}
	if r < unicode.MaxASCII && strings.IndexByte(alphabet, byte(r)) >= 0 {
		return byte(r)
	}
	return 0
}

func grouped(key string) string {
	var b strings.Builder
	for i := 0; i < len(key); i += groupSize {
		if i > 0 {
			b.WriteByte('-')
		}
		b.WriteString(key[i : i+groupSize])
	}
	return b.String()
}
