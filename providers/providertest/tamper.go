package providertest

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

func (s *suite) flips(t *testing.T) {
	a, now := s.adapter(t, s.current), s.now()
	paid := s.paid(t)
	s.one(t, a, paid, now)
	spans := []Span{{0, len(paid.raw)}}
	if s.Signed != nil {
		spans = s.Signed(paid.raw)
		if len(spans) == 0 {
			t.Error("nothing of the body is signed")
		}
	}
	for _, span := range spans {
		for bit := span.From * 8; bit < span.To*8; bit++ {
			raw := bytes.Clone(paid.raw)
			raw[bit/8] ^= 1 << (bit % 8)
			if _, err := s.receive(t, a, delivery{paid.header, raw}, now); !s.forged(err) {
				t.Errorf("body with bit %d flipped: %v", bit, err)
			}
		}
	}
	for _, name := range s.Headers {
		right := paid.header.Get(name)
		for bit := range len(right) * 8 {
			value := []byte(right)
			value[bit/8] ^= 1 << (bit % 8)
			if s.AnyCaseHex && isHex(value[bit/8]) && strings.EqualFold(string(value), right) {
				continue
			}
			h := paid.header.Clone()
			h.Set(name, string(value))
			if _, err := s.receive(t, a, delivery{h, paid.raw}, now); !s.forged(err) {
				t.Errorf("header %s with bit %d flipped: %v", name, bit, err)
			}
		}
	}
}

func isHex(c byte) bool { return strings.IndexByte("0123456789abcdefABCDEF", c) >= 0 }

func (s *suite) headers(t *testing.T) {
	a, now := s.adapter(t, s.current), s.now()
	paid := s.paid(t)
	for _, name := range s.Headers {
		right := paid.header.Get(name)
		changes := map[string]func(http.Header){
			"missing":                func(h http.Header) { h.Del(name) },
			"without a value":        func(h http.Header) { h[http.CanonicalHeaderKey(name)] = nil },
			"twice":                  func(h http.Header) { h.Add(name, right) },
			"twice, the other empty": func(h http.Header) { h.Add(name, "") },
			"twice, the other first": func(h http.Header) { h[http.CanonicalHeaderKey(name)] = []string{"x", right} },
			"twice, in another case": func(h http.Header) {
				h[strings.ToUpper(name)+""] = []string{right}
				h[name] = []string{right}
				h[strings.ToLower(name)] = []string{right}
			},
			"with a blank at its end":   func(h http.Header) { h.Set(name, right+" ") },
			"with a blank before it":    func(h http.Header) { h.Set(name, " "+right) },
			"with a newline at its end": func(h http.Header) { h.Set(name, right+"\n") },
			"half":                      func(h http.Header) { h.Set(name, right[:len(right)/2]) },
			"without its last byte":     func(h http.Header) { h.Set(name, right[:len(right)-1]) },
		}
		for _, value := range []string{
			"", " ", "\x00", "x", ",", "=", ",,,", "==", "v1", "v1=", "v1,", "v1,=", "t=", "t=,v1=", "t=1,v1", "0", "-1", "+1", "00", "1e9", "99999999999999999999",
			strings.Repeat("0", 64), strings.Repeat("g", 64), strings.Repeat("0", 63), strings.Repeat("A", 43) + "=", "\xff\xfe", "支付",
			strings.Repeat("v1=", 10_000), strings.Repeat(" ", 10_000), strings.Repeat("a", 100_000),
		} {
			changes[fmt.Sprintf("with the value %.20q", value)] = func(h http.Header) { h.Set(name, value) }
		}
		for what, change := range changes {
			h := paid.header.Clone()
			change(h)
			d := delivery{h, paid.raw}
			events, err := s.receive(t, a, d, now)
			if !s.forged(err) {
				t.Errorf("%s %s: %v", name, what, err)
			}
			s.agrees(t, a, d, now, events, err)
		}
	}
	for what, h := range map[string]http.Header{"no map of headers": nil, "no headers": {}} {
		d := delivery{h, paid.raw}
		events, err := s.receive(t, a, d, now)
		if len(s.Headers) > 0 && !s.forged(err) {
			t.Errorf("%s: %v", what, err)
		}
		s.agrees(t, a, d, now, events, err)
	}
}
