package stripe_test

import (
	"net/http"
	"net/url"
	"testing"

	"onceshop/sandbox/sandboxtest"
	"onceshop/sandbox/stripe"
	"onceshop/testdb"
)

const (
	key    = "sk_test_of_the_stand_in"
	secret = "whsec_of_the_shop_in_tests"
)

// bench is a sandbox with Stripe, and a shop that hears Stripe's events.
type bench struct {
	*sandboxtest.Bench
	shop *sandboxtest.Shop
}

func setup(t *testing.T) *bench {
	t.Helper()
	d, err := stripe.New(stripe.Config{APIKey: key})
	if err != nil {
		t.Fatal(err)
	}
	b := sandboxtest.New(t, testdb.NewSandbox(t), d)
	return &bench{b, b.Listen(stripe.Name, secret)}
}

// call speaks to Stripe's API and decodes the answer.
func (b *bench) call(method, path, idempotencyKey string, form url.Values) (int, object) {
	b.T.Helper()
	header := http.Header{"Authorization": {"Bearer " + key}}
	if idempotencyKey != "" {
		header.Set("Idempotency-Key", idempotencyKey)
	}
	body := ""
	if method == "POST" {
		header.Set("Content-Type", "application/x-www-form-urlencoded")
		body = form.Encode()
	}
	status, _, raw := b.Do(method, "/stripe"+path, header, body)
	return status, sandboxtest.Decode[object](b.T, raw)
}

func (b *bench) get(path string) object {
	b.T.Helper()
	status, answer := b.call("GET", path, "", nil)
	if status != http.StatusOK {
		b.T.Fatalf("%s answered %d %v", path, status, answer)
	}
	return answer
}

func (b *bench) post(path, idempotencyKey string, form url.Values) object {
	b.T.Helper()
	status, answer := b.call("POST", path, idempotencyKey, form)
	if status != http.StatusOK {
		b.T.Fatalf("%s answered %d %v", path, status, answer)
	}
	return answer
}

// asked is a request for a session of 49.00 euros.
func asked() url.Values {
	return url.Values{
		"mode":                {"payment"},
		"success_url":         {"https://shop.example/back?s={CHECKOUT_SESSION_ID}"},
		"cancel_url":          {"https://shop.example/cart"},
		"client_reference_id": {"order-1"},
		"metadata[order_ref]": {"order-1"},
		"payment_intent_data[metadata][order_ref]":      {"order-1"},
		"line_items[0][quantity]":                       {"1"},
		"line_items[0][price_data][currency]":           {"eur"},
		"line_items[0][price_data][unit_amount]":        {"4900"},
		"line_items[0][price_data][product_data][name]": {"A license"},
	}
}

func in(currency, amount string) url.Values {
	form := asked()
	form.Set("line_items[0][price_data][currency]", currency)
	form.Set("line_items[0][price_data][unit_amount]", amount)
	return form
}

// session creates one and returns its id.
func (b *bench) session() string {
	b.T.Helper()
	return b.post("/v1/checkout/sessions", "", asked()).Text("id")
}

// heard are the events that arrived.
func (b *bench) heard() []object { b.T.Helper(); return b.Heard(b.shop) }

type object = sandboxtest.Object
