package stripe_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"onceshop/payment"
)

func snapshotOf(change func(*payment.Snapshot)) payment.Snapshot {
	s := payment.Snapshot{
		Ref: "cs_test_1", OrderRef: "our-1", Status: payment.Paid, RefundStatus: payment.NotRefunded, Currency: "EUR",
		Amount: payment.NewAmount(2500), Received: payment.NewAmount(2500), Risk: payment.NotAssessed(),
	}
	if change != nil {
		change(&s)
	}
	return s
}

func TestEveryIdOfStripeLeadsToTheSession(t *testing.T) {
	t.Parallel()
	answers := with(paid(),
		getCharge, chargeJSON("0", false), getRefund, refundJSON("re_1", "1000", "succeeded"), getDispute, disputeJSON("dp_1", "won"),
		"GET /v1/charges/py_1", strings.Replace(chargeJSON("0", false), `"ch_1"`, `"py_1"`, 1),
		"GET /v1/refunds/pyr_1", strings.Replace(refundJSON("pyr_1", "1000", "succeeded"), `"pi_1"`, `null`, 1),
		"GET /v1/disputes/du_1", strings.Replace(disputeJSON("du_1", "won"), `"pi_1"`, `{"id":"pi_1"}`, 1),
	)
	both := []string{getRefunds, getDisputes}
	for ref, asked := range map[string][]string{
		"cs_test_1": {getSession},
		"pi_1":      {getByIntent},
		"ch_1":      {getCharge, getByIntent},
		"py_1":      {"GET /v1/charges/py_1", getByIntent},
		"re_1":      {getRefund, getByIntent},
		"pyr_1":     {"GET /v1/refunds/pyr_1", getCharge, getByIntent},
		"dp_1":      {getDispute, getByIntent},
		"du_1":      {"GET /v1/disputes/du_1", getByIntent},
	} {
		a, s := asking(t, answers)
		got, err := a.Fetch(t.Context(), ref)
		if err != nil {
			t.Errorf("%s: %v", ref, err)
			continue
		}
		if d := cmp.Diff(snapshotOf(nil), got); d != "" {
			t.Errorf("%s: %s", ref, d)
		}
		if want := append(asked, both...); !slices.Equal(s.targets(), want) {
			t.Errorf("%s: asked %v, want %v", ref, s.targets(), want)
		}
	}
}

func TestAnIntentWithoutASessionIsAPaymentOfItsOwn(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]payment.Status{
		intentJSON("succeeded", "2500", chargeJSON("0", false)): payment.Paid,
		intentJSON("requires_payment_method", "0", `null`):      payment.Pending,
		intentJSON("requires_capture", "0", `"ch_1"`):           payment.Authorised,
		intentJSON("canceled", "0", `null`):                     payment.Failed,
	} {
		a, s := asking(t, with(paid(), getByIntent, listOf(), getIntent, answer))
		got, err := a.Fetch(t.Context(), "pi_1")
		if err != nil || got.Ref != "pi_1" || got.OrderRef != "our-1" || got.Status != want || !got.Amount.Equal(payment.NewAmount(2500)) {
			t.Errorf("%s: %+v, %v", answer, got, err)
		}
		if calls := s.targets(); len(calls) > 4 || calls[1] != getIntent {
			t.Errorf("asked %v", calls)
		}
	}
}

func TestWhatBelongsToNoPaymentIsUnknown(t *testing.T) {
	t.Parallel()
	answers := with(paid(),
		getCharge, strings.Replace(chargeJSON("0", false), `"payment_intent":"pi_1"`, `"payment_intent":null`, 1),
		getRefund, strings.NewReplacer(`"pi_1"`, `null`, `"ch_1"`, `null`).Replace(refundJSON("re_1", "1000", "succeeded")),
		getSession, strings.Replace(sessionJSON("complete", "paid", `null`), `"mode":"payment"`, `"mode":"subscription"`, 1),
	)
	for _, ref := range []string{
		"ch_1", "re_1", "dp_1", "cs_test_1", "cs_test_2", "pi_2", "",
		"cs", "evt_1", "sub_1", ".", "..", "../x", "our-1", " cs_test_1", "cs_test_1\n", "CS_test_1", "cs_" + strings.Repeat("x", 256),
	} {
		a, _ := asking(t, answers)
		if _, err := a.Fetch(t.Context(), ref); !errors.Is(err, payment.ErrNotFound) {
			t.Errorf("%q: %v", ref, err)
		}
	}
}

func TestReferencesAreEscapedInPaths(t *testing.T) {
	t.Parallel()
	const ref = "cs_../a/b?c#d%2f"
	a, s := asking(t, nil)
	if _, err := a.Fetch(t.Context(), ref); !errors.Is(err, payment.ErrNotFound) {
		t.Error(err)
	}
	if want := "GET /v1/checkout/sessions/" + ref + "?expand[]=payment_intent.latest_charge"; s.targets()[0] != want {
		t.Errorf("asked %v", s.targets())
	}
}

