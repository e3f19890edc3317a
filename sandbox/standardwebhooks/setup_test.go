package standardwebhooks_test

import (
	"net/http"
	"net/url"
	"testing"

	"onceshop/sandbox/sandboxtest"
	"onceshop/sandbox/standardwebhooks"
	"onceshop/testdb"
)

const (
	key    = "key-of-the-stand-in-in-tests"
	secret = "whsec_c2VjcmV0LW9mLXRoZS1zaG9wLWluLXRlc3Rz" // secret-of-the-shop-in-tests
)

// bench is a sandbox with the dialect, and a shop that hears its messages.
type bench struct {
	*sandboxtest.Bench
	shop *sandboxtest.Shop
}

func setup(t *testing.T) *bench {
	t.Helper()
	d, err := standardwebhooks.New(standardwebhooks.Config{APIKey: key})
	if err != nil {
		t.Fatal(err)
	}
	b := sandboxtest.New(t, testdb.NewSandbox(t), d)
	return &bench{b, b.Listen(standardwebhooks.Name, secret)}
}

// call speaks to the API and decodes the answer.
func (b *bench) call(method, path, idempotencyKey, body string) (int, object) {
	b.T.Helper()
	header := http.Header{"Authorization": {"Bearer " + key}}
	if idempotencyKey != "" {
		header.Set("Idempotency-Key", idempotencyKey)
	}
	status, _, raw := b.Do(method, "/standardwebhooks"+path, header, body)
	return status, sandboxtest.Decode[object](b.T, raw)
}

func (b *bench) get(path string) object {
	b.T.Helper()
	status, answer := b.call("GET", path, "", "")
	if status != http.StatusOK {
		b.T.Fatalf("%s answered %d %v", path, status, answer)
	}
	return answer
}

func (b *bench) post(path, idempotencyKey, body string) object {
	b.T.Helper()
	status, answer := b.call("POST", path, idempotencyKey, body)
	if status != http.StatusCreated {
		b.T.Fatalf("%s answered %d %v", path, status, answer)
	}
	return answer
}

func path(ref string) string { return "/payments/" + url.PathEscape(ref) }

// asked is a request for a payment of 49.00 euros.
func asked(orderRef string) string {
	return `{"order_ref":"` + orderRef + `","amount_minor":4900,"currency":"EUR","description":"A license",` +
		`"return_url":"https://shop.example/back","cancel_url":"https://shop.example/cart"}`
}

// create makes a payment under a key of its own.
func (b *bench) create(orderRef string) object {
	b.T.Helper()
	return b.post("/payments", "key of "+orderRef, asked(orderRef))
}

// heard are the messages that arrived.
func (b *bench) heard() []object { b.T.Helper(); return b.Heard(b.shop) }

type object = sandboxtest.Object

func orderRefs(list []object) (refs []string) {
	for _, o := range list {
		refs = append(refs, o.Text("order_ref"))
	}
	return refs
}
