package adyen_test

import (
	"strings"
	"testing"

	"onceshop/payment"
	"onceshop/providers/adyen"
)

// one receives a delivery of s.
func one(t *testing.T, a *adyen.Adapter, s adyen.Signed) payment.Event {
	t.Helper()
	events, err := receive(a, nil, signed(s), now)
	if err != nil {
		t.Fatalf("%+v: %v", s, err)
	}
	return events[0]
}

func TestAnEventNamesItsPayment(t *testing.T) {
	t.Parallel()
	a := adapter(t, config())
	for code, own := range map[string]string{
		"AUTHORISATION": "PSP1", "OFFER_CLOSED": "PSP1", "EXPIRE": "PSP1", "REPORT_AVAILABLE": "", "CHARGEBACK_REVERSED": "", "CAPTURE": "", "SOMETHING_NEW": "",
	} {
		s := fields()
		s.EventCode = code
		if e := one(t, a, s); e.PaymentRef != own || e.ID != account+"|PSP1|"+code+"|true" {
			t.Errorf("%s: payment %q, id %q", code, e.PaymentRef, e.ID)
		}
		s.OriginalReference = "PSP0"
		if e := one(t, a, s); e.PaymentRef != "PSP0" {
			t.Errorf("%s with another reference: payment %q", code, e.PaymentRef)
		}
	}
}

// Other applications use the same account, and a refusal would stop our queue.
func TestAReferenceThatCannotBeOursIsTakenAndNamesNoOrder(t *testing.T) {
	t.Parallel()
	a := adapter(t, config())
	for _, ref := range []string{"", " ", " padded", "padded ", "two\nlines", "nul\x00", strings.Repeat("x", 256)} {
		s := fields()
		s.MerchantReference = ref
		if e := one(t, a, s); e.OrderRef != "" || e.PaymentRef != "PSP1" {
			t.Errorf("%q: order %q, payment %q", ref, e.OrderRef, e.PaymentRef)
		}
	}
	for _, ref := range []string{"invoice:12/3", "Bestellung für Zoë", order + "/2", "#"} {
		s := fields()
		s.MerchantReference = ref
		if e := one(t, a, s); e.OrderRef != ref {
			t.Errorf("%q: order %q", ref, e.OrderRef)
		}
	}
}

func TestCodesThatChangeNothingAreIgnored(t *testing.T) {
	t.Parallel()
	a := adapter(t, config())
	for _, c := range []struct{ code, success string }{
		{"SOMETHING_NEW", "true"}, {"SOMETHING_NEW", "false"}, {"REPORT_AVAILABLE", "true"}, {strings.Repeat("X", 60), "false"}, {"authorisation", "true"},
		{"CAPTURE", "false"}, {"CANCELLATION", "false"}, {"EXPIRE", "false"}, {"OFFER_CLOSED", "false"}, {"TECHNICAL_CANCEL", "false"},
	} {
		s := fields()
		s.EventCode, s.Success = c.code, c.success
		if e := one(t, a, s); e.Verdict != payment.Ignored || e.Effect != payment.EffectNone || e.Reason != c.code+" "+c.success+" changes nothing" || e.Status != "" {
			t.Errorf("%+v", e)
		}
	}
}

func TestARefundThatWasRefusedIsLookedAt(t *testing.T) {
	t.Parallel()
	a := adapter(t, config())
	for _, code := range []string{"REFUND", "REFUND_WITH_DATA", "CANCEL_OR_REFUND"} {
		for _, currency := range []string{"EUR", "XTS"} {
			s := fields()
			s.EventCode, s.Success, s.Currency = code, "false", currency
			if e := one(t, a, s); e.Effect != payment.EffectFetch || e.Verdict != "" || e.Status != "" {
				t.Errorf("%s in %s: %+v", code, currency, e)
			}
		}
	}
}

