package razorpay_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"onceshop/payment"
)

const capturedBody = `{"entity":"event","account_id":"acc_1","event":"payment.captured","contains":["payment"],"payload":{"payment":{"entity":{"id":"pay_1","entity":"payment",
	"amount":2500,"currency":"INR","status":"captured","order_id":"order_1","captured":true,"amount_refunded":0,"refund_status":null,"notes":{"order_ref":"ORD-1"},"created_at":1767225630}}},"created_at":1767225660}`

func TestAnEventIsReadWhole(t *testing.T) {
	t.Parallel()
	amount, sum := paise(2500), sha256.Sum256([]byte(capturedBody))
	want := payment.Event{
		Provider: "razorpay", ID: hex.EncodeToString(sum[:]), Alias: "evt_1", Type: "payment.captured", PaymentRef: "pay_1", OrderRef: "ORD-1",
		OccurredAt: time.Unix(1767225660, 0).UTC(), Fingerprint: sum, Effect: payment.EffectAdvance, Status: payment.Paid, Amount: &amount, Currency: "INR",
	}
	if d := cmp.Diff(want, read(t, capturedBody)); d != "" {
		t.Error(d)
	}
}

func TestAReplayUnderAnotherIDIsTheSameEventAndAnotherBodyIsNot(t *testing.T) {
	t.Parallel()
	a := verifying(t)
	deliver := func(id, body string) payment.Event {
		e, err := receive(a, signed(id, body), body)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	first := deliver("evt_1", capturedBody)
	for _, id := range []string{"evt_1", "evt_invented", "", " padded", strings.Repeat("x", 256)} {
		again := deliver(id, capturedBody)
		if again.ID != first.ID || again.Fingerprint != first.Fingerprint {
			t.Errorf("replayed under %q it is another event", id)
		}
		if !strings.HasPrefix(id, "evt_") {
			id = "" // it can't be one
		}
		if again.Alias != id {
			t.Errorf("under %q the alias is %q", id, again.Alias)
		}
	}
	other := deliver("evt_1", strings.Replace(capturedBody, "2500", "2501", 1))
	if other.Alias != first.Alias || other.ID == first.ID || other.Fingerprint == first.Fingerprint {
		t.Errorf("another body under a known id: %+v", other)
	}
}

func TestTheNameOfAnEventDecidesAndNotTheStateOfItsPayment(t *testing.T) {
	t.Parallel()
	e := read(t, strings.Replace(capturedBody, "payment.captured", "payment.authorized", 1))
	if e.Status != payment.Authorised || e.Effect != payment.EffectAdvance {
		t.Errorf("%s %s", e.Effect, e.Status)
	}
}

func TestNotesAreReadInAllTheirForms(t *testing.T) {
	t.Parallel()
	for notes, want := range map[string]string{
		`{"order_ref":"ORD-1"}`:               "ORD-1",
		`{"a":1,"order_ref":"ORD-1"}`:         "ORD-1",
		`{"Order_Ref":1,"order_ref":"ORD-1"}`: "ORD-1",
		`[]`:                                  "",
		`null`:                                "",
		`""`:                                  "",
		`{}`:                                  "",
		`[{"key":"order_ref"}]`:               "",
		`{"order_ref":7}`:                     "",
		`{"order_ref":{"order_ref":"x"}}`:     "",
		`{"order_ref":""}`:                    "",
		`{"order_ref":" padded "}`:            "",
		`{"order_ref":"line\nbreak"}`:         "",
	} {
		e := read(t, strings.Replace(capturedBody, `{"order_ref":"ORD-1"}`, notes, 1))
		if e.OrderRef != want || e.PaymentRef != "pay_1" {
			t.Errorf("%s: order %q of payment %q", notes, e.OrderRef, e.PaymentRef)
		}
	}
}

// entities is an event with these in its payload.
func entities(kind string, pairs ...string) string {
	var all []string
	for i := 0; i < len(pairs); i += 2 {
		all = append(all, fmt.Sprintf(`%q:{"entity":%s}`, pairs[i], pairs[i+1]))
	}
	return `{"event":"` + kind + `","payload":{` + strings.Join(all, ",") + `},"created_at":1767225660}`
}

func TestAnEventNamesItsPaymentByWhatItHas(t *testing.T) {
	t.Parallel()
	const (
		pay  = `{"id":"pay_1","amount":2500,"currency":"INR"}`
		ord  = `{"id":"order_1","amount":2500,"currency":"INR","receipt":"ORD-1"}`
		bare = `{"id":"EvX","amount":2500,"currency":"INR"}`
		plk  = `{"id":"plink_1","amount":2500,"currency":"INR","reference_id":"ORD-2"}`
		rfd  = `{"id":"rfnd_1","payment_id":"pay_2","amount":1000,"currency":"INR"}`
		dsp  = `{"id":"disp_1","payment_id":"pay_3","amount":500,"currency":"INR"}`
	)
	for _, c := range []struct{ body, payment, order, amount string }{
		{entities("payment.captured", "payment", pay), "pay_1", "", "2500"},
		{entities("order.paid", "payment", pay, "order", ord), "pay_1", "ORD-1", "2500"},
		{entities("order.paid", "order", ord), "order_1", "ORD-1", "2500"},
		{entities("payment_link.paid", "payment_link", plk, "order", bare, "payment", pay), "pay_1", "ORD-2", "2500"},
		{entities("payment_link.paid", "order", bare), "order_EvX", "", "2500"},
		{entities("payment_link.expired", "payment_link", plk), "plink_1", "ORD-2", "2500"},
		{entities("refund.processed", "refund", rfd), "pay_2", "", "1000"},
		{entities("refund.processed", "refund", rfd, "payment", strings.Replace(pay, "pay_1", "pay_2", 1)), "pay_2", "", "1000"},
		{entities("payment.dispute.lost", "dispute", dsp), "pay_3", "", "500"},
		{entities("payment.captured"), "", "", ""},
	} {
		e := read(t, c.body)
		amount := ""
		if e.Amount != nil {
			amount = e.Amount.String()
		}
		if e.PaymentRef != c.payment || e.OrderRef != c.order || amount != c.amount {
			t.Errorf("%s: payment %q, order %q, amount %q", c.body, e.PaymentRef, e.OrderRef, amount)
		}
	}
}

func TestAmountsAreReadInRazorpaysUnits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ theirs, currency, ours string }{
		{"2500", "INR", "2500"}, {"5800", "JPY", "5800"}, {"2950", "KWD", "2950"}, {"123456789012345678901234567890", "INR", "123456789012345678901234567890"},
		{"1", "XXX", ""}, {"1", "inr", ""},
	} {
		e := read(t, entities("payment.captured", "payment", `{"id":"pay_1","amount":`+c.theirs+`,"currency":"`+c.currency+`"}`))
		switch {
		case c.ours == "":
			if e.Amount != nil || e.Currency != "" {
				t.Errorf("%s %s: %v %s", c.theirs, c.currency, e.Amount, e.Currency)
			}
		case e.Amount == nil || e.Amount.String() != c.ours || e.Currency != c.currency:
			t.Errorf("%s %s: %v %s", c.theirs, c.currency, e.Amount, e.Currency)
		}
	}
}

