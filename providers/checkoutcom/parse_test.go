package checkoutcom_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"onceshop/payment"
)

func TestTheTimeIsInEitherFieldWithSevenDecimals(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 1, 0, 0, 10, 123456700, time.UTC)
	for fields, want := range map[string]time.Time{
		`"created_on":"2026-01-01T00:00:10.1234567Z"`:                                         at,
		`"timestamp":"2026-01-01T00:00:10.1234567Z"`:                                          at,
		`"timestamp":"2027-01-01T00:00:00Z","created_on":"2026-01-01T02:00:10.1234567+02:00"`: at,
		`"created_on":null,"timestamp":"2026-01-01T00:00:10.1234567Z"`:                        at,
		`"version":"1.0.0"`: {},
	} {
		e := parse(t, `{"id":"evt_1","type":"payment_pending",`+fields+`}`)
		if !e.OccurredAt.Equal(want) {
			t.Errorf("%s: %v", fields, e.OccurredAt)
		}
	}
}

func TestACaptureIsPaidOnlyIfItsBalancesSayThatItIsTheWhole(t *testing.T) {
	t.Parallel()
	for balances, paid := range map[string]bool{
		`{"total_authorized":2500,"total_captured":2500}`: true,
		`{"total_authorized":2500,"total_captured":2501}`: true,
		`{"total_authorized":2500,"total_captured":2499}`: false,
		`{"total_authorized":0,"total_captured":0}`:       false,
		`{"total_captured":2500}`:                         false,
		`{"total_authorized":2500}`:                       false,
		`{}`:                                              false,
		`null`:                                            false,
	} {
		e := parse(t, `{"id":"evt_1","type":"payment_captured","data":{"id":"pay_1","amount":2500,"currency":"EUR","balances":`+balances+`}}`)
		effect, status := payment.EffectFetch, payment.Status("")
		if paid {
			effect, status = payment.EffectAdvance, payment.Paid
		}
		if e.Effect != effect || e.Status != status || e.Verdict != "" {
			t.Errorf("%s: %s %q %s", balances, e.Effect, e.Status, e.Verdict)
		}
	}
}

func TestARefundCountsOnlyIfItsBalancesSaySo(t *testing.T) {
	t.Parallel()
	for balances, want := range map[string]payment.Effect{
		`{"total_captured":2500,"total_refunded":1000}`: payment.EffectRefund,
		`{"total_captured":2500,"total_refunded":2500}`: payment.EffectRefund,
		`{"total_captured":2500,"total_refunded":0}`:    payment.EffectFetch,
		`{"total_captured":2500}`:                       payment.EffectFetch,
		`{"total_refunded":1000}`:                       payment.EffectFetch,
		`null`:                                          payment.EffectFetch,
	} {
		if e := parse(t, `{"id":"evt_1","type":"payment_refunded","data":{"id":"pay_1","balances":`+balances+`}}`); e.Effect != want {
			t.Errorf("%s: %s", balances, e.Effect)
		}
	}
}

func TestCancelledIsSpelledInTwoWays(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"payment_canceled", "payment_cancelled"} {
		if e := parse(t, `{"id":"evt_1","type":"`+kind+`","data":{"id":"pay_1"}}`); e.Effect != payment.EffectAdvance || e.Status != payment.Failed || e.Type != kind {
			t.Errorf("%+v", e)
		}
	}
	for _, kind := range []string{"dispute_canceled", "dispute_cancelled"} {
		if e := parse(t, `{"id":"evt_1","type":"`+kind+`","data":{"id":"dsp_1","payment_id":"pay_1"}}`); e.Effect != payment.EffectDisputeWon || e.PaymentRef != "pay_1" {
			t.Errorf("%+v", e)
		}
	}
}