func TestSessionAndIntentBecomeAState(t *testing.T) {
	t.Parallel()
	intent := func(status, received string) string { return intentJSON(status, received, `"ch_1"`) }
	cancelled := func(reason string) string {
		return strings.Replace(intent("canceled", "0"), `"cancellation_reason":null`, `"cancellation_reason":"`+reason+`"`, 1)
	}
	for _, d := range []struct {
		session, status, intent string
		want                    payment.Status
	}{
		{"open", "unpaid", `null`, payment.Pending},
		{"complete", "unpaid", `null`, payment.Pending},
		{"expired", "unpaid", `null`, payment.Expired},
		{"open", "unpaid", intent("requires_payment_method", "0"), payment.Pending}, // failed attempts
		{"open", "unpaid", intent("requires_action", "0"), payment.Pending},
		{"open", "unpaid", intent("requires_confirmation", "0"), payment.Pending},
		{"open", "unpaid", intent("processing", "0"), payment.Confirming},
		{"complete", "unpaid", intent("processing", "0"), payment.Confirming},
		{"complete", "unpaid", intent("requires_action", "0"), payment.Pending}, // a voucher that isn't paid yet
		{"complete", "unpaid", intent("requires_payment_method", "0"), payment.Failed},
		{"complete", "unpaid", intent("requires_capture", "0"), payment.Authorised},
		{"expired", "unpaid", intent("requires_payment_method", "0"), payment.Expired},
		{"expired", "unpaid", cancelled("requested_by_customer"), payment.Expired},
		{"expired", "unpaid", intent("processing", "0"), payment.Confirming},
		{"open", "unpaid", cancelled("automatic"), payment.Expired},
		{"complete", "unpaid", cancelled("abandoned"), payment.Expired},
		{"complete", "unpaid", cancelled("expired"), payment.Expired},
		{"complete", "unpaid", cancelled("fraudulent"), payment.Failed},
		{"complete", "unpaid", intent("canceled", "0"), payment.Failed},
		{"complete", "paid", intent("succeeded", "2500"), payment.Paid},
		{"complete", "paid", intent("succeeded", "2501"), payment.Paid},
		{"complete", "unpaid", intent("succeeded", "2500"), payment.Paid}, // the intent was the faster one
		{"expired", "unpaid", intent("succeeded", "2500"), payment.Paid},
		{"complete", "paid", intent("succeeded", "1000"), payment.Authorised},
		{"complete", "no_payment_required", intent("requires_payment_method", "0"), payment.Failed},
		{"complete", "no_payment_required", `null`, payment.Pending},
		{"closed", "unpaid", `null`, "closed"},
		{"open", "unpaid", intent("on_hold", "0"), "on_hold"},
	} {
		a, s := asking(t, with(paid(), getSession, sessionJSON(d.session, d.status, d.intent)))
		got, err := a.Fetch(t.Context(), "cs_test_1")
		if err != nil || got.Status != d.want {
			t.Errorf("session %s %s, intent %s: %s, want %s, %v", d.session, d.status, d.intent, got.Status, d.want, err)
		}
		if wanted := 1 + 2*got.Received.Sign(); len(s.asked) != wanted {
			t.Errorf("session %s %s, intent %s: %d calls, want %d", d.session, d.status, d.intent, len(s.asked), wanted)
		}
	}
}

func TestAPartCapturedStaysAuthorised(t *testing.T) {
	t.Parallel()
	a, _ := asking(t, with(paid(), getSession, sessionJSON("complete", "paid", intentJSON("succeeded", "1000", chargeJSON("1500", false)))))
	got, err := a.Fetch(t.Context(), "cs_test_1")
	want := snapshotOf(func(s *payment.Snapshot) { s.Status, s.Received = payment.Authorised, payment.NewAmount(1000) })
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Error(d, err)
	}
}

func TestNothingToPayIsPaidOnlyIfItIsNothing(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"no_payment_required", "paid"} {
		free := strings.Replace(sessionJSON("complete", word, `null`), `2500`, `0`, 1)
		a, _ := asking(t, map[string]string{getSession: free})
		if got, err := a.Fetch(t.Context(), "cs_test_1"); err != nil || got.Status != payment.Paid || got.Amount.Sign() != 0 || got.Received.Sign() != 0 {
			t.Errorf("%+v, %v", got, err)
		}
	}
}

func TestAmountsAreInOurUnits(t *testing.T) {
	t.Parallel()
	for code, theirs := range map[string]string{"JPY": "2500", "KWD": "2500", "ISK": "250000", "MGA": "25"} {
		in := func(s string) string {
			return strings.NewReplacer(`"eur"`, `"`+strings.ToLower(code)+`"`, `2500`, theirs, `1000`, strings.Replace(theirs, "25", "10", 1)).Replace(s)
		}
		a, _ := asking(t, with(paid(), getSession, in(paidSession("1000", true)),
			getRefunds, listOf(in(refundJSON("re_1", "1000", "succeeded"))), getDisputes, listOf(in(disputeJSON("dp_1", "lost")))))
		got, err := a.Fetch(t.Context(), "cs_test_1")
		amount, part := payment.NewAmount(2500), payment.NewAmount(1000)
		if err != nil || got.Currency != code || !got.Amount.Equal(amount) || !got.Received.Equal(amount) || !got.Refunded.Equal(part) ||
			!got.Refunds[0].Amount.Equal(part) || !got.Disputes[0].Amount.Equal(amount) {
			t.Errorf("%s: %+v, %v", code, got, err)
		}
	}
}

func TestThePaymentsOrderIsTheMerchantsReference(t *testing.T) {
	t.Parallel()
	session := sessionJSON("open", "unpaid", intentJSON("requires_payment_method", "0", `null`))
	for _, d := range []struct {
		from, to, want string
	}{
		{`"client_reference_id":"our-1"`, `"client_reference_id":"our-2"`, "our-2"},
		{`"client_reference_id":"our-1"`, `"client_reference_id":null`, "our-1"},
		{`"order_ref":"our-1"`, `"other":"x"`, ""},
	} {
		answer := strings.ReplaceAll(session, d.from, d.to)
		if d.want == "" {
			answer = strings.ReplaceAll(answer, `"our-1"`, `null`)
		}
		a, _ := asking(t, map[string]string{getSession: answer})
		if got, err := a.Fetch(t.Context(), "cs_test_1"); err != nil || got.OrderRef != d.want {
			t.Errorf("%s: %q, %v", d.to, got.OrderRef, err)
		}
	}
}