func TestMoneyThatCannotBeCountedIsForAPerson(t *testing.T) {
	t.Parallel()
	a := adapter(t, config())
	for _, c := range []struct{ value, currency string }{{"2500", "XTS"}, {"2500", "eur"}, {"2501", "ISK"}, {"2500", ""}} {
		for code, verdict := range map[string]payment.Verdict{
			"AUTHORISATION": payment.NeedsReview, "CAPTURE": payment.NeedsReview, "REFUND": payment.NeedsReview, "CAPTURE_FAILED": payment.NeedsReview,
			"CANCELLATION": "", "CHARGEBACK": "", "REPORT_AVAILABLE": payment.Ignored,
		} {
			s := fields()
			s.Value, s.Currency, s.EventCode = c.value, c.currency, code
			if e := one(t, a, s); e.Verdict != verdict || e.Amount != nil || e.Currency != c.currency {
				t.Errorf("%s of %v: %+v", code, c, e)
			}
		}
	}
	// Without an amount, the two places for it stay empty in what is signed.
	s := fields()
	s.Value, s.Currency, s.EventCode = "", "", "MANUAL_REVIEW_ACCEPT"
	body := strings.Replace(signed(s), `"amount":{"currency":"","value":},`, "", 1)
	events, err := receive(a, nil, body, now)
	if err != nil || events[0].Amount != nil || events[0].Currency != "" {
		t.Errorf("%+v, %v", events, err)
	}
}

func TestAmountsAreInOurMinorUnits(t *testing.T) {
	t.Parallel()
	a := adapter(t, config())
	for _, c := range []struct{ value, currency, ours string }{
		{"2500", "EUR", "2500"}, {"5800", "JPY", "5800"}, {"2950", "KWD", "2950"}, {"50000", "ISK", "500"}, {"50000", "CLP", "500"},
		{"500", "CVE", "50000"}, {"500", "IDR", "50000"}, {"0", "EUR", "0"}, {"123456789012345678901234567890", "EUR", "123456789012345678901234567890"},
	} {
		s := fields()
		s.Value, s.Currency = c.value, c.currency
		if e := one(t, a, s); e.Amount == nil || e.Amount.String() != c.ours || e.Currency != c.currency {
			t.Errorf("%s %s: %v %s", c.value, c.currency, e.Amount, e.Currency)
		}
	}
}

func TestARepeatWithALaterDateIsADuplicateAndWithAnotherAmountAConflict(t *testing.T) {
	t.Parallel()
	a := adapter(t, config())
	read := func(s adyen.Signed, more string) payment.Event {
		events, err := receive(a, nil, batch(item(current, s, more)), now)
		if err != nil {
			t.Fatal(err)
		}
		return events[0]
	}
	first := read(fields(), `,"eventDate":"2026-01-01T00:01:00+01:00","reason":"1111"`)
	again := read(fields(), `,"eventDate":"2026-01-01T00:01:15+01:00","reason":"2222"`)
	if first.ID != again.ID || first.Fingerprint != again.Fingerprint || first.OccurredAt.Equal(again.OccurredAt) {
		t.Errorf("%+v and %+v", first, again)
	}
	for name, change := range map[string]func(*adyen.Signed){
		"amount":   func(s *adyen.Signed) { s.Value = "2501" },
		"currency": func(s *adyen.Signed) { s.Currency = "USD" },
		"order":    func(s *adyen.Signed) { s.MerchantReference = "other" },
		"payment":  func(s *adyen.Signed) { s.OriginalReference = "PSP0" },
	} {
		s := fields()
		change(&s)
		if other := read(s, ""); other.ID != first.ID || other.Fingerprint == first.Fingerprint {
			t.Errorf("another %s: %+v", name, other)
		}
	}
}

func TestTheCaptureModeDecidesWhatAnAuthorisationIs(t *testing.T) {
	t.Parallel()
	for mode, want := range map[adyen.CaptureMode]payment.Status{adyen.Automatic: payment.Paid, adyen.Manual: payment.Authorised} {
		c := config()
		c.CaptureMode = mode
		if e := one(t, adapter(t, c), fields()); e.Effect != payment.EffectAdvance || e.Status != want {
			t.Errorf("%s: %s %s", mode, e.Effect, e.Status)
		}
	}
}

func TestTheAnswerIsTheOneOfTheOlderContract(t *testing.T) {
	t.Parallel()
	if body := adapter(t, config()).Accepted(); body != "[accepted]" {
		t.Errorf("%q", body)
	}
}