func TestEffectsThatDependOnMoreThanTheName(t *testing.T) {
	t.Parallel()
	refundOf := func(captured string) string {
		return entities("refund.processed", "refund", `{"id":"rfnd_1","payment_id":"pay_1","amount":1}`, "payment", `{"id":"pay_1","status":"refunded"`+captured+`}`)
	}
	disputed := func(phase string) string {
		return entities("payment.dispute.created", "dispute", `{"id":"disp_1","payment_id":"pay_1"`+phase+`}`)
	}
	for body, want := range map[string]payment.Effect{
		refundOf(`,"captured":true`):           payment.EffectRefund,
		refundOf(`,"captured":false`):          payment.EffectRefundUncaptured,
		refundOf(`,"captured":null`):           payment.EffectFetch,
		refundOf(``):                           payment.EffectFetch,
		disputed(``):                           payment.EffectDisputeOpened,
		disputed(`,"phase":"chargeback"`):      payment.EffectDisputeOpened,
		disputed(`,"phase":"pre_arbitration"`): payment.EffectDisputeOpened,
		disputed(`,"phase":"a new one"`):       payment.EffectDisputeOpened,
		disputed(`,"phase":"retrieval"`):       payment.EffectDisputeNoted,
		disputed(`,"phase":"fraud"`):           payment.EffectDisputeNoted,
	} {
		if e := read(t, body); e.Effect != want || e.Verdict != "" {
			t.Errorf("%s: %s %s, want %s", body, e.Effect, e.Verdict, want)
		}
	}
}

