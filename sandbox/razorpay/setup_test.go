package razorpay_test

import (
	"net/http"
	"strconv"
	"testing"

	"github.com/go-json-experiment/json"

	"onceshop/sandbox/razorpay"
	"onceshop/sandbox/sandboxtest"
	"onceshop/testdb"
)

const (
	keyID     = "rzp_test_of_the_stand_in"
	keySecret = "secret-of-the-key-in-tests"
	secret    = "webhook-secret-of-the-shop"
	account   = "acc_OfTheseTests00"
)

// bench is a sandbox with Razorpay, and a shop that hears Razorpay's events.
type bench struct {
	*sandboxtest.Bench
	shop *sandboxtest.Shop
}

func setup(t *testing.T) *bench {
	t.Helper()
	d, err := razorpay.New(razorpay.Config{KeyID: keyID, KeySecret: keySecret, Account: account})
	if err != nil {
		t.Fatal(err)
	}
	b := sandboxtest.New(t, testdb.NewSandbox(t), d)
	return &bench{b, b.Listen(razorpay.Name, secret)}
}

// call speaks to Razorpay's API and decodes the answer. A key is for refunds.
func (b *bench) call(method, path, key string, body object) (int, object) {
	b.T.Helper()
	header := http.Header{"Authorization": {sandboxtest.Basic(keyID, keySecret)}}
	if key != "" {
		header.Set("X-Refund-Idempotency", key)
	}
	var raw []byte
	if body != nil {
		var err error
		if raw, err = json.Marshal(body); err != nil {
			b.T.Fatal(err)
		}
	}
	status, _, answer := b.Do(method, "/razorpay/v1"+path, header, string(raw))
	return status, sandboxtest.Decode[object](b.T, answer)
}

func (b *bench) get(path string) object { return b.must("GET", path, "", nil) }

func (b *bench) post(path, key string, body object) object { return b.must("POST", path, key, body) }

func (b *bench) must(method, path, key string, body object) object {
	b.T.Helper()
	status, answer := b.call(method, path, key, body)
	if status != http.StatusOK {
		b.T.Fatalf("%s answered %d %v", path, status, answer)
	}
	return answer
}

// refused makes a call that is refused, and returns the description.
func (b *bench) refused(want int, method, path, key string, body object) string {
	b.T.Helper()
	status, answer := b.call(method, path, key, body)
	e := answer.At("error")
	if status != want || e.Text("code") != "BAD_REQUEST_ERROR" || e.Text("description") == "" || e.At("metadata") == nil {
		b.T.Errorf("%s %s answered %d %v, want %d", method, path, status, answer, want)
	}
	return e.Text("description")
}

// asked is a request for a link of 49.00 rupees.
func asked(reference string) object {
	return object{
		"amount": 4900, "currency": "INR", "accept_partial": false, "reference_id": reference, "description": "A license",
		"notify": object{"sms": false, "email": false}, "reminder_enable": false, "notes": object{"order_ref": reference},
		"callback_url": "https://shop.example/back?order=1", "callback_method": "get",
	}
}

func in(currency string, amount any) object {
	return asked("in-" + currency).With(object{"currency": currency, "amount": amount})
}

// link makes one and returns its id.
func (b *bench) link(reference string) string {
	b.T.Helper()
	return b.post("/payment_links", "", asked(reference)).Text("id")
}

// event is a delivery, read.
type event struct {
	object
	header http.Header
}

// heard are the events that arrived.
func (b *bench) heard() (events []event) {
	b.T.Helper()
	b.Deliver()
	for _, d := range b.shop.Take() {
		events = append(events, event{sandboxtest.Decode[object](b.T, d.Body), d.Header})
	}
	return events
}

func (e event) entity(name string) object { return e.At("payload." + name + ".entity") }

type object = sandboxtest.Object

func ids(list []object) (ids []string) {
	for _, o := range list {
		ids = append(ids, o.Text("id"))
	}
	return ids
}

func seconds(n int64) string { return strconv.FormatInt(n, 10) }
