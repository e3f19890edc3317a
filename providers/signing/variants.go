package signing

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// variant is a body as it may have been before something touched it.
type variant struct {
	name string
	body []byte
}

const byteOrderMark = "\ufeff"

// variants are the changes that editors, proxies and frameworks make to a body
// on its way to a verifier, the smallest first. Each differs from raw.
func variants(raw []byte) []variant {
	all := []variant{
		{"without the last newline", bytes.TrimSuffix(raw, []byte("\n"))},
		{"without the last carriage return and newline", bytes.TrimSuffix(raw, []byte("\r\n"))},
		{"with a newline at the end", append(bytes.Clone(raw), '\n')},
		{"with a carriage return and newline at the end", append(bytes.Clone(raw), "\r\n"...)},
		{"with plain newlines instead of carriage return and newline", bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n"))},
		{"with carriage return and newline instead of plain newlines", bytes.ReplaceAll(raw, []byte("\n"), []byte("\r\n"))},
		{"without the byte order mark", bytes.TrimPrefix(raw, []byte(byteOrderMark))},
		{"with a byte order mark", append([]byte(byteOrderMark), raw...)},
		{"without the white space around it", bytes.TrimSpace(raw)},
	}
	for _, f := range []struct {
		name    string
		options []jsontext.Options
	}{
		{"without white space between the parts of the JSON", nil},
		{"with a blank after each comma of the JSON", []jsontext.Options{jsontext.SpaceAfterComma(true)}},
		{"with a blank after each comma and colon of the JSON", []jsontext.Options{jsontext.SpaceAfterComma(true), jsontext.SpaceAfterColon(true)}},
		{"with the characters themselves instead of \\u escapes", []jsontext.Options{jsontext.PreserveRawStrings(false)}},
		{"with <, > and & as \\u escapes", []jsontext.Options{jsontext.EscapeForHTML(true)}},
	} {
		body := jsontext.Value(bytes.TrimSpace(bytes.Clone(raw)))
		if body.Compact(f.options...) == nil {
			all = append(all, variant{f.name, body})
		}
	}
	changed := all[:0]
	for _, v := range all {
		if !bytes.Equal(v.body, raw) {
			changed = append(changed, v)
		}
	}
	return changed
}
