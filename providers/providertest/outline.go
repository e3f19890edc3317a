package providertest

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// document is a JSON text and where its objects and their members are.
type document struct {
	raw     []byte
	objects []place
	members []place
}

type place struct {
	path, name      string
	from, value, to int
	empty           bool
}

func outline(t testing.TB, raw []byte) *document {
	t.Helper()
	doc := &document{raw: raw}
	dec := jsontext.NewDecoder(bytes.NewReader(raw))
	if err := doc.read(dec, ""); err != nil {
		t.Fatal(err)
	}
	return doc
}

func (d *document) read(dec *jsontext.Decoder, path string) error {
	switch dec.PeekKind() {
	case '{':
		if _, err := dec.ReadToken(); err != nil {
			return err
		}
		object := place{path: path, from: int(dec.InputOffset()), empty: dec.PeekKind() == '}'}
		object.to = object.from
		d.objects = append(d.objects, object)
		for dec.PeekKind() != '}' {
			before := int(dec.InputOffset())
			name, err := dec.ReadToken()
			if err != nil {
				return err
			}
			m := place{name: name.String(), from: before + bytes.IndexByte(d.raw[before:], '"')}
			m.path = strings.TrimPrefix(path+"."+m.name, ".")
			m.value = int(dec.InputOffset()) + 1 // behind the colon
			if err := d.read(dec, m.path); err != nil {
				return err
			}
			m.to = int(dec.InputOffset())
			d.members = append(d.members, m)
		}
	case '[':
		if _, err := dec.ReadToken(); err != nil {
			return err
		}
		for dec.PeekKind() != ']' {
			if err := d.read(dec, path); err != nil {
				return err
			}
		}
	}
	_, err := dec.ReadToken()
	return err
}

func (d *document) find(t testing.TB, path string) place {
	t.Helper()
	for _, m := range d.members {
		if m.path == path {
			return m
		}
	}
	t.Fatalf("the sample has no %s", path)
	return place{}
}

// ValuesOf are the places of the values with these names, written as in
// Subject.Reads, for Subject.Signed. There are none in what isn't JSON.
func ValuesOf(raw []byte, paths ...string) (spans []Span) {
	doc := &document{raw: raw}
	if doc.read(jsontext.NewDecoder(bytes.NewReader(raw)), "") != nil {
		return nil
	}
	for _, m := range doc.members {
		if slices.Contains(paths, m.path) {
			spans = append(spans, Span{m.value, m.to})
		}
	}
	return spans
}

// replaced is the document with a member's text changed.
func (d *document) replaced(m place, text string) []byte {
	return append(append(bytes.Clone(d.raw[:m.from]), text...), d.raw[m.to:]...)
}

// inserted is the document with members more in one of its objects.
func (d *document) inserted(object place, text string) []byte {
	if !object.empty {
		text += ","
	}
	return d.replaced(object, text)
}

// with is the document with members more at its top.
func (d *document) with(text string) []byte { return d.inserted(d.objects[0], text) }