func TestTypesThatWeDoNotActOnAreIgnoredWhateverTheyAreAbout(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{"id":"evt_1"}`,
		`{"id":"evt_1","type":"card_verified","data":[1]}`,
		`{"id":"evt_1","type":"vaulted_card_updated","data":{"id":7,"amount":{"value":1},"Amount":-1}}`,
		`{"id":"evt_1","type":"Payment_Captured","data":"x"}`,
	} {
		if e := parse(t, body); e.Verdict != payment.Ignored || e.Effect != payment.EffectNone || e.Reason != "not a type we act on" {
			t.Errorf("%s: %+v", body, e)
		}
	}
	if e := parse(t, `{"id":"evt_1","type":"payment_void_declined","data":{"id":"pay_1","reference":"r"}}`); e.Verdict != payment.Ignored || e.Reason != "payment_void_declined changes nothing" || e.PaymentRef != "pay_1" || e.OrderRef != "r" {
		t.Errorf("%+v", e)
	}
}

func TestAnEventNamesThePaymentAndNotTheDispute(t *testing.T) {
	t.Parallel()
	for data, want := range map[string][2]string{
		`"type":"dispute_lost","data":{"id":"dsp_1","payment_id":"pay_1","payment_reference":"r"}`:       {"pay_1", "r"},
		`"type":"dispute_lost","data":{"id":"dsp_1","reference":"another"}`:                              {"", ""},
		`"type":"payment_chargeback","data":{"id":"pay_1","reference":"r"}`:                              {"pay_1", "r"},
		`"type":"payment_chargeback","data":{"id":"dsp_1","payment_id":"pay_1","payment_reference":"r"}`: {"pay_1", "r"},
		`"type":"payment_approved","data":{"id":"pay_1","payment_id":"pay_1"}`:                           {"pay_1", ""},
		`"type":"payment_approved","data":{"amount":2500}`:                                               {"", ""},
		`"type":"payment_approved","data":null`:                                                          {"", ""},
		`"type":"payment_approved"`:                                                                      {"", ""},
	} {
		if e := parse(t, `{"id":"evt_1",`+data+`}`); e.PaymentRef != want[0] || e.OrderRef != want[1] {
			t.Errorf("%s: %q, %q", data, e.PaymentRef, e.OrderRef)
		}
	}
}

// Whoever shares the account with us gives references as they like.
func TestAReferenceThatCannotBeOursCountsAsNone(t *testing.T) {
	t.Parallel()
	for _, reference := range []string{`""`, `" padded "`, `"a\nb"`, `"` + strings.Repeat("r", 256) + `"`, `7`, `null`} {
		for body, ref := range map[string]string{
			`{"id":"evt_1","type":"payment_captured","data":{"id":"pay_1","reference":` + reference + `}}`:                         "pay_1",
			`{"id":"evt_1","type":"dispute_won","data":{"id":"dsp_1","payment_id":"pay_2","payment_reference":` + reference + `}}`: "pay_2",
		} {
			if e := parse(t, body); e.PaymentRef != ref || e.OrderRef != "" {
				t.Errorf("%s: %q, %q", body, e.PaymentRef, e.OrderRef)
			}
		}
	}
}

func TestAmountsAreOursOrLeftOut(t *testing.T) {
	t.Parallel()
	for data, want := range map[string]string{
		`"amount":2500,"currency":"EUR"`:    "2500",
		`"amount":500,"currency":"ISK"`:     "500",
		`"amount":2950,"currency":"KWD"`:    "2950",
		`"amount":2500.00,"currency":"EUR"`: "2500",
		`"amount":2500`:                     "",
		`"amount":500,"currency":"CLP"`:     "",
		`"amount":500,"currency":"eur"`:     "",
		`"currency":"EUR"`:                  "",
	} {
		e := parse(t, `{"id":"evt_1","type":"dispute_won","data":{"payment_id":"pay_1",`+data+`}}`)
		if got := e.Amount; (got == nil) != (want == "") || got != nil && got.String() != want {
			t.Errorf("%s: %v", data, got)
		}
	}
}

func TestAnEventThatCannotBeReadSaysWhereAndNotWhat(t *testing.T) {
	t.Parallel()
	a := adapter(t, config())
	for body, where := range map[string]string{
		`{"type":"payment_pending"}`:                                                              "has no id",
		`{"id":"evt_1","type":"payment_pending","data":["canary"]}`:                               "is not an object",
		`{"id":"evt_1","type":"payment_pending","data":{"id":" canary"}}`:                         "id is not an id",
		`{"id":"evt_1","type":"payment_pending","data":{"amount":"2500"}}`:                        "amount is not a whole number",
		`{"id":"evt_1","type":"payment_pending","data":{"amount":25.50}}`:                         "amount is not a whole number",
		`{"id":"evt_1","type":"payment_pending","data":{"amount":-1}}`:                            "amount is not a whole number",
		`{"id":"evt_1","type":"payment_pending","data":{"amount":25e2}}`:                          "amount is not a whole number",
		`{"id":"evt_1","type":"payment_pending","data":{"balances":{"total_captured":1.0}}}`:      "total_captured is not a whole number",
		`{"id":"evt_1","type":"payment_pending","data":{"balances":{"Total_Captured":1}}}`:        "total_captured in another case",
		`{"id":"evt_1","type":"payment_pending","data":{"id":"pay_1","payment_id":"pay_canary"}}`: "names two payments",
		`{"id":"evt_1","type":"payment_pending","created_on":"yesterday canary"}`:                 "created_on is not a time",
	} {
		_, err := a.Parse(signed(body), []byte(body))
		if !errors.Is(err, payment.ErrMalformed) || !strings.Contains(err.Error(), where) {
			t.Errorf("%s: %v", body, err)
		}
		checkQuiet(t, err)
	}
}
