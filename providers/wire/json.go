package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// maxDepth is far above what providers send and far below what could cost a
// reader anything.
const maxDepth = 64

// Value is something that can be read from one JSON value. Null is read as if
// the value weren't there.
type Value interface {
	Read(*jsontext.Decoder) error
}

// fault says where a document can't be read without doubt. It holds names and
// places only, never what the document says.
type fault struct{ path, text string }

func (f *fault) Error() string { return strings.TrimSpace(f.path + " " + f.text) }

// Faultf says in our own words what is wrong with a value.
func Faultf(format string, args ...any) error { return &fault{text: fmt.Sprintf(format, args...)} }

// ReadDocument reads raw as exactly one object with white space around it.
func ReadDocument(raw []byte, into Value) error {
	if tooDeep(raw) {
		return Faultf("is nested more than %d levels deep", maxDepth)
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(raw))
	if dec.PeekKind() == 'n' {
		return Faultf("is not an object")
	}
	if err := into.Read(dec); err != nil {
		return err
	}
	switch _, err := dec.ReadToken(); {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return Syntax(dec, err)
	default:
		return Faultf("has a second document, before byte %d", dec.InputOffset())
	}
}

// Members is an object: the names that are read of it, and where they go. All
// others are skipped, since providers add some.
type Members map[string]Value

// Read reads an object. The decoder refuses names that occur twice; a name that
// is one of ours in another case is refused here, because some readers take it
// for ours.
func (m Members) Read(dec *jsontext.Decoder) error {
	if dec.PeekKind() == 'n' {
		return Skip(dec)
	}
	return readObject(dec, m.find)
}

// readObject hands each value to what find has for its name; nil: it is skipped.
func readObject(dec *jsontext.Decoder, find func(name string) (Value, error)) error {
	if err := begin(dec, '{', "an object"); err != nil {
		return err
	}
	for dec.PeekKind() != '}' {
		token, err := dec.ReadToken()
		if err != nil {
			return Syntax(dec, err)
		}
		name := token.String()
		into, err := find(name)
		switch {
		case err != nil:
			return err
		case into == nil:
			err = Skip(dec)
		default:
			err = within(name, into.Read(dec))
		}
		if err != nil {
			return err
		}
	}
	_, err := dec.ReadToken()
	return Syntax(dec, err)
}

func (m Members) find(name string) (Value, error) {
	if into, ok := m[name]; ok {
		return into, nil
	}
	for ours := range m {
		if strings.EqualFold(ours, name) {
			return nil, Faultf("has the name %s in another case", ours)
		}
	}
	return nil, nil
}

// Lenient reads Members where there is an object and skips anything else: some
// providers write an empty array, or a text, where an object would be empty.
type Lenient Members

// Read reads an object, or skips the value.
func (m Lenient) Read(dec *jsontext.Decoder) error {
	if dec.PeekKind() != '{' {
		return Skip(dec)
	}
	return Members(m).Read(dec)
}

// Labels are texts that merchants keep beside a record, under names of their own:
// metadata, notes. Ours are read by their exact names. One that differs from ours in
// case is somebody else's, and whatever else is there may have any form: no event of
// another application on the account may be refused for it.
type Labels map[string]*LenientText

// Read reads ours of an object, or skips the value.
func (l Labels) Read(dec *jsontext.Decoder) error {
	if dec.PeekKind() != '{' {
		return Skip(dec)
	}
	return readObject(dec, func(name string) (Value, error) {
		if ours, ok := l[name]; ok {
			return ours, nil
		}
		return nil, nil
	})
}

// within puts the member's name before the place of a fault inside it.
func within(name string, err error) error {
	var f *fault
	if !errors.As(err, &f) {
		return err
	}
	path := name
	if f.path != "" {
		path += "." + f.path
	}
	return &fault{path, f.text}
}

// begin reads the first token of an object or array.
func begin(dec *jsontext.Decoder, kind jsontext.Kind, what string) error {
	token, err := dec.ReadToken()
	if err != nil {
		return Syntax(dec, err)
	}
	if token.Kind() != kind {
		return Faultf("is not %s", what)
	}
	return nil
}

// Skip leaves a value out, having held it to the rules of JSON.
func Skip(dec *jsontext.Decoder) error { return Syntax(dec, dec.SkipValue()) }

// Syntax drops the decoder's own text, which quotes the document.
func Syntax(dec *jsontext.Decoder, err error) error {
	if err == nil {
		return nil
	}
	at := dec.InputOffset()
	var s *jsontext.SyntacticError
	if errors.As(err, &s) {
		at = s.ByteOffset
	}
	if errors.Is(err, jsontext.ErrDuplicateName) {
		return Faultf("has a name twice, at byte %d", at)
	}
	return Faultf("is not strict JSON, at byte %d", at)
}

// tooDeep counts open brackets outside strings, before a decoder has to keep
// track of them.
func tooDeep(raw []byte) bool {
	depth, quoted := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > maxDepth {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}
