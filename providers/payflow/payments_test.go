package payflow_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"onceshop/payment"
	"onceshop/providers/payflow"
)

const ours = "7d0c2a54-1c1b-4c8e-9a55-3b1d6f2e9001/2"

func creation() payment.Creation {
	return payment.Creation{
		IdempotencyKey: "create:1", OrderRef: ours, Amount: paise(4999), Currency: "INR", Description: "Pro 🚀 Édition",
		ReturnURL: "https://shop.example/return", CancelURL: "https://shop.example/cancel", ExpiresAt: now.Add(time.Hour),
	}
}

func quiet(t testing.TB, err error) {
	t.Helper()
	for _, hidden := range []string{"canary", "dancing", secret} {
		if strings.Contains(fmt.Sprint(err), hidden) {
			t.Errorf("the error says too much: %v", err)
		}
	}
}

func TestCreateAsksForAHostedPayment(t *testing.T) {
	t.Parallel()
	f := &fake{}
	got, err := f.adapter(t).Create(t.Context(), creation())
	if err != nil || got != (payment.Created{Ref: ours, URL: "https://pay.example/1"}) {
		t.Fatalf("%+v, %v", got, err)
	}
	want := `map[amount:4999 cancelUrl:https://shop.example/cancel currency:INR description:Pro 🚀 Édition expireBy:1767232805 orderId:` + ours + ` returnUrl:https://shop.example/return]`
	if asked := fmt.Sprint(map[string]any(f.bodies["create:1"])); asked != want {
		t.Errorf("asked %s", asked)
	}
}

func TestCreationsThatCannotBeRightAreNotSent(t *testing.T) {
	t.Parallel()
	f := &fake{}
	a := f.adapter(t)
	for name, change := range map[string]func(*payment.Creation){
		"no key":               func(c *payment.Creation) { c.IdempotencyKey = "" },
		"a newline in the key": func(c *payment.Creation) { c.IdempotencyKey = "a\r\nb" },
		"no reference":         func(c *payment.Creation) { c.OrderRef = "" },
		"a path":               func(c *payment.Creation) { c.OrderRef = ".." },
		"nothing to pay":       func(c *payment.Creation) { c.Amount = payment.Amount{} },
		"another currency":     func(c *payment.Creation) { c.Currency = "EUR" },
		"text that isn't UTF8": func(c *payment.Creation) { c.Description = "\xff" },
	} {
		c := creation()
		change(&c)
		if got, err := a.Create(t.Context(), c); !errors.Is(err, payment.ErrRefused) || got != (payment.Created{}) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	if len(f.asked) > 0 {
		t.Errorf("asked %q", f.asked)
	}
}

func TestAnAnswerForSomethingElseIsNotPassedOn(t *testing.T) {
	t.Parallel()
	for name, answered := range map[string]record{
		"another order": {"orderId": "other", "shortUrl": "https://pay.example/1"},
		"no order":      {"shortUrl": "https://pay.example/1"},
		"no page":       {"orderId": ours},
		"a script":      {"orderId": ours, "shortUrl": "javascript:canary"},
		"a number":      {"orderId": 7, "shortUrl": "https://pay.example/1"},
	} {
		f := &fake{before: func(w http.ResponseWriter, r *http.Request) bool { answer(w, answered); return true }}
		got, err := f.adapter(t).Create(t.Context(), creation())
		if !errors.Is(err, payment.ErrLater) || got != (payment.Created{}) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		quiet(t, err)
	}
}

func TestARequestUnderWayIsForLater(t *testing.T) {
	t.Parallel()
	f := &fake{payments: []record{paid(ours)}, before: func(w http.ResponseWriter, r *http.Request) bool { refuse(w, 409, "IN_PROGRESS"); return true }}
	a := f.adapter(t)
	_, create := a.Create(t.Context(), creation())
	for _, err := range []error{create, a.Refund(t.Context(), "k", ours, paise(1), "")} {
		if !errors.Is(err, payment.ErrLater) {
			t.Error(err)
		}
	}
}

func TestReferencesAreEscapedAndUnknownOnesNotFound(t *testing.T) {
	t.Parallel()
	f := &fake{payments: []record{paid("a/../b?c#d%2f")}}
	a := f.adapter(t)
	if s, err := a.Fetch(t.Context(), "a/../b?c#d%2f"); err != nil || s.Ref != "a/../b?c#d%2f" {
		t.Errorf("%+v, %v", s, err)
	}
	for _, ref := range []string{"", ".", "..", " x", strings.Repeat("x", 256), "other"} {
		if _, err := a.Fetch(t.Context(), ref); !errors.Is(err, payment.ErrNotFound) {
			t.Errorf("%q: %v", ref, err)
		}
		if err := a.Refund(t.Context(), "k", ref, paise(1), ""); !errors.Is(err, payment.ErrNotFound) {
			t.Errorf("%q: %v", ref, err)
		}
	}
}

func TestRefundCarriesItsKey(t *testing.T) {
	t.Parallel()
	f := &fake{payments: []record{paid(ours)}}
	a := f.adapter(t)
	for _, key := range []string{"refund:1", "refund:1", "refund:2"} {
		if err := a.Refund(t.Context(), key, ours, paise(1000), "asked for"); err != nil {
			t.Fatal(err)
		}
	}
	if s, err := a.Fetch(t.Context(), ours); err != nil || !s.Refunded.Equal(paise(2000)) || len(s.Refunds) != 2 {
		t.Errorf("%+v, %v", s, err)
	}
	for name, err := range map[string]error{
		"nothing": a.Refund(t.Context(), "k", ours, paise(0), ""), "less": a.Refund(t.Context(), "k", ours, paise(-1), ""), "no key": a.Refund(t.Context(), "", ours, paise(1), ""),
	} {
		if !errors.Is(err, payment.ErrRefused) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAnswersAboutOtherRefundsAreForLater(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer record
		kind   error
	}{
		"another amount": {record{"id": "r", "amount": 2, "status": "success"}, payment.ErrLater},
		"no id":          {record{"amount": 1, "status": "success"}, payment.ErrLater},
		"nothing":        {record{}, payment.ErrLater},
		"not a number":   {record{"id": "r", "amount": "1"}, payment.ErrLater},
		"failed":         {record{"id": "r", "amount": 1, "status": "failed"}, payment.ErrRefused},
		"pending":        {record{"id": "r", "amount": 1, "status": "pending"}, nil},
	} {
		f := &fake{before: func(w http.ResponseWriter, r *http.Request) bool { answer(w, c.answer); return true }}
		if err := f.adapter(t).Refund(t.Context(), "k", ours, paise(1), ""); !errors.Is(err, c.kind) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRefusalsHaveTheirKindAndCode(t *testing.T) {
	t.Parallel()
	for status, kind := range map[int]error{400: payment.ErrRefused, 401: payment.ErrUnauthorised, 403: payment.ErrUnauthorised, 404: payment.ErrNotFound, 302: payment.ErrLater} {
		f := &fake{before: func(w http.ResponseWriter, r *http.Request) bool { refuse(w, status, "AMOUNT_TOO_LARGE"); return true }}
		_, err := f.adapter(t).Fetch(t.Context(), ours)
		if !errors.Is(err, kind) || !strings.Contains(fmt.Sprint(err), "AMOUNT_TOO_LARGE") {
			t.Errorf("status %d: %v", status, err)
		}
		quiet(t, err)
	}
	if _, err := adapter(t, payflow.Config{}).Fetch(t.Context(), ours); !errors.Is(err, payment.ErrRefused) {
		t.Errorf("without an address: %v", err)
	}
}
