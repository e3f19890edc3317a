package payflow_test

import (
	"net/http"
	"net/url"
	"testing"

	"onceshop/sandbox/payflow"
	"onceshop/sandbox/sandboxtest"
	"onceshop/testdb"
)

const (
	keyID     = "pf_test_of_the_stand_in"
	keySecret = "secret-of-the-key-in-tests"
	secret    = "webhook-secret-of-the-shop"
)

// bench is a sandbox with PayFlow, and a shop that hears PayFlow's events.
type bench struct {
	*sandboxtest.Bench
	shop *sandboxtest.Shop
}

func setup(t *testing.T) *bench {
	t.Helper()
	return setupIn(t, "INR")
}

func setupIn(t *testing.T, currency string) *bench {
	t.Helper()
	d, err := payflow.New(payflow.Config{KeyID: keyID, KeySecret: keySecret, Currency: currency})
	if err != nil {
		t.Fatal(err)
	}
	b := sandboxtest.New(t, testdb.NewSandbox(t), d)
	return &bench{b, b.Listen(payflow.Name, secret)}
}

// call speaks to PayFlow's API and decodes the answer.
func (b *bench) call(method, path, key, body string) (int, object) {
	b.T.Helper()
	header := http.Header{"Authorization": {sandboxtest.Basic(keyID, keySecret)}}
	if key != "" {
		header.Set("Idempotency-Key", key)
	}
	status, _, raw := b.Do(method, "/payflow"+path, header, body)
	return status, sandboxtest.Decode[object](b.T, raw)
}

func (b *bench) must(method, path, key, body string) object {
	b.T.Helper()
	status, answer := b.call(method, path, key, body)
	if status != http.StatusOK {
		b.T.Fatalf("%s answered %d %v", path, status, answer)
	}
	return answer
}

// get fetches a payment.
func (b *bench) get(orderID string) object {
	b.T.Helper()
	return b.must("GET", "/payments/"+url.PathEscape(orderID), "", "")
}

// asked is a request for a payment of 49.00 rupees.
func asked(orderID string) string {
	return `{"orderId":"` + orderID + `","amount":4900,"currency":"INR","description":"A license",` +
		`"returnUrl":"https://shop.example/back","cancelUrl":"https://shop.example/cart"}`
}

// create makes a payment under a key of its own.
func (b *bench) create(orderID string) object {
	b.T.Helper()
	return b.must("POST", "/payment_links", "key of "+orderID, asked(orderID))
}

// heard are the events that arrived.
func (b *bench) heard() []object { b.T.Helper(); return b.Heard(b.shop) }

type object = sandboxtest.Object

func orderIDs(list []object) (ids []string) {
	for _, o := range list {
		ids = append(ids, o.Text("orderId"))
	}
	return ids
}
