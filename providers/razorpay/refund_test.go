package razorpay_test

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"onceshop/payment"
)

func TestRefundGivesBackFromTheCapturedAttempt(t *testing.T) {
	t.Parallel()
	f := paid()
	a := f.adapter(t)
	for range 3 {
		if err := a.Refund(t.Context(), "refund:1", ours, paise(1000), "asked for"); err != nil {
			t.Fatal(err)
		}
	}
	if len(f.refunds) != 1 || f.refunds[0]["payment_id"] != "pay_2" || f.refunds[0]["amount"] != 1000 {
		t.Fatalf("%v", f.refunds)
	}
	notes := f.refunds[0]["notes"].(record)
	if key := notes["refund_key"].(string); notes["reason"] != "asked for" || len(key) != 43 || f.refundKeys[key] == "" || strings.Trim(key, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
		t.Errorf("%v %v", notes, f.refundKeys)
	}
	if err := a.Refund(t.Context(), "refund:2", ours, paise(1500), ""); err != nil || len(f.refunds) != 2 {
		t.Errorf("%v, %v", f.refunds, err)
	}
	for _, ref := range []string{ours, "pay_2"} {
		if err := a.Refund(t.Context(), "refund:3", ref, paise(100), ""); !errors.Is(err, payment.ErrRefused) {
			t.Errorf("beyond what is left of %s: %v", ref, err)
		}
	}
}

// The first request took all that was left, and its answer was lost.
func TestAKeyThatHasDoneItsWorkRefundsNothingMore(t *testing.T) {
	t.Parallel()
	f := paid()
	f.payments = append(f.payments, attempt("pay_3", "captured").with(record{"created_at": born + 60}))
	a := f.adapter(t)
	for range 2 {
		if err := a.Refund(t.Context(), "refund:1", ours, paise(2500), ""); err != nil {
			t.Fatal(err)
		}
	}
	if len(f.refunds) != 1 || f.refunds[0]["payment_id"] != "pay_2" {
		t.Errorf("%v", f.refunds)
	}
	// A page that was paid twice has another attempt to give back from.
	if err := a.Refund(t.Context(), "refund:2", ours, paise(2500), ""); err != nil || len(f.refunds) != 2 || f.refunds[1]["payment_id"] != "pay_3" {
		t.Errorf("%v, %v", f.refunds, err)
	}
	f.refunds[1]["status"] = "failed"
	if err := a.Refund(t.Context(), "refund:2", ours, paise(2500), ""); !errors.Is(err, payment.ErrRefused) || len(f.refunds) != 2 {
		t.Errorf("after it failed: %v, %v", f.refunds, err)
	}
	if err := a.Refund(t.Context(), "refund:3", ours, paise(2500), ""); err != nil || len(f.refunds) != 3 || f.refunds[2]["payment_id"] != "pay_3" {
		t.Errorf("again: %v, %v", f.refunds, err)
	}
}

func TestARefundUnderWayIsForLater(t *testing.T) {
	t.Parallel()
	f := paid()
	f.before = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPost {
			refuse(w, 409, "Another request with the same idempotency key is still in progress.")
		}
		return r.Method == http.MethodPost
	}
	if err := f.adapter(t).Refund(t.Context(), "refund:1", ours, paise(1000), ""); !errors.Is(err, payment.ErrLater) {
		t.Error(err)
	}
}

func TestRefundsThatCannotBeRightAreNotSent(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		key, ref string
		amount   int64
		change   func(*fake)
		kind     error
	}{
		"no key":            {"", ours, 1000, nil, payment.ErrRefused},
		"nothing":           {"k", ours, 0, nil, payment.ErrRefused},
		"less than a rupee": {"k", ours, 99, nil, payment.ErrRefused},
		"too much":          {"k", ours, 2501, nil, payment.ErrRefused},
		"an unknown page":   {"k", "other", 1000, nil, payment.ErrNotFound},
		"nothing captured":  {"k", ours, 1000, func(f *fake) { f.payments[1]["status"] = "authorized" }, payment.ErrRefused},
		"given back before it was captured": {"k", ours, 1000, func(f *fake) {
			f.payments[1]["status"], f.payments[1]["captured"] = "refunded", false
		}, payment.ErrRefused},
	} {
		f := paid()
		if c.change != nil {
			c.change(f)
		}
		if err := f.adapter(t).Refund(t.Context(), c.key, c.ref, paise(c.amount), ""); !errors.Is(err, c.kind) {
			t.Errorf("%s: %v", name, err)
		}
		if slices.ContainsFunc(f.asked, func(s string) bool { return strings.HasPrefix(s, "POST") }) {
			t.Errorf("%s: asked %q", name, f.asked)
		}
	}
}

func TestAnswersAboutOtherRefundsAreForLater(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer record
		kind   error
	}{
		"another payment": {refund("rfnd_1", "pay_9", 1000, "processed"), payment.ErrLater},
		"another amount":  {refund("rfnd_1", "pay_2", 1001, "processed"), payment.ErrLater},
		"nothing":         {record{}, payment.ErrLater},
		"failed":          {refund("rfnd_1", "pay_2", 1000, "failed"), payment.ErrRefused},
		"pending":         {refund("rfnd_1", "pay_2", 1000, "pending"), nil},
	} {
		f := paid()
		f.before = func(w http.ResponseWriter, r *http.Request) bool {
			if r.Method == http.MethodPost {
				answer(w, c.answer)
			}
			return r.Method == http.MethodPost
		}
		if err := f.adapter(t).Refund(t.Context(), "refund:1", ours, paise(1000), ""); !errors.Is(err, c.kind) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
