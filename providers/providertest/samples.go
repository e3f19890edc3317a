package providertest

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"onceshop/payment"
	"onceshop/providers/vectortest"
)

func (s *suite) samples(t *testing.T) {
	a := s.adapter(t, s.current)
	for _, sample := range s.set.Events.Events {
		t.Run(sample.ID, func(t *testing.T) {
			t.Parallel()
			d := delivery{sample.Header(), []byte(sample.Body)}
			e := s.one(t, a, d, s.now())
			s.agrees(t, a, d, s.now(), []payment.Event{e}, nil)
			s.reads(t, sample, e)
		})
	}
}

func (s *suite) reads(t *testing.T, sample vectortest.Event, e payment.Event) {
	t.Helper()
	orderRef := sample.OrderRef
	if s.OrderRef != nil {
		orderRef = s.OrderRef(sample)
	}
	for what, c := range map[string]struct{ got, want string }{
		"key":      {s.key(e), sample.EventKey},
		"type":     {e.Type, sample.EventType},
		"payment":  {e.PaymentRef, sample.PaymentRef},
		"order":    {e.OrderRef, orderRef},
		"secret":   {e.KeyID, s.current.ID},
		"time":     {instant(e.OccurredAt), instant(sample.OccurredAt)},
		"revision": {text(e.Revision), number(sample.Revision)},
		"zone":     {e.OccurredAt.Location().String(), "UTC"},
	} {
		if c.got != c.want {
			t.Errorf("%s %q, want %q", what, c.got, c.want)
		}
	}
	// A duplicate and a conflict are outcomes, not meanings.
	if sample.Effect != "duplicate" && sample.Effect != "conflict" {
		s.means(t, e, payment.Effect(sample.Effect), sample.State)
	}
	if sample.Effect == "conflict" {
		return // its amount is what the provider never said
	}
	// Where the event names no currency, the adapter may know it or not.
	switch {
	case sample.Currency == "" && e.Amount == nil:
	case text(e.Amount) != number(sample.AmountMinor):
		t.Errorf("amount %q, want %q", text(e.Amount), number(sample.AmountMinor))
	case sample.Currency != "" && sample.AmountMinor != nil && e.Currency != sample.Currency:
		t.Errorf("currency %q, want %q", e.Currency, sample.Currency)
	}
}

// means holds an event against a rule.
func (s *suite) means(t testing.TB, e payment.Event, effect payment.Effect, state string) {
	t.Helper()
	if s.Asks != nil && s.Asks(e.Type, effect) {
		effect = payment.EffectFetch
	}
	if e.Effect != effect {
		t.Errorf("effect %q, want %q", e.Effect, effect)
	}
	if effect != payment.EffectAdvance {
		state = "" // only these say where the payment stands
	}
	if string(e.Status) != state {
		t.Errorf("status %q, want %q", e.Status, state)
	}
	if (effect == payment.EffectNone) != (e.Verdict == payment.Ignored) {
		t.Errorf("verdict %q for the effect %q", e.Verdict, effect)
	}
}

func (s *suite) key(e payment.Event) string {
	if s.Key != nil {
		return s.Key(e)
	}
	return e.ID
}

// mapping is kept by samples, or by bodies that the subject makes.
func (s *suite) mapping(t *testing.T) {
	for _, rule := range s.set.Mapping.Rules {
		t.Run(strings.TrimSpace(rule.EventType+" "+rule.When), func(t *testing.T) {
			t.Parallel()
			for _, e := range s.set.Events.Events {
				if e.EventType == rule.EventType && e.Effect == rule.Effect && (rule.State == "" || rule.State == e.State) {
					return // held against the rule with the samples
				}
			}
			var raw []byte
			ok := false
			if s.Make != nil {
				raw, ok = s.Make(rule)
			}
			if !ok {
				t.Fatalf("no sample is about it and Make makes none; effect %s, state %q", rule.Effect, rule.State)
			}
			a := s.made(t, Setup{Secrets: held([]string{s.current.Key}), Rule: &rule})
			e := s.one(t, a, s.paidWith(t, raw), s.now())
			if e.Type != rule.EventType {
				t.Errorf("type %q", e.Type)
			}
			s.means(t, e, payment.Effect(rule.Effect), rule.State)
		})
	}
}

// repeats are signed again by most providers, and known all the same.
func (s *suite) repeats(t *testing.T) {
	a := s.adapter(t, s.current)
	known := map[string]payment.Event{}
	for _, sample := range s.set.Events.Events {
		d := delivery{sample.Header(), []byte(sample.Body)}
		e := s.one(t, a, d, s.now())
		for _, later := range []time.Duration{0, time.Second, 48 * time.Hour} {
			again := s.signed(d.header, d.raw, s.current.Key, s.now().Add(later))
			if r := s.one(t, a, again, s.now().Add(later)); !same(r, e) || s.key(r) != s.key(e) {
				t.Errorf("%s is another event %v later", sample.ID, later)
			}
		}
		first, repeated := known[e.ID]
		switch {
		case !repeated:
			known[e.ID] = e
		case (first.Fingerprint == e.Fingerprint) == (sample.Effect == "conflict"):
			t.Errorf("%s: same content %v, effect %q", sample.ID, first.Fingerprint == e.Fingerprint, sample.Effect)
		}
		if repeated != (sample.Effect == "duplicate" || sample.Effect == "conflict") {
			t.Errorf("%s: an id seen before %v, effect %q", sample.ID, repeated, sample.Effect)
		}
	}
}

func (s *suite) changes(t *testing.T) {
	a, now := s.adapter(t, s.current), s.now()
	check := func(c Change, harmless bool) {
		sample := s.sample(t, c.Sample)
		before := delivery{sample.Header(), []byte(sample.Body)}
		raw := before.raw
		if c.Body != nil {
			raw = c.Body(bytes.Clone(before.raw))
			if bytes.Equal(raw, before.raw) {
				t.Fatalf("%s: isn't a change", c.Name)
			}
		}
		after := s.signed(before.header, raw, s.current.Key, now)
		if c.Header != nil {
			c.Header(after.header)
		}
		old, got := s.one(t, a, before, now), s.one(t, a, after, now)
		if same(old, got) != harmless {
			t.Errorf("%s: same id %v, same content %v", c.Name, old.ID == got.ID, old.Fingerprint == got.Fingerprint)
		}
	}
	for _, c := range s.Harmless {
		check(c, true)
	}
	for _, c := range s.Harmful {
		check(c, false)
	}
}

// same tells whether the shop takes b for a repeat of a.
func same(a, b payment.Event) bool { return a.ID == b.ID && a.Fingerprint == b.Fingerprint }

// Replace is a change of a body's text, for Change.
func Replace(before, after string) func([]byte) []byte {
	return func(raw []byte) []byte { return bytes.Replace(raw, []byte(before), []byte(after), 1) }
}

func instant(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

func text(a *payment.Amount) string {
	if a == nil {
		return ""
	}
	return a.String()
}

func number(n *int64) string {
	if n == nil {
		return ""
	}
	return payment.NewAmount(*n).String()
}
