package stablein

import (
	"strings"
	"time"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
)

// maxRef is the longest reference our records hold.
const maxRef = 255

// isRef tells whether s may be an id.
func isRef(s string) bool { return isPlain(s, maxRef) }

// isPlain refuses blanks around a text and control characters in it, because
// records, logs and people would take two such texts for one.
func isPlain(s string, maxBytes int) bool {
	return s != "" && len(s) <= maxBytes && strings.TrimSpace(s) == s && !strings.ContainsFunc(s, unicode.IsControl)
}

// ref is an id.
type ref string

func (r *ref) read(dec *jsontext.Decoder) error {
	s, given, err := readString(dec)
	if err == nil && given && !isRef(s) {
		err = faultf("is not an id of 1 to %d bytes without blanks around it and control characters", maxRef)
	}
	*r = ref(s)
	return err
}

// word is a short text, mostly one of the provider's fixed words. Unknown ones
// are kept, as long as our records can hold them.
type word struct {
	s   string
	max int
}

func (w *word) read(dec *jsontext.Decoder) error {
	s, given, err := readString(dec)
	if err == nil && given && !isPlain(s, w.max) {
		err = faultf("is not a text of 1 to %d bytes without blanks around it and control characters", w.max)
	}
	w.s = s
	return err
}

// number is a decimal string, never negative. JSON numbers are refused: many
// readers would round them.
type number struct {
	payment.Amount
	given bool
}

func (n *number) read(dec *jsontext.Decoder) error {
	s, given, err := readString(dec)
	if err != nil || !given {
		return err
	}
	amount, err := payment.ParseAmount(s)
	if err != nil || amount.Sign() < 0 {
		return faultf("is not a whole number in decimal digits")
	}
	*n = number{amount, true}
	return nil
}

// instant is a time in RFC 3339's form, zero if absent, in years that a
// database can hold.
type instant struct{ time.Time }

func (i *instant) read(dec *jsontext.Decoder) error {
	s, given, err := readString(dec)
	if err != nil || !given {
		return err
	}
	if err := i.UnmarshalText([]byte(s)); err != nil || i.Unix() < 0 || i.UTC().Year() > 9999 {
		return faultf("is not a time")
	}
	i.Time = i.UTC()
	return nil
}

func (i *instant) pointer() *time.Time {
	if i.IsZero() {
		return nil
	}
	t := i.Time
	return &t
}

// list hands each of an array's values to each.
type list struct {
	each  func(*jsontext.Decoder) error
	given bool
}

func (l *list) read(dec *jsontext.Decoder) error {
	if dec.PeekKind() == 'n' {
		return skip(dec)
	}
	if err := begin(dec, '[', "an array"); err != nil {
		return err
	}
	for dec.PeekKind() != ']' {
		if err := l.each(dec); err != nil {
			return err
		}
	}
	l.given = true
	_, err := dec.ReadToken()
	return syntax(dec, err)
}

func readString(dec *jsontext.Decoder) (s string, given bool, err error) {
	token, err := dec.ReadToken()
	if err != nil {
		return "", false, syntax(dec, err)
	}
	switch token.Kind() {
	case 'n':
		return "", false, nil
	case '"':
		return token.String(), true, nil
	}
	return "", false, faultf("is not a string")
}
