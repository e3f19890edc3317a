package providertest

import (
	"encoding/json"
	"errors"
	"testing"
	"unicode/utf8"

	"onceshop/payment"
)

// Fuzz delivers whatever the fuzzer makes of the samples and vectors, once with
// the signature that was there and once with a right one: nothing panics, errors
// have a kind, the explanation agrees, and what is accepted is JSON to others too.
// Secrets aren't looked for: the fuzzer could send them.
func Fuzz(f *testing.F, subject Subject) {
	s := newSuite(f, subject)
	for _, v := range s.set.Vectors {
		f.Add([]byte(v.Body))
	}
	for _, e := range s.set.Events.Events {
		f.Add([]byte(e.Body))
	}
	a := s.adapter(f, s.current)
	paid, now := s.paid(f), s.now()
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, d := range []delivery{{paid.header, raw}, s.paidWith(t, raw)} {
			_, err := a.Verify(d.header, d.raw, now)
			var events []payment.Event
			if err == nil {
				events, err = a.Parse(d.header, d.raw)
			}
			if explained := a.Explain(d.header, d.raw, now); kind(explained.Err) != kind(err) || explained.String() == "" {
				t.Errorf("got %v, explained as %v", err, explained)
			}
			if err != nil {
				if kind(err) == 0 {
					t.Errorf("an error of no kind: %v", err)
				}
				continue
			}
			if !utf8.Valid(d.raw) || !json.Valid(d.raw) {
				t.Error("accepted what others refuse")
			}
			for _, e := range events {
				s.fits(t, e)
			}
			if _, err := a.Verify(d.header, append(d.raw, ' '), now); s.Signed == nil && !errors.Is(err, payment.ErrSignature) {
				t.Errorf("with a blank behind it: %v", err)
			}
		}
	})
}
