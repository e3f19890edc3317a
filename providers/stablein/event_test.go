package stablein_test

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
	const body = ` {"id":"e1","type":"risk.updated","createdAt":"2026-01-01T01:00:00.5+01:00","data":{"orderId":"p1"},
		"order":{"id":"p1","merchantOrderId":"our-1","revision":"123456789012345678901234567890"}} `
	got, err := receive(rotating(t), signed("e1", body), body, now)
	if err != nil {
		t.Fatal(err)
	}
	revision, err := payment.ParseAmount("123456789012345678901234567890")
	if err != nil {
		t.Fatal(err)
	}
	want := payment.Event{
		Provider: "stablein", ID: "e1", Type: "risk.updated", PaymentRef: "p1", OrderRef: "our-1", Revision: &revision,
		OccurredAt: time.Date(2026, 1, 1, 0, 0, 0, 5e8, time.UTC), Fingerprint: sha256.Sum256([]byte(body)), KeyID: "current", Effect: payment.EffectFetch,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestEventNamesItsPaymentInEitherPlace(t *testing.T) {
	t.Parallel()
	a := rotating(t)
	for members, want := range map[string]string{
		`"order":{"id":"p1"}`:                              "p1",
		`"data":{"orderId":"p1"}`:                          "p1",
		`"data":{"orderId":"p1"},"order":{"id":"p1"}`:      "p1",
		`"data":{"orderId":"p1"},"order":{"revision":"1"}`: "p1",
		`"data":{"orderId":null},"order":null`:             "",
		`"data":["orderId"],"order":{}`:                    "",
		`"data":"orderId"`:                                 "",
		`"createdAt":null`:                                 "",
	} {
		body := `{"id":"e1",` + members + `}`
		e, err := receive(a, signed("e1", body), body, now)
		if err != nil || e.PaymentRef != want {
			t.Errorf("%s: payment %q, error %v; want %q", members, e.PaymentRef, err, want)
		}
	}
}

// Whoever shares the account with us gives references as they like.
func TestAReferenceThatCannotBeOursCountsAsNone(t *testing.T) {
	t.Parallel()
	for _, reference := range []string{`""`, `" padded "`, `"a\nb"`, `"` + strings.Repeat("r", 256) + `"`, `7`, `null`} {
		body := `{"id":"e1","order":{"id":"p1","merchantOrderId":` + reference + `}}`
		if e, err := receive(rotating(t), signed("e1", body), body, now); err != nil || e.PaymentRef != "p1" || e.OrderRef != "" {
			t.Errorf("%s: %+v, %v", body, e, err)
		}
	}
}

func TestEventInDoubtIsMalformed(t *testing.T) {
	t.Parallel()
	a := rotating(t)
	for _, body := range []string{
		``, ` `, `null`, `[]`, `"e1"`, `{`, `{"id":"e1"`, `{"id":"e1",}`, `{"id":"e1"}}`, `{"id":"e1"} x`, `{"id":"e1"}{}`, `{"id":"e1"},`,
		`{'id':'e1'}`, `{"id":"e1"}//`, `{"id":"e1","n":01}`, `{"id":"e1","n":NaN}`, "{\"id\":\"e1\",\"n\":\"\t\"}", "{\"id\":\"e1\",\"n\":\"\xc0\xaf\"}",
		`{}`, `{"type":"payment.paid"}`,
		`{"id":"e1","type":""}`, `{"id":"e1","type":1}`, `{"id":"e1","type":"` + strings.Repeat("t", 101) + `"}`,
		`{"id":"e1","createdAt":1767225600}`, `{"id":"e1","createdAt":"yesterday"}`, `{"id":"e1","createdAt":"0001-01-01T00:00:00Z"}`, `{"id":"e1","createdAt":"9999-12-31T23:59:59-01:00"}`,
		`{"id":"e1","data":{"orderId":7}}`, `{"id":"e1","data":{"orderId":"p1"},"order":{"id":"p2"}}`,
		`{"id":"e1","order":[]}`, `{"id":"e1","order":"p1"}`, `{"id":"e1","order":{"id":"p1","revision":2}}`, `{"id":"e1","order":{"id":"p1","revision":"2.0"}}`,
		`{"id":"e1","order":{"id":"p1","revision":"-2"}}`, `{"id":"e1","order":{"id":"p1","revision":"02"}}`, `{"id":"e1","order":{"id":"p1","amount":50000}}`,
		`{"id":"e1","order":{"id":"p1","amount":"5e4"}}`, `{"id":"e1","order":{"id":"p1","confirmations":3}}`, `{"id":"e1","order":{"id":"p1","merchantRisk":"good"}}`,
		`{"id":"e1","order":{"id":"p1","merchantRisk":{"validUntil":"soon"}}}`,
	} {
		_, err := receive(a, signed("e1", body), body, now)
		if !errors.Is(err, payment.ErrMalformed) {
			t.Errorf("%s: %v", body, err)
		}
	}
}

func TestErrorsRepeatNothingOfTheBody(t *testing.T) {
	t.Parallel()
	a := rotating(t)
	for _, body := range []string{
		`{"id":"e1","order":{"amount":"canary"}}`, `{"id":"e1","canary":1,"canary":2}`, `{"id":"e1","x":canary}`, `{"id":"e1","createdAt":"canary"}`,
		`{"id":"e1","order":{"id":" canary"}}`, `{"id":"canary"}`, `{"id":"e1","x":{"canary":tru}}`,
	} {
		_, err := receive(a, signed("e1", body), body, now)
		if err == nil || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: %v", body, err)
		}
	}
}

func TestErrorsNameThePlace(t *testing.T) {
	t.Parallel()
	const body = `{"id":"e1","order":{"id":"p1","merchantRisk":{"validUntil":"soon"}}}`
	_, err := receive(rotating(t), signed("e1", body), body, now)
	if want := "not one unambiguous event: the body order.merchantRisk.validUntil is not a time"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
