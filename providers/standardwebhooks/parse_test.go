package standardwebhooks_test

import (
	"crypto/sha256"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"onceshop/payment"
)

func TestEventIsReadWhole(t *testing.T) {
	t.Parallel()
	const body = ` {"type":"payment.refunded","timestamp":"2026-01-01T01:00:00.5+01:00","data":{"payment_ref":"p/1","order_ref":"our-1/2",
		"amount_minor":123456789012345678901234567890,"currency":"JPY","refunded_total_minor":1,"more":{"a":1}},"more":[]} `
	got, err := read(t, body)
	if err != nil {
		t.Fatal(err)
	}
	amount, err := payment.ParseAmount("123456789012345678901234567890")
	if err != nil {
		t.Fatal(err)
	}
	want := payment.Event{
		Provider: "standardwebhooks", ID: paidID, Type: "payment.refunded", PaymentRef: "p/1", OrderRef: "our-1/2",
		OccurredAt: time.Date(2026, 1, 1, 0, 0, 0, 5e8, time.UTC), Fingerprint: sha256.Sum256([]byte(body)), KeyID: "current",
		Effect: payment.EffectRefund, Amount: &amount, Currency: "JPY",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestOurOwnTypesBeyondTheMappingHaveEffects(t *testing.T) {
	t.Parallel()
	for kind, effect := range map[string]payment.Effect{
		"payment.dispute_won": payment.EffectDisputeWon, "payment.dispute_lost": payment.EffectDisputeLost, "payment.refund_failed": payment.EffectRefundReversed,
	} {
		e, err := read(t, strings.Replace(paidBody, "payment.paid", kind, 1))
		if err != nil || e.Effect != effect || e.Status != "" || e.Verdict != "" || e.OrderRef != "ORD-1001" {
			t.Errorf("%s: %+v, %v", kind, e, err)
		}
	}
}

func TestOtherTypesAreIgnoredWhateverTheirDataIs(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{}`, `{"test": 2432232314}`, `{"type":null}`, `{"type":"user.created","data":[1]}`, `{"type":"user.created","data":{"payment_ref":7,"Payment_Ref":8}}`,
		`{"type":"payment.Paid"}`, `{"type":"payment.paid.v2","data":"x"}`,
	} {
		e, err := read(t, body)
		if err != nil || e.Verdict != payment.Ignored || e.Effect != payment.EffectNone || e.Reason != "not a type we act on" || e.ID != paidID || e.PaymentRef != "" {
			t.Errorf("%s: %+v, %v", body, e, err)
		}
	}
}

func TestAPaymentMayBeNamedByEitherOrNone(t *testing.T) {
	t.Parallel()
	for body, want := range map[string][2]string{
		`{"type":"payment.paid"}`:                                             {"", ""},
		`{"type":"payment.paid","data":null,"timestamp":null}`:                {"", ""},
		`{"type":"payment.paid","data":{}}`:                                   {"", ""},
		`{"type":"payment.paid","data":{"payment_ref":"p","order_ref":null}}`: {"p", ""},
		`{"type":"payment.paid","data":{"order_ref":"o"}}`:                    {"", "o"},
		`{"type":"payment.paid","data":{"payment_ref":"p","order_ref":""}}`:   {"p", ""},
		`{"type":"payment.paid","data":{"payment_ref":"p","order_ref":" o"}}`: {"p", ""},
	} {
		e, err := read(t, body)
		if err != nil || [2]string{e.PaymentRef, e.OrderRef} != want || e.Effect != payment.EffectAdvance || e.Amount != nil || !e.OccurredAt.IsZero() {
			t.Errorf("%s: %+v, %v", body, e, err)
		}
	}
}

func TestAnAmountInAnUnknownCurrencyIsNone(t *testing.T) {
	t.Parallel()
	for _, currency := range []string{`"XYZ"`, `"eur"`, `null`} {
		e, err := read(t, strings.Replace(paidBody, `"EUR"`, currency, 1))
		if err != nil || e.Amount != nil || e.Currency != "" {
			t.Errorf("%s: %v %q, %v", currency, e.Amount, e.Currency, err)
		}
	}
}

func TestEventInDoubtIsMalformed(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`[]`, `"paid"`, `{"type":""}`, `{"type":1}`, `{"type":" payment.paid"}`, `{"type":"` + strings.Repeat("t", 101) + `"}`,
		`{"timestamp":1767225600}`, `{"timestamp":"2026-01-01"}`, `{"timestamp":"2026-01-01T00:00:00"}`, `{"timestamp":"0001-01-01T00:00:00Z"}`,
		`{"type":"payment.paid","data":[]}`, `{"type":"payment.paid","data":"pay_0001"}`, `{"type":"payment.paid","data":false}`,
		`{"type":"payment.paid","data":{"payment_ref":7}}`, `{"type":"payment.paid","data":{"payment_ref":""}}`,
		`{"type":"payment.paid","data":{"amount_minor":"2500"}}`, `{"type":"payment.paid","data":{"amount_minor":25.0}}`, `{"type":"payment.paid","data":{"amount_minor":2.5e3}}`,
		`{"type":"payment.paid","data":{"amount_minor":-1}}`, `{"type":"payment.paid","data":{"amount_minor":` + strings.Repeat("9", 66) + `}}`,
		`{"type":"payment.refunded","data":{"refunded_total_minor":"1"}}`, `{"type":"payment.paid","data":{"currency":""}}`, `{"type":"payment.paid","data":{"currency":"THIRTEENCHARS"}}`,
		`{"type":"payment.paid","data":{"Refunded_total_minor":1}}`, `{"data":{"payment_ref":"a","payment_ref":"b"},"type":"payment.paid"}`,
		`{"type":"user.created","data":{"a":1,"a":2}}`, `{"Type":"payment.paid"}`,
	} {
		if _, err := read(t, body); !errors.Is(err, payment.ErrMalformed) {
			t.Errorf("%s: %v", body, err)
		}
	}
}

func TestErrorsNameThePlaceAndNothingElse(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"type":"payment.paid","data":{"amount_minor":"canary"}}`: "not one unambiguous event: the body data amount_minor is not a whole number",
		`{"timestamp":"canary"}`:                                   "not one unambiguous event: the body timestamp is not a time",
	} {
		if _, err := read(t, body); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
