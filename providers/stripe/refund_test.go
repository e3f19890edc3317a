package stripe_test

import (
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"onceshop/payment"
)

const postRefund = "POST /v1/refunds"

func TestARefundIsOfTheSessionsIntent(t *testing.T) {
	t.Parallel()
	for reason, want := range map[string]url.Values{
		"":                         {},
		"requested_by_customer":    {"reason": {"requested_by_customer"}},
		"asked for, sorry 🚀":       {"metadata[reason]": {"asked for, sorry 🚀"}},
		strings.Repeat("ü", 1_000): {"metadata[reason]": {strings.Repeat("ü", 248) + "…"}},
	} {
		for _, ref := range []string{"cs_test_1", "pi_1"} {
			a, s := asking(t, with(paid(), postRefund, refundJSON("re_1", "1000", "pending")))
			if err := a.Refund(t.Context(), "refund:our-1:1", ref, payment.NewAmount(1000), reason); err != nil {
				t.Fatal(err)
			}
			if asked := s.targets(); len(asked) != 3 || asked[1] != getRefunds || asked[2] != postRefund || !slices.Contains([]string{getSession, getByIntent}, asked[0]) {
				t.Errorf("asked %v", asked)
			}
			if key := s.asked[2].header.Get("Idempotency-Key"); key != "refund:our-1:1" {
				t.Errorf("key %q", key)
			}
			form, err := url.ParseQuery(s.asked[2].body)
			if err != nil {
				t.Fatal(err)
			}
			all := url.Values{"payment_intent": {"pi_1"}, "amount": {"1000"}, "metadata[order_ref]": {"our-1"}, "metadata[refund_key]": {"refund:our-1:1"}}
			for name, value := range want {
				all[name] = value
			}
			if d := cmp.Diff(all, form); d != "" {
				t.Error(d)
			}
		}
	}
}

func TestRefundsAreInTheirUnits(t *testing.T) {
	t.Parallel()
	krona := strings.NewReplacer(`"eur"`, `"isk"`, `2500`, `250000`)
	a, s := asking(t, with(paid(), getSession, krona.Replace(paidSession("0", false)), postRefund, krona.Replace(refundJSON("re_1", "100000", "pending"))))
	if err := a.Refund(t.Context(), "k", "cs_test_1", payment.NewAmount(1000), ""); err != nil || !strings.Contains(s.asked[2].body, "amount=100000&") {
		t.Errorf("%v, %v", err, s.asked)
	}
	dinar := strings.NewReplacer(`"eur"`, `"kwd"`)
	a, s = asking(t, with(paid(), getSession, dinar.Replace(paidSession("0", false))))
	if err := a.Refund(t.Context(), "k", "cs_test_1", payment.NewAmount(1001), ""); !errors.Is(err, payment.ErrRefused) || len(s.asked) != 1 {
		t.Errorf("%v, %v", err, s.targets())
	}
}

func TestRefundsThatCannotBeRightAreNotSent(t *testing.T) {
	t.Parallel()
	for name, d := range map[string]struct {
		session, key, reason string
		amount               int64
	}{
		"nothing":          {paidSession("0", false), "k", "", 0},
		"less":             {paidSession("0", false), "k", "", -1},
		"no key":           {paidSession("0", false), "", "", 1},
		"not UTF-8":        {paidSession("0", false), "k", "\xff", 1},
		"no intent":        {sessionJSON("open", "unpaid", `null`), "k", "", 1},
		"nothing received": {sessionJSON("complete", "unpaid", intentJSON("processing", "0", `null`)), "k", "", 1},
	} {
		a, s := asking(t, with(paid(), getSession, d.session, postRefund, refundJSON("re_1", "1", "pending")))
		err := a.Refund(t.Context(), d.key, "cs_test_1", payment.NewAmount(d.amount), d.reason)
		if !errors.Is(err, payment.ErrRefused) || slices.Contains(s.targets(), postRefund) {
			t.Errorf("%s: %v, asked %v", name, err, s.targets())
		}
	}
}

func TestARefundOfSomethingElseIsNotBelieved(t *testing.T) {
	t.Parallel()
	right := refundJSON("re_1", "1000", "pending")
	for _, d := range []struct {
		answer string
		kind   error
	}{
		{refundJSON("re_1", "1001", "pending"), payment.ErrLater},
		{strings.Replace(right, `"eur"`, `"usd"`, 1), payment.ErrLater},
		{strings.Replace(right, `"pi_1"`, `"pi_2"`, 1), payment.ErrLater},
		{strings.Replace(right, `"id":"re_1",`, ``, 1), payment.ErrLater},
		{`{}`, payment.ErrLater},
		{refundJSON("re_1", "1000", "failed"), payment.ErrRefused},
		{refundJSON("re_1", "1000", "canceled"), payment.ErrRefused},
	} {
		a, _ := asking(t, with(paid(), postRefund, d.answer))
		if err := a.Refund(t.Context(), "k", "cs_test_1", payment.NewAmount(1000), ""); !errors.Is(err, d.kind) {
			t.Errorf("%s: %v", d.answer, err)
		}
	}
}

func TestAKeyThatStripeHasForgottenIsFoundInTheRefundItself(t *testing.T) {
	t.Parallel()
	under := func(key, status string) string {
		return strings.Replace(refundJSON("re_1", "1000", status), `"metadata":{}`, `"metadata":{"refund_key":"`+key+`","reason":7}`, 1)
	}
	for name, d := range map[string]struct {
		refund string
		asked  bool
		kind   error
	}{
		"ours":             {under("refund-1", "succeeded"), false, nil},
		"ours, on its way": {under("refund-1", "pending"), false, nil},
		"ours, and failed": {under("refund-1", "failed"), false, payment.ErrRefused},
		"another key's":    {under("refund-2", "succeeded"), true, nil},
		"nobody's":         {refundJSON("re_1", "1000", "succeeded"), true, nil},
		"can't be read":    {`7`, false, payment.ErrLater},
	} {
		a, s := asking(t, with(paid(), getRefunds, listOf(d.refund), postRefund, refundJSON("re_2", "1000", "pending")))
		err := a.Refund(t.Context(), "refund-1", "cs_test_1", payment.NewAmount(1000), "asked for")
		if !errors.Is(err, d.kind) || slices.Contains(s.targets(), postRefund) != d.asked {
			t.Errorf("%s: %v, asked %v", name, err, s.targets())
		}
	}
}
