package wire

import (
	"bytes"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
)

// MaxRef is the longest reference our records hold.
const MaxRef = 255

// IsRef tells whether s may be an id.
func IsRef(s string) bool { return IsPlain(s, MaxRef) }

// IsSegment tells whether s may be an id in a path, where dots would name another one.
func IsSegment(s string) bool { return IsRef(s) && s != "." && s != ".." }

// IsPlain refuses blanks around a text and control characters in it, because
// records, logs and people would take two such texts for one.
func IsPlain(s string, maxBytes int) bool {
	return s != "" && len(s) <= maxBytes && strings.TrimSpace(s) == s && !strings.ContainsFunc(s, unicode.IsControl)
}

// Ref is an id.
type Ref string

// Read refuses what records, logs and people could take for another id.
func (r *Ref) Read(dec *jsontext.Decoder) error {
	s, given, err := ReadString(dec)
	if err == nil && given && !IsRef(s) {
		err = Faultf("is not an id of 1 to %d bytes without blanks around it and control characters", MaxRef)
	}
	*r = Ref(s)
	return err
}

// LenientText is an id or a word that somebody else may have chosen, or that decides
// nothing. What our records can't hold counts as none: nothing that we need may be
// refused for it.
type LenientText string

// Read never refuses a value for what it is.
func (l *LenientText) Read(dec *jsontext.Decoder) error {
	if dec.PeekKind() != '"' {
		return Skip(dec)
	}
	s, _, err := ReadString(dec)
	if err == nil && IsRef(s) {
		*l = LenientText(s)
	}
	return err
}

// Number is a decimal string, never negative. JSON numbers are refused: many
// readers would round them.
type Number struct {
	payment.Amount
	Given bool
}

// Read refuses all but digits in a string.
func (n *Number) Read(dec *jsontext.Decoder) error {
	s, given, err := ReadString(dec)
	if err != nil || !given {
		return err
	}
	amount, err := payment.ParseAmount(s)
	if err != nil || amount.Sign() < 0 {
		return Faultf("is not a whole number in decimal digits")
	}
	*n = Number{amount, true}
	return nil
}

// Instant is a time in RFC 3339's form, zero if absent, in years that a
// database can hold.
type Instant struct{ time.Time }

// Read refuses all but a time with an offset.
func (i *Instant) Read(dec *jsontext.Decoder) error {
	s, given, err := ReadString(dec)
	if err != nil || !given {
		return err
	}
	if err := i.UnmarshalText([]byte(s)); err != nil || i.Unix() < 0 || i.UTC().Year() > 9999 {
		return Faultf("is not a time")
	}
	i.Time = i.UTC()
	return nil
}

// Pointer is nil for a time that wasn't there.
func (i *Instant) Pointer() *time.Time {
	if i.IsZero() {
		return nil
	}
	t := i.Time
	return &t
}

// List hands each of an array's values to Each.
type List struct {
	Each  func(*jsontext.Decoder) error
	Given bool
}

// Read hands each element to Each.
func (l *List) Read(dec *jsontext.Decoder) error {
	if dec.PeekKind() == 'n' {
		return Skip(dec)
	}
	if err := begin(dec, '[', "an array"); err != nil {
		return err
	}
	for dec.PeekKind() != ']' {
		if err := l.Each(dec); err != nil {
			return err
		}
	}
	l.Given = true
	_, err := dec.ReadToken()
	return Syntax(dec, err)
}

// ReadString reads a text; given is false for null.
func ReadString(dec *jsontext.Decoder) (s string, given bool, err error) {
	token, err := dec.ReadToken()
	if err != nil {
		return "", false, Syntax(dec, err)
	}
	switch token.Kind() {
	case 'n':
		return "", false, nil
	case '"':
		return token.String(), true, nil
	}
	return "", false, Faultf("is not a string")
}

// Integer is a whole JSON number, never negative, read digit by digit: no
// fraction, no exponent, nothing rounded.
type Integer struct {
	payment.Amount
	Given bool
}

// Read refuses texts, fractions, exponents and negative numbers.
func (n *Integer) Read(dec *jsontext.Decoder) error {
	if dec.PeekKind() == 'n' {
		return Skip(dec)
	}
	raw, err := dec.ReadValue()
	if err != nil {
		return Syntax(dec, err)
	}
	amount, err := payment.ParseAmount(string(raw))
	if err != nil || amount.Sign() < 0 {
		return Faultf("is not a whole number")
	}
	*n = Integer{amount, true}
	return nil
}

// Seconds is a time as a JSON number of seconds since 1970, zero if absent.
type Seconds struct {
	time.Time
	Given bool
}

// Read refuses all but a whole number of a year that a database can hold.
func (s *Seconds) Read(dec *jsontext.Decoder) error {
	var n Integer
	if err := n.Read(dec); err != nil || !n.Given {
		return err
	}
	const year9999 = 253402300799
	unix, err := strconv.ParseInt(n.String(), 10, 64)
	if err != nil || unix > year9999 {
		return Faultf("is not a time")
	}
	*s = Seconds{time.Unix(unix, 0).UTC(), true}
	return nil
}

// Bool is true or false; a text that says so is neither.
type Bool struct{ Given, True bool }

// Read refuses all but true, false and null.
func (b *Bool) Read(dec *jsontext.Decoder) error {
	token, err := dec.ReadToken()
	if err != nil {
		return Syntax(dec, err)
	}
	switch token.Kind() {
	case 'n':
	case 't', 'f':
		*b = Bool{true, token.Kind() == 't'}
	default:
		return Faultf("is neither true nor false")
	}
	return nil
}

// Text is any text or none, kept as it is: what is signed or compared whole.
type Text struct {
	S     string
	Given bool
}

// Read refuses all but a string.
func (t *Text) Read(dec *jsontext.Decoder) (err error) {
	t.S, t.Given, err = ReadString(dec)
	return err
}

// Raw keeps a value's own bytes, without the white space between its parts, and
// may read members of it as well.
type Raw struct {
	Bytes jsontext.Value
	Into  Value // nil: nothing more is wanted of it
}

// Read keeps the value.
func (r *Raw) Read(dec *jsontext.Decoder) error {
	value, err := dec.ReadValue()
	if err != nil {
		return Syntax(dec, err)
	}
	r.Bytes = value.Clone()
	if err := r.Bytes.Compact(); err != nil {
		return Faultf("is not strict JSON")
	}
	if r.Into == nil {
		return nil
	}
	return r.Into.Read(jsontext.NewDecoder(bytes.NewBuffer(value.Clone())))
}
