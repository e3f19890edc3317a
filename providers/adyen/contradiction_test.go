package adyen_test

import (
	"errors"
	"testing"

	"onceshop/payment"
	"onceshop/providers/adyen"
)

func TestMoneyThatCannotBeCountedMakesNoSnapshot(t *testing.T) {
	t.Parallel()
	a := folding(t, adyen.Manual)
	auth := told("AUTHORISATION", "PSP1", true, 2500)
	unknown := func(e payment.Event, currency string) payment.Event {
		e.Amount, e.Currency = nil, currency
		return e
	}
	for name, e := range map[string]payment.Event{
		"an unknown currency":         unknown(told("CAPTURE", "CAP1", true, 0), "XTS"),
		"a known one, not exactly":    unknown(told("CAPTURE", "CAP1", true, 0), "ISK"),
		"none":                        unknown(told("REFUND", "REF1", true, 0), ""),
		"an attempt in an unknown":    unknown(told("AUTHORISATION", "PSP0", false, 0), "XTS"),
		"taken back in an unknown":    unknown(told("CAPTURE_FAILED", "CAP1", true, 0), "XTS"),
		"cancelled or refunded, none": unknown(told("CANCEL_OR_REFUND", "COR1", true, 0), ""),
	} {
		if s, err := a.Fold(order, []payment.Event{auth, e}); !errors.Is(err, payment.ErrLater) {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
	}
	for name, e := range map[string]payment.Event{
		"a dispute":                unknown(told("CHARGEBACK", "DSP1", true, 0), "XTS"),
		"a refund that failed":     unknown(told("REFUND_FAILED", "REF1", true, 0), "XTS"),
		"a refund that was none":   unknown(told("REFUND", "REF1", false, 0), "XTS"),
		"an end without an amount": unknown(told("CANCELLATION", "CAN1", true, 0), ""),
	} {
		if _, err := a.Fold(order, []payment.Event{auth, e}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What can't be right is told, and refused where every provider's snapshots are.
func TestContradictionsAreTold(t *testing.T) {
	t.Parallel()
	auth, taken := told("AUTHORISATION", "PSP1", true, 2500), told("CAPTURE", "CAP1", true, 2500)
	in := func(currency string, e payment.Event) payment.Event {
		e.Currency = currency
		return e
	}
	for name, c := range map[string]struct {
		events []payment.Event
		reason string
	}{
		"another amount":                     {[]payment.Event{told("AUTHORISATION", "PSP1", true, 10)}, payment.AmountMismatch},
		"another currency":                   {[]payment.Event{in("USD", auth), in("USD", taken)}, payment.CurrencyMismatch},
		"captured in another currency":       {[]payment.Event{auth, in("USD", taken)}, payment.CurrencyMismatch},
		"authorised in another currency":     {[]payment.Event{in("USD", auth), taken}, payment.CurrencyMismatch},
		"refunded in another currency":       {[]payment.Event{auth, taken, in("USD", told("REFUND", "REF1", true, 10))}, payment.CurrencyMismatch},
		"taken back in another currency":     {[]payment.Event{auth, taken, in("USD", told("CAPTURE_FAILED", "CAP1", true, 2500))}, payment.CurrencyMismatch},
		"two payments in two currencies":     {[]payment.Event{auth, taken, in("USD", told("AUTHORISATION", "PSP2", true, 2500))}, payment.CurrencyMismatch},
		"more refunded than authorised":      {[]payment.Event{auth, taken, told("REFUND", "REF1", true, 2501)}, payment.RefundExceedsPayment},
		"refunded of what was taken back":    {[]payment.Event{auth, taken, told("REFUND", "REF1", true, 10), told("CAPTURE_FAILED", "CAP1", true, 2500)}, payment.RefundExceedsPayment},
		"a part, not yet known to be one":    {[]payment.Event{told("CAPTURE", "CAP1", true, 1000)}, payment.AmountMismatch},
		"a part of more than was authorised": {[]payment.Event{told("AUTHORISATION", "PSP1", true, 9900), taken}, payment.AmountMismatch},
	} {
		s, err := folding(t, adyen.Manual).Fold(order, c.events)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if d := payment.Next(asked(), s); d.Verdict != payment.NeedsReview || d.Reason != c.reason {
			t.Errorf("%s: %s %s of %+v", name, d.Verdict, d.Reason, s)
		}
	}
	// What doesn't count may be in any currency.
	for _, e := range []payment.Event{told("AUTHORISATION", "PSP0", false, 2700), told("CHARGEBACK", "DSP1", true, 2700), told("REFUND", "REF1", false, 2700)} {
		s, err := folding(t, adyen.Manual).Fold(order, []payment.Event{auth, taken, in("USD", e)})
		if d := payment.Next(asked(), s); err != nil || d.Verdict != payment.Applied || len(s.Disputes) > 0 && s.Disputes[0].Amount.Sign() != 0 {
			t.Errorf("%s: %s %s %v", e.Type, d.Verdict, d.Reason, err)
		}
	}
}
