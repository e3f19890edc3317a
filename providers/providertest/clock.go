package providertest

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"onceshop/payment"
)

func (s *suite) clock(t *testing.T) {
	a, sent, paid := s.adapter(t, s.current), s.now(), s.paid(t)
	d := s.signed(paid.header, paid.raw, s.current.Key, sent)
	forged := delivery{d.header, bytes.Replace(d.raw, []byte("0"), []byte("1"), 1)}
	if bytes.Equal(forged.raw, d.raw) {
		forged.raw = append(bytes.Clone(d.raw), ' ')
	}
	for _, off := range []time.Duration{-100 * 24 * time.Hour, -301 * time.Second, -300 * time.Second, 0, 300 * time.Second, 301 * time.Second, 100 * 24 * time.Hour} {
		var want error
		if s.SignedTime && off.Abs() > 300*time.Second {
			want = payment.ErrStale
		}
		events, err := s.receive(t, a, d, sent.Add(off))
		if !errors.Is(err, want) {
			t.Errorf("%v off: got %v, want %v", off, err, want)
		}
		s.agrees(t, a, d, sent.Add(off), events, err)
		// Only who signed correctly is told that it came too late.
		if _, err := s.receive(t, a, forged, sent.Add(off)); s.Signed == nil && !errors.Is(err, payment.ErrSignature) {
			t.Errorf("%v off and forged: %v", off, err)
		}
	}
}

// concurrently finds, under the race detector, what two deliveries share.
func (s *suite) concurrently(t *testing.T) {
	a, now := s.adapter(t, s.current), s.now()
	done := make(chan struct{})
	samples := s.set.Events.Events
	for _, e := range samples {
		go func() {
			defer func() { done <- struct{}{} }()
			d := delivery{e.Header(), []byte(e.Body)}
			for range 10 {
				events, err := s.receive(t, a, d, now)
				s.agrees(t, a, d, now, events, err)
			}
		}()
	}
	for range samples {
		<-done
	}
}