func TestWhatChangesNothingIsIgnoredWithItsReason(t *testing.T) {
	t.Parallel()
	for kind, reason := range map[string]string{
		"refund.created":              "refund.created changes nothing",
		"refund.speed_changed":        "refund.speed_changed changes nothing",
		"payment_link.partially_paid": "payment_link.partially_paid changes nothing",
		"settlement.processed":        "not a type we act on",
		"Payment.Captured":            "not a type we act on",
	} {
		if e := read(t, entities(kind)); e.Verdict != payment.Ignored || e.Reason != reason || e.Effect != payment.EffectNone || e.Status != "" {
			t.Errorf("%s: %s %s, %q", kind, e.Effect, e.Verdict, e.Reason)
		}
	}
}

func TestEventsOfOtherAccountsAreNotOurs(t *testing.T) {
	t.Parallel()
	nobodys := strings.Replace(capturedBody, `"account_id":"acc_1",`, ``, 1)
	for _, c := range []struct {
		accounts []string
		body     string
		verdict  payment.Verdict
		reason   string
	}{
		{nil, capturedBody, "", ""},
		{nil, nobodys, "", ""},
		{[]string{"acc_2", "acc_1"}, capturedBody, "", ""},
		{[]string{"acc_2"}, capturedBody, payment.Ignored, "foreign_account: acc_1"},
		{[]string{"acc_2"}, nobodys, payment.NeedsReview, "foreign_account: the event names none"},
		{[]string{"acc_2"}, entities("refund.created"), payment.Ignored, "refund.created changes nothing"},
	} {
		e, err := receive(verifying(t, c.accounts...), signed("evt_1", c.body), c.body)
		if err != nil || e.Verdict != c.verdict || e.Reason != c.reason {
			t.Errorf("%v: %s %q, %v", c.accounts, e.Verdict, e.Reason, err)
		}
	}
}

func TestAnEventInDoubtIsMalformed(t *testing.T) {
	t.Parallel()
	a := verifying(t)
	for _, body := range []string{
		`{}`, ` { } `, `[]`, `{"event":""}`, `{"event":1}`, `{"event":"` + strings.Repeat("x", 101) + `"}`, `{"event":"a","created_at":"1767225660"}`,
		`{"event":"a","created_at":-1}`, `{"event":"a","created_at":1.5}`, `{"event":"a","payload":[]}`, `{"event":"a","payload":{"payment":{"entity":7}}}`,
		entities("payment.captured", "payment", `{"id":""}`), entities("payment.captured", "payment", `{"id":"pay_1","amount":"2500"}`),
		entities("payment.captured", "payment", `{"id":"pay_1","amount":25e2}`), entities("payment.captured", "payment", `{"id":"pay_1","amount":-1}`),
		entities("refund.processed", "payment", `{"id":"pay_1","captured":"false"}`),
		entities("a", "payment", `{"id":"pay_1","notes":{"b":1,"b":2}}`),
	} {
		if _, err := receive(a, signed("evt_1", body), body); !errors.Is(err, payment.ErrMalformed) {
			t.Errorf("%s: %v", body, err)
		}
	}
}
