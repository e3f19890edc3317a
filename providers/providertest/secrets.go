package providertest

import (
	"cmp"
	"errors"
	"strings"
	"testing"
	"time"

	"onceshop/payment"
	"onceshop/providers/signing"
)

func (s *suite) uselessSecrets(t *testing.T) {
	for name, secrets := range map[string][]signing.Secret{
		"none":                {},
		"an empty one":        {{ID: "a"}},
		"one of two empty":    {s.current, {ID: "previous"}},
		"one without id":      {{Key: s.current.Key}},
		"two under one id":    {s.current, {ID: s.current.ID, Key: s.OtherSecret}},
		"one twice":           {s.current, s.current},
		"an empty one, ended": {s.current, {ID: "previous", ValidUntil: s.now()}},
	} {
		a, err := s.New(Setup{Secrets: secrets})
		if err == nil {
			t.Errorf("%s: taken", name)
			a.Close()
			continue
		}
		s.quiet(t, err.Error())
	}
}

func (s *suite) weakSecrets(t *testing.T) {
	good := cmp.Or(s.StrongSecret, s.current.Key)
	weak := append([]string{
		"", " ", good + "\n", " " + good, good[:len(good)/2] + "\x00" + good[len(good)/2:], good[:8],
		"whsec_", "whsec_!!!!", "REPLACE_ME", "changeme", "<your-webhook-secret>", "********************",
	}, s.WeakSecrets...)
	for _, key := range weak {
		err := s.CheckSecret(key)
		if err == nil {
			t.Errorf("%q passes", key)
			continue
		}
		if len(key) > 2 && strings.Contains(err.Error(), strings.TrimSpace(key)) {
			t.Errorf("%q: %v", key, err)
		}
	}
	for _, key := range []string{good, s.OtherSecret} {
		if err := s.CheckSecret(key); err != nil {
			t.Errorf("%q %v", key, err)
		}
	}
}

func (s *suite) rotation(t *testing.T) {
	now, paid := s.now(), s.paid(t)
	byCurrent := s.signed(paid.header, paid.raw, s.current.Key, now)
	byPrevious := s.signed(paid.header, paid.raw, s.OtherSecret, now)
	for _, c := range []struct {
		name  string
		d     delivery
		end   time.Time
		keyID string
	}{
		{"the new one", byCurrent, now, "current"},
		{"the old one in its last second", byPrevious, now, "previous"},
		{"the old one without an end", byPrevious, time.Time{}, "previous"},
		{"the old one a second later", byPrevious, now.Add(-time.Second), ""},
		{"the new one a second later", byCurrent, now.Add(-time.Second), "current"},
	} {
		previous := signing.Secret{ID: "previous", Key: s.OtherSecret, ValidUntil: c.end}
		for _, secrets := range [][]signing.Secret{{s.current, previous}, {previous, s.current}} {
			a := s.adapter(t, secrets...)
			events, err := s.receive(t, a, c.d, now)
			switch {
			case c.keyID == "":
				if !errors.Is(err, payment.ErrSignature) {
					t.Errorf("%s: %v", c.name, err)
				}
			case err != nil:
				t.Errorf("%s: %v", c.name, err)
			case events[0].KeyID != c.keyID:
				t.Errorf("%s: key %q", c.name, events[0].KeyID)
			}
			s.agrees(t, a, c.d, now, events, err)
		}
	}
	alone := s.adapter(t, s.current)
	if _, err := s.receive(t, alone, byPrevious, now); !errors.Is(err, payment.ErrSignature) {
		t.Errorf("a secret that isn't held: %v", err)
	}
	twice := s.adapter(t, signing.Secret{ID: "new", Key: s.current.Key}, signing.Secret{ID: "old", Key: s.current.Key})
	if e := s.one(t, twice, byCurrent, now); e.KeyID != "new" {
		t.Errorf("one key under two ids counts as %q", e.KeyID)
	}
}
