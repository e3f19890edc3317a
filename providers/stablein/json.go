package stablein

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// maxDepth is far above what StableIn sends (3) and far below what could cost
// a reader anything.
const maxDepth = 64

// value is something that can be read from one JSON value. Null is read as if
// the value weren't there.
type value interface {
	read(*jsontext.Decoder) error
}

// member is a name we read of an object, and where it goes.
type member struct {
	name string
	into value
}

// fault says where a document can't be read without doubt. It holds names and
// places only, never what the document says.
type fault struct{ path, text string }

func (f *fault) Error() string { return strings.TrimSpace(f.path + " " + f.text) }

func faultf(format string, args ...any) error { return &fault{text: fmt.Sprintf(format, args...)} }

// readDocument reads raw as exactly one object with white space around it.
func readDocument(raw []byte, into value) error {
	if tooDeep(raw) {
		return faultf("is nested more than %d levels deep", maxDepth)
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(raw))
	if dec.PeekKind() == 'n' {
		return faultf("is not an object")
	}
	if err := into.read(dec); err != nil {
		return err
	}
	switch _, err := dec.ReadToken(); {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return syntax(dec, err)
	default:
		return faultf("has a second document, before byte %d", dec.InputOffset())
	}
}

// readObject reads the members named and skips all others, since providers
// add some. The decoder refuses names that occur twice; a name that is one of
// ours in another case is refused here, because some readers take it for ours.
func readObject(dec *jsontext.Decoder, members ...member) error {
	if dec.PeekKind() == 'n' {
		return skip(dec)
	}
	if err := begin(dec, '{', "an object"); err != nil {
		return err
	}
	for dec.PeekKind() != '}' {
		token, err := dec.ReadToken()
		if err != nil {
			return syntax(dec, err)
		}
		m, err := find(members, token.String())
		switch {
		case err != nil:
			return err
		case m == nil:
			err = skip(dec)
		default:
			err = m.into.read(dec)
		}
		if err != nil {
			return within(m, err)
		}
	}
	_, err := dec.ReadToken()
	return syntax(dec, err)
}

func find(members []member, name string) (*member, error) {
	for i := range members {
		if members[i].name == name {
			return &members[i], nil
		}
	}
	for i := range members {
		if strings.EqualFold(members[i].name, name) {
			return nil, faultf("has the name %s in another case", members[i].name)
		}
	}
	return nil, nil
}

// within puts the member's name before the place of a fault inside it.
func within(m *member, err error) error {
	var f *fault
	if m == nil || !errors.As(err, &f) {
		return err
	}
	path := m.name
	if f.path != "" {
		path += "." + f.path
	}
	return &fault{path, f.text}
}

func begin(dec *jsontext.Decoder, kind jsontext.Kind, what string) error {
	token, err := dec.ReadToken()
	if err != nil {
		return syntax(dec, err)
	}
	if token.Kind() != kind {
		return faultf("is not %s", what)
	}
	return nil
}

func skip(dec *jsontext.Decoder) error { return syntax(dec, dec.SkipValue()) }

// syntax drops the decoder's own text, which quotes the document.
func syntax(dec *jsontext.Decoder, err error) error {
	if err == nil {
		return nil
	}
	at := dec.InputOffset()
	var s *jsontext.SyntacticError
	if errors.As(err, &s) {
		at = s.ByteOffset
	}
	if errors.Is(err, jsontext.ErrDuplicateName) {
		return faultf("has a name twice, at byte %d", at)
	}
	return faultf("is not strict JSON, at byte %d", at)
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
