package checkoutcom_test

import (
	"fmt"
	"net/http"
	"testing"

	"onceshop/sandbox/checkoutcom"
	"onceshop/sandbox/sandboxtest"
	"onceshop/testdb"
)

const (
	key    = "sk_sbox_of_the_stand_in"
	secret = "a-signature-key-of-the-shop"
)

// bench is a sandbox with Checkout.com, and a shop that hears its events.
type bench struct {
	*sandboxtest.Bench
	shop *sandboxtest.Shop
}

func setup(t *testing.T, adjust ...func(*checkoutcom.Config)) *bench {
	t.Helper()
	c := checkoutcom.Config{APIKey: key}
	for _, f := range adjust {
		f(&c)
	}
	d, err := checkoutcom.New(c)
	if err != nil {
		t.Fatal(err)
	}
	b := sandboxtest.New(t, testdb.NewSandbox(t), d)
	return &bench{b, b.Listen(checkoutcom.Name, secret)}
}

// call speaks to Checkout.com's API.
func (b *bench) call(method, path, idempotencyKey, body string) (int, []byte) {
	b.T.Helper()
	header := http.Header{"Authorization": {"Bearer " + key}, "Content-Type": {"application/json"}}
	if idempotencyKey != "" {
		header.Set("Cko-Idempotency-Key", idempotencyKey)
	}
	status, _, raw := b.Do(method, "/checkoutcom"+path, header, body)
	return status, raw
}

func (b *bench) get(path string) object {
	b.T.Helper()
	status, raw := b.call("GET", path, "", "")
	if status != http.StatusOK {
		b.T.Fatalf("%s answered %d %s", path, status, raw)
	}
	return sandboxtest.Decode[object](b.T, raw)
}

func (b *bench) actions(payment string) []object {
	b.T.Helper()
	status, raw := b.call("GET", "/payments/"+payment+"/actions", "", "")
	if status != http.StatusOK {
		b.T.Fatalf("actions: %d %s", status, raw)
	}
	return sandboxtest.Decode[[]object](b.T, raw)
}

func (b *bench) post(path, idempotencyKey, body string, want int) object {
	b.T.Helper()
	status, raw := b.call("POST", path, idempotencyKey, body)
	if status != want {
		b.T.Fatalf("%s answered %d %s", path, status, raw)
	}
	return sandboxtest.Decode[object](b.T, raw)
}

// asked is a request for a page of 49.00 euros; more are members that replace its own.
func asked(more ...string) string {
	return sandboxtest.Request([]string{
		`"amount":4900`, `"currency":"EUR"`, `"reference":"order-1"`, `"billing":{"address":{"country":"DE"}}`,
		`"success_url":"https://shop.example/back"`, `"cancel_url":"https://shop.example/cart"`, `"failure_url":"https://shop.example/again"`,
		`"capture":true`, `"metadata":{"order_ref":"order-1"}`, `"description":"A license"`,
	}, more...)
}

func in(currency, amount string) string {
	return asked(fmt.Sprintf(`"currency":%q`, currency), `"amount":`+amount)
}

// page makes one and returns its id.
func (b *bench) page() string {
	b.T.Helper()
	return b.post("/hosted-payments", "", asked(), http.StatusCreated).Text("id")
}

// paid makes a page, lets it be paid, and returns the payment's id.
func (b *bench) paid() string {
	b.T.Helper()
	return b.Act(b.page(), "pay", "").Order.Payments[0].Ref
}

// heard are the events that arrived.
func (b *bench) heard() []object { b.T.Helper(); return b.Heard(b.shop) }

type object = sandboxtest.Object
