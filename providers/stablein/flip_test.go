package stablein_test

import (
	"errors"
	"strconv"
	"testing"

	"onceshop/payment"
	"onceshop/providers/stablein"
)

func TestEverySingleFlippedBitIsRefused(t *testing.T) {
	t.Parallel()
	a := rotating(t)
	flip := func(name, text string, receive func(string) error) {
		if err := receive(text); err != nil {
			t.Fatalf("%s unchanged: %v", name, err)
		}
		for i := range len(text) * 8 {
			b := []byte(text)
			b[i/8] ^= 1 << (i % 8)
			if err := receive(string(b)); !errors.Is(err, payment.ErrSignature) {
				t.Errorf("%s with bit %d flipped: %v", name, i, err)
			}
		}
	}
	flip("signature", paidByCurrent, func(s string) error {
		_, err := receive(a, headers(paidID, clock, s), paidBody, now)
		return err
	})
	flip("timestamp", strconv.Itoa(clock), func(s string) error {
		h := headers(paidID, clock, paidByCurrent)
		h.Set(stablein.TimestampHeader, s)
		_, err := receive(a, h, paidBody, now)
		return err
	})
	flip("event id", paidID, func(s string) error {
		_, err := receive(a, headers(s, clock, paidByCurrent), paidBody, now)
		return err
	})
	flip("body", paidBody, func(s string) error {
		_, err := receive(a, headers(paidID, clock, paidByCurrent), s, now)
		return err
	})
}
