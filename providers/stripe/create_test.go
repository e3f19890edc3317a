package stripe_test

import (
	"context"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"onceshop/payment"
	"onceshop/providers/stripe"
)

const postSession = "POST /v1/checkout/sessions"

func creation() payment.Creation {
	return payment.Creation{
		IdempotencyKey: "create:our-1:1", OrderRef: "our-1", Amount: payment.NewAmount(2500), Currency: "EUR",
		Description: "Pro 🚀 & more", ReturnURL: "https://shop.example/return?a=1&b={CHECKOUT_SESSION_ID}", CancelURL: "https://shop.example/cancel",
		ExpiresAt: now.Add(2 * time.Hour),
	}
}

func createdJSON(total, currency, reference, url string) string {
	return `{"id":"cs_test_1","object":"checkout.session","amount_total":` + total + `,"currency":"` + currency + `","client_reference_id":"` + reference +
		`","livemode":false,"payment_intent":null,"payment_status":"unpaid","status":"open","url":` + url + `}`
}

const pageJSON = `"https://pay.example/c/pay/cs_test_1#fid"`

func TestCreateAsksForASessionOfOneLine(t *testing.T) {
	t.Parallel()
	a, s := asking(t, map[string]string{postSession: createdJSON("2500", "eur", "our-1", pageJSON)})
	got, err := a.Create(t.Context(), creation())
	if err != nil || got != (payment.Created{Ref: "cs_test_1", URL: "https://pay.example/c/pay/cs_test_1#fid"}) {
		t.Errorf("%+v, %v", got, err)
	}
	if len(s.asked) != 1 || s.asked[0].method+" "+s.asked[0].target != postSession {
		t.Fatalf("asked %v", s.targets())
	}
	for name, want := range map[string]string{
		"Authorization": "Bearer " + apiKey, "Idempotency-Key": "create:our-1:1", "Stripe-Version": stripe.Version,
		"Content-Type": "application/x-www-form-urlencoded",
	} {
		if got := s.asked[0].header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	form, err := url.ParseQuery(s.asked[0].body)
	if err != nil {
		t.Fatal(err)
	}
	want := url.Values{
		"mode":                {"payment"},
		"client_reference_id": {"our-1"},
		"metadata[order_ref]": {"our-1"},
		"payment_intent_data[metadata][order_ref]":      {"our-1"},
		"line_items[0][quantity]":                       {"1"},
		"line_items[0][price_data][currency]":           {"eur"},
		"line_items[0][price_data][unit_amount]":        {"2500"},
		"line_items[0][price_data][product_data][name]": {"Pro 🚀 & more"},
		"success_url": {"https://shop.example/return?a=1&b={CHECKOUT_SESSION_ID}"},
		"cancel_url":  {"https://shop.example/cancel"},
		"expires_at":  {"1767232800"},
	}
	if d := cmp.Diff(want, form); d != "" {
		t.Error(d)
	}
}

func TestAPageEndsWhereStripeTakesIt(t *testing.T) {
	t.Parallel()
	for _, d := range []struct{ in, want time.Duration }{
		{31 * time.Minute, 31 * time.Minute},
		{2 * time.Hour, 2 * time.Hour},
		{24*time.Hour - time.Minute, 24*time.Hour - time.Minute},
		{30 * time.Minute, 60 * time.Minute},
		{30*time.Minute + 59*time.Second, 60*time.Minute + 59*time.Second},
		{time.Minute, 31 * time.Minute},
		{0, 60 * time.Minute},
		{-40 * time.Minute, 50 * time.Minute},
		{24 * time.Hour, 0},
		{48 * time.Hour, 0},
	} {
		a, s := asking(t, map[string]string{postSession: createdJSON("2500", "eur", "our-1", pageJSON)})
		c := creation()
		c.ExpiresAt = now.Add(d.in)
		if _, err := a.Create(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		form, _ := url.ParseQuery(s.asked[0].body)
		want := ""
		if d.want != 0 {
			want = strconv.FormatInt(now.Add(d.want).Unix(), 10)
		}
		if form.Get("expires_at") != want {
			t.Errorf("in %v: %s, want %s", d.in, form.Get("expires_at"), want)
		}
	}
}

func TestARepetitionMinutesLaterAsksForTheSame(t *testing.T) {
	t.Parallel()
	var forms []string
	for _, later := range []time.Duration{0, time.Second, 5 * time.Minute, 28 * time.Minute} {
		s := &standIn{answers: map[string]string{postSession: createdJSON("2500", "eur", "our-1", pageJSON)}}
		a := adapter(t, stripe.Config{APIKey: apiKey, HTTP: clientOf(s), Now: func() time.Time { return now.Add(later) }})
		c := creation()
		c.ExpiresAt = now.Add(30 * time.Minute)
		if _, err := a.Create(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		forms = append(forms, s.asked[0].body)
		if forms[0] != s.asked[0].body {
			t.Errorf("%v later: %s, first %s", later, s.asked[0].body, forms[0])
		}
	}
}

func TestCreateForSomethingElseIsNotPassedOn(t *testing.T) {
	t.Parallel()
	right := createdJSON("2500", "eur", "our-1", pageJSON)
	for _, answer := range []string{
		createdJSON("2501", "eur", "our-1", pageJSON), createdJSON("null", "eur", "our-1", pageJSON), createdJSON("2500", "usd", "our-1", pageJSON),
		createdJSON("2500", "eur", "our-2", pageJSON), createdJSON("2500", "eur", "our-1", `null`), createdJSON("2500", "eur", "our-1", `"javascript:canary"`),
		createdJSON("2500", "eur", "our-1", `"/canary"`), strings.Replace(right, `"cs_test_1"`, `"pi_1"`, 1), strings.Replace(right, `"id":"cs_test_1",`, ``, 1),
		strings.Replace(right, `false`, `true`, 1), strings.Replace(right, `"amount_total"`, `"Amount_total"`, 1), strings.Replace(right, `2500`, `"2500"`, 1),
	} {
		a, _ := asking(t, map[string]string{postSession: answer})
		got, err := a.Create(t.Context(), creation())
		if !errors.Is(err, payment.ErrLater) || got != (payment.Created{}) {
			t.Errorf("%s: %+v, %v", answer, got, err)
		}
		checkQuiet(t, err)
	}
}

func TestRequestsThatCannotBeRightAreNotSent(t *testing.T) {
	t.Parallel()
	a, s := asking(t, paid())
	for name, change := range map[string]func(*payment.Creation){
		"no key":          func(c *payment.Creation) { c.IdempotencyKey = "" },
		"a long key":      func(c *payment.Creation) { c.IdempotencyKey = strings.Repeat("k", 256) },
		"a broken key":    func(c *payment.Creation) { c.IdempotencyKey = "k\r\nX: y" },
		"not UTF-8":       func(c *payment.Creation) { c.Description = "\xff" },
		"no reference":    func(c *payment.Creation) { c.OrderRef = "" },
		"no money":        func(c *payment.Creation) { c.Amount = payment.Amount{} },
		"the last fils":   func(c *payment.Creation) { c.Amount, c.Currency = payment.NewAmount(2951), "KWD" },
		"nine digits":     func(c *payment.Creation) { c.Amount = payment.NewAmount(100_000_000) },
		"not a currency":  func(c *payment.Creation) { c.Currency = "USDC" },
		"uncertain units": func(c *payment.Creation) { c.Currency = "UGX" },
	} {
		c := creation()
		change(&c)
		if _, err := a.Create(t.Context(), c); !errors.Is(err, payment.ErrRefused) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(s.asked) != 0 {
		t.Errorf("asked %v", s.targets())
	}
	keyless := adapter(t, stripe.Config{HTTP: clientOf(s)})
	for name, ask := range calls(keyless) {
		if err := ask(t.Context()); !errors.Is(err, payment.ErrRefused) || !strings.Contains(err.Error(), "no API key") {
			t.Errorf("%s without a key: %v", name, err)
		}
	}
}

func TestALineWithoutDescriptionIsNamedAfterTheOrder(t *testing.T) {
	t.Parallel()
	a, s := asking(t, map[string]string{postSession: createdJSON("2500", "eur", "our-1", pageJSON)})
	c := creation()
	c.Description = ""
	if _, err := a.Create(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	form, _ := url.ParseQuery(s.asked[0].body)
	if name := form.Get("line_items[0][price_data][product_data][name]"); name != "our-1" {
		t.Error(name)
	}
}

// calls are all methods that ask the API, each in a form that could succeed.
func calls(a *stripe.Adapter) map[string]func(context.Context) error {
	return map[string]func(context.Context) error{
		"create":          func(ctx context.Context) error { _, err := a.Create(ctx, creation()); return err },
		"fetch a session": func(ctx context.Context) error { _, err := a.Fetch(ctx, "cs_test_1"); return err },
		"fetch an intent": func(ctx context.Context) error { _, err := a.Fetch(ctx, "pi_1"); return err },
		"fetch a charge":  func(ctx context.Context) error { _, err := a.Fetch(ctx, "ch_1"); return err },
		"fetch a refund":  func(ctx context.Context) error { _, err := a.Fetch(ctx, "re_1"); return err },
		"fetch a dispute": func(ctx context.Context) error { _, err := a.Fetch(ctx, "dp_1"); return err },
		"list":            func(ctx context.Context) error { _, _, err := a.List(ctx, now, "", 10); return err },
		"refund": func(ctx context.Context) error {
			return a.Refund(ctx, "refund:our-1:1", "cs_test_1", payment.NewAmount(1), "asked for")
		},
	}
}
