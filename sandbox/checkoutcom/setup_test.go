package checkoutcom_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

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
	return decode[object](b.T, raw)
}

func (b *bench) actions(payment string) []object {
	b.T.Helper()
	status, raw := b.call("GET", "/payments/"+payment+"/actions", "", "")
	if status != http.StatusOK {
		b.T.Fatalf("actions: %d %s", status, raw)
	}
	return decode[[]object](b.T, raw)
}

func (b *bench) post(path, idempotencyKey, body string, want int) object {
	b.T.Helper()
	status, raw := b.call("POST", path, idempotencyKey, body)
	if status != want {
		b.T.Fatalf("%s answered %d %s", path, status, raw)
	}
	return decode[object](b.T, raw)
}

// asked is a request for a page of 49.00 euros; more are members that replace its own.
func asked(more ...string) string {
	members := []string{
		`"amount":4900`, `"currency":"EUR"`, `"reference":"order-1"`, `"billing":{"address":{"country":"DE"}}`,
		`"success_url":"https://shop.example/back"`, `"cancel_url":"https://shop.example/cart"`, `"failure_url":"https://shop.example/again"`,
		`"capture":true`, `"metadata":{"order_ref":"order-1"}`, `"description":"A license"`,
	}
	for _, m := range more {
		name, value, _ := strings.Cut(m, ":")
		kept := members[:0:0]
		for _, old := range members {
			if !strings.HasPrefix(old, name+":") {
				kept = append(kept, old)
			}
		}
		if members = kept; value != "" {
			members = append(members, m)
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}

func in(currency, amount string) string {
	return asked(fmt.Sprintf(`"currency":%q`, currency), `"amount":`+amount)
}

// page makes one and returns its id.
func (b *bench) page() string {
	b.T.Helper()
	return b.post("/hosted-payments", "", asked(), http.StatusCreated).text("id")
}

// paid makes a page, lets it be paid, and returns the payment's id.
func (b *bench) paid() string {
	b.T.Helper()
	return b.Act(b.page(), "pay", "").Order.Payments[0].Ref
}

// heard are the events that arrived.
func (b *bench) heard() (events []object) {
	b.T.Helper()
	b.Deliver()
	for _, d := range b.shop.Take() {
		events = append(events, decode[object](b.T, d.Body))
	}
	return events
}

type object map[string]any

func decode[T any](t testing.TB, raw []byte) (v T) {
	t.Helper()
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%q: %v", raw, err)
	}
	return v
}

func (o object) at(path string) object {
	for name := range strings.SplitSeq(path, ".") {
		m, _ := o[name].(map[string]any)
		o = m
	}
	return o
}

func (o object) text(name string) string { s, _ := o[name].(string); return s }

func (o object) list(name string) (list []object) {
	items, _ := o[name].([]any)
	for _, item := range items {
		m, _ := item.(map[string]any)
		list = append(list, m)
	}
	return list
}

// expect compares members at once; numbers are float64.
func (o object) expect(t testing.TB, members object) {
	t.Helper()
	for name, want := range members {
		if got := o[name]; got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
}
