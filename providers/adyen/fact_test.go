package adyen_test

import (
	"errors"
	"strings"
	"testing"

	"onceshop/payment"
	"onceshop/providers/adyen"
)

func TestEventsOfAnotherReferenceCountWhereTheyNameThePayment(t *testing.T) {
	t.Parallel()
	under := func(ref string, e payment.Event) payment.Event {
		e.OrderRef = ref
		return e
	}
	s, err := folding(t, adyen.Manual).Fold(order, []payment.Event{
		told("AUTHORISATION", "PSP1", true, 2500), under("", told("CAPTURE", "CAP1", true, 2500)), under("credit note 7", told("REFUND", "REF1", true, 1000)),
		under("other", told("AUTHORISATION", "PSP9", true, 9900)), under("other", of("PSP9", told("CAPTURE", "CAP9", true, 9900))),
	})
	if err != nil || s.Status != payment.Paid || !s.Received.Equal(amount(2500)) || !s.Refunded.Equal(amount(1000)) || !s.Amount.Equal(amount(2500)) {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestStoredIDsAreReadExactly(t *testing.T) {
	t.Parallel()
	a := folding(t, adyen.Manual)
	for _, id := range []string{
		"", "|||", account + "|PSP1|AUTHORISATION", account + "|PSP1|AUTHORISATION|", account + "|PSP1|AUTHORISATION|TRUE", account + "|PSP1|AUTHORISATION|true|",
		account + "|PSP1|CAPTURE|true", "|PSP1|AUTHORISATION|true", account + "||AUTHORISATION|true", account + "|PSP1||true",
		account + "| PSP1|AUTHORISATION|true", account + "|PSP:1|AUTHORISATION|true", account + "|PSP1|AUTHORISATION|true#0123456789abcdef",
	} {
		e := told("AUTHORISATION", "PSP1", true, 2500)
		e.ID = id
		_, err := a.Fold(order, []payment.Event{e})
		if !errors.Is(err, payment.ErrMalformed) || id != "" && strings.Contains(err.Error(), id) {
			t.Errorf("%q: %v", id, err)
		}
	}
}
