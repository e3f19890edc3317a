package providertest

import (
	"bytes"
	"strings"
	"testing"
	"unicode"
)

func (s *suite) strictJSON(t *testing.T) {
	a, now, paid := s.adapter(t, s.current), s.now(), s.paid(t)
	doc := outline(t, paid.raw)
	bodies := map[string][]byte{
		"nothing":                   nil,
		"white space":               []byte(" \n"),
		"null":                      []byte("null"),
		"an array":                  []byte("[]"),
		"a text":                    []byte(`"paid"`),
		"half a document":           paid.raw[:len(paid.raw)/2],
		"a byte order mark":         append([]byte("\ufeff"), paid.raw...),
		"a second document":         append(bytes.Clone(paid.raw), paid.raw...),
		"a second, empty document":  append(bytes.Clone(paid.raw), " {}"...),
		"a word behind it":          append(bytes.Clone(paid.raw), " x"...),
		"a NUL behind it":           append(bytes.Clone(paid.raw), 0),
		"a lone surrogate":          doc.with(`"zz":"\ud800"`),
		"surrogates the wrong way":  doc.with(`"zz":"\udc00\ud800"`),
		"a lone surrogate as name":  doc.with(`"\ud800":1`),
		"bytes that aren't UTF-8":   doc.with("\"zz\":\"\xff\xfe\""),
		"an overlong character":     doc.with("\"zz\":\"\xc0\xaf\""),
		"a tab in a text":           doc.with("\"zz\":\"\t\""),
		"a number with a zero":      doc.with(`"zz":01`),
		"not a number":              doc.with(`"zz":NaN`),
		"a word of no meaning":      doc.with(`"zz":` + canary),
		"a comment":                 doc.with(`/**/"zz":1`),
		"a comma too many":          doc.with(`"zz":[1,]`),
		"an unknown name twice":     doc.with(`"` + canary + `":1,"` + canary + `":2`),
		"an unknown name escaped":   doc.with(`"zz":1,"\u007az":1`),
		"a name twice, further in":  doc.with(`"zz":[{"a":1,"a":2}]`),
		"65 levels":                 doc.with(`"zz":` + strings.Repeat("[", 64) + strings.Repeat("]", 64)),
		"10,001 levels":             []byte(strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001)),
		"a million opening bracket": []byte(strings.Repeat("[", 1<<20)),
		"a million opening objects": []byte(strings.Repeat(`{"a":`, 200_000)),
	}
	for _, m := range doc.members {
		text := string(paid.raw[m.from:m.to])
		bodies["twice: "+m.path] = doc.replaced(m, text+","+text)
	}
	for _, path := range s.Reads {
		m := doc.find(t, path)
		value := strings.TrimPrefix(string(paid.raw[m.from:m.to]), `"`+m.name+`"`)
		for _, other := range otherCases(m.name) {
			bodies["besides, in another case: "+path+" "+other] = doc.replaced(m, `"`+other+`"`+value+`,"`+m.name+`"`+value)
			bodies["behind, in another case: "+path+" "+other] = doc.replaced(m, `"`+m.name+`"`+value+`,"`+other+`"`+value)
			bodies["only in another case: "+path+" "+other] = doc.replaced(m, `"`+other+`"`+value)
		}
		bodies["twice, escaped: "+path] = doc.replaced(m, `"`+m.name+`"`+value+`,"`+escaped(m.name)+`"`+value)
	}
	for what, raw := range bodies {
		d := s.paidWith(t, raw)
		if _, err := s.receive(t, a, d, now); !s.malformed(err) {
			t.Errorf("%s: %v", what, err)
		}
		if bytes.Equal(raw, paid.raw) {
			t.Errorf("%s: isn't a change", what)
		}
		// Whoever didn't sign learns nothing about what the body says.
		if _, err := s.receive(t, a, delivery{paid.header, raw}, now); !s.forged(err) {
			t.Errorf("%s, not signed: %v", what, err)
		}
	}
}

func (s *suite) unknownNames(t *testing.T) {
	a, now, paid := s.adapter(t, s.current), s.now(), s.paid(t)
	doc := outline(t, paid.raw)
	bodies := map[string][]byte{
		"64 levels":            doc.with(`"zz":` + strings.Repeat("[", 63) + strings.Repeat("]", 63)),
		"300 kB":               doc.with(`"zz":"` + strings.Repeat("long ", 60_000) + `"`),
		"brackets in a text":   doc.with(`"zz":"\"` + strings.Repeat("[", 1000) + `"`),
		"an emoji, escaped":    doc.with(`"zz":"\ud83d\ude80"`),
		"names in two cases":   doc.with(`"zz":[1,{"Q":null,"q":2}]`),
		"a number of any size": doc.with(`"zz":123456789012345678901234567890.5e-1000`),
		"white space":          append(append([]byte(" \r\n\t"), paid.raw...), " \n"...),
	}
	for _, o := range doc.objects {
		bodies["in "+o.path] = doc.inserted(o, `"zz":{"a":[1,"支付",null]}`)
	}
	want := s.one(t, a, paid, now)
	for what, raw := range bodies {
		got, err := s.receive(t, a, s.paidWith(t, raw), now)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		if e := got[0]; e.Type != want.Type || e.PaymentRef != want.PaymentRef || e.OrderRef != want.OrderRef || e.Status != want.Status || e.Verdict != want.Verdict {
			t.Errorf("%s: read as %+v", what, e)
		}
	}
}

// exactIDs are those that records, logs and people can't take for others.
func (s *suite) exactIDs(t *testing.T) {
	a, now, sample := s.adapter(t, s.current), s.now(), s.sample(t, s.Paid)
	for _, ref := range []string{sample.EventKey, sample.PaymentRef} {
		if !strings.Contains(sample.Body, `"`+ref+`"`) {
			continue
		}
		for _, other := range []string{
			"", " ", " " + ref, ref + " ", ref + `\u00a0`, ref + `\u0000`, `\n` + ref, ref + `\u007f`, `\ud800`, ref + `\udc00`, strings.Repeat("x", 256),
		} {
			if other == "" && s.Signed != nil {
				continue // where values are signed, an empty one may stand for none
			}
			raw := strings.ReplaceAll(sample.Body, `"`+ref+`"`, `"`+other+`"`)
			d := s.paidWith(t, []byte(raw))
			if _, err := s.receive(t, a, d, now); !s.malformed(err) && !s.forged(err) {
				t.Errorf("%q instead of %s: %v", other, ref, err)
			}
		}
	}
}

// otherCases are names that a reader without regard to case takes for this one.
func otherCases(name string) []string {
	swapped := []rune(name)
	if unicode.IsUpper(swapped[0]) {
		swapped[0] = unicode.ToLower(swapped[0])
	} else {
		swapped[0] = unicode.ToUpper(swapped[0])
	}
	all := []string{string(swapped)}
	if upper := strings.ToUpper(name); upper != name && upper != all[0] {
		all = append(all, upper)
	}
	// The long s and the Kelvin sign fold to letters of ours.
	for _, fold := range [][2]string{{"s", "ſ"}, {"k", "\u212a"}} {
		if strings.Contains(name, fold[0]) {
			all = append(all, strings.Replace(name, fold[0], fold[1], 1))
		}
	}
	return all
}

func escaped(name string) string {
	const digits = "0123456789abcdef"
	return `\u00` + string(digits[name[0]>>4]) + string(digits[name[0]&15]) + name[1:]
}
