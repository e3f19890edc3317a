package adyen_test

import (
	"fmt"
	"net/http"
	"testing"

	"onceshop/sandbox/adyen"
	"onceshop/sandbox/sandboxtest"
	"onceshop/testdb"
)

const (
	key     = "AQE-key-of-the-stand-in"
	secret  = "00112233445566778899AABBCCDDEEFF00112233445566778899AABBCCDDEEFF"
	account = "TestShopECOM"
)

// bench is a sandbox with Adyen, and a shop that hears its notifications.
type bench struct {
	*sandboxtest.Bench
	shop *sandboxtest.Shop
}

func setup(t *testing.T, adjust ...func(*adyen.Config)) *bench {
	t.Helper()
	c := adyen.Config{APIKey: key, MerchantAccount: account, CaptureMode: adyen.Manual}
	for _, f := range adjust {
		f(&c)
	}
	d, err := adyen.New(c)
	if err != nil {
		t.Fatal(err)
	}
	b := sandboxtest.New(t, testdb.NewSandbox(t), d)
	return &bench{b, b.Listen(adyen.Name, secret)}
}

func automatic(c *adyen.Config) { c.CaptureMode = adyen.Automatic }

// call speaks to Adyen's API.
func (b *bench) call(method, path, idempotencyKey, body string) (int, object) {
	b.T.Helper()
	header := http.Header{"X-Api-Key": {key}, "Content-Type": {"application/json"}}
	if idempotencyKey != "" {
		header.Set("Idempotency-Key", idempotencyKey)
	}
	status, _, raw := b.Do(method, "/adyen"+path, header, body)
	return status, sandboxtest.Decode[object](b.T, raw)
}

func (b *bench) do(method, path, idempotencyKey, body string, want int) object {
	b.T.Helper()
	status, answer := b.call(method, path, idempotencyKey, body)
	if status != want {
		b.T.Fatalf("%s answered %d %v", path, status, answer)
	}
	return answer
}

// asked is a request for a link of 49.00 euros; more are members that replace its own.
func asked(more ...string) string {
	return sandboxtest.Request([]string{
		`"amount":{"currency":"EUR","value":4900}`, `"merchantAccount":"TestShopECOM"`, `"reference":"order-1"`,
		`"returnUrl":"https://shop.example/back"`, `"description":"A license"`,
	}, more...)
}

func in(currency, value string) string {
	return asked(fmt.Sprintf(`"amount":{"currency":%q,"value":%s}`, currency, value))
}

func refund(currency, value, more string) string {
	return fmt.Sprintf(`{"amount":{"currency":%q,"value":%s},"merchantAccount":"TestShopECOM"%s}`, currency, value, more)
}

// link makes one and returns its id.
func (b *bench) link() string {
	b.T.Helper()
	answer := b.do("POST", "/paymentLinks", "", asked(), http.StatusCreated)
	return answer.Text("id")
}

// paid makes a link, lets it be paid, and returns the payment's pspReference.
func (b *bench) paid() string {
	b.T.Helper()
	return b.Act(b.link(), "pay", "").Order.Payments[0].Ref
}

// heard are the items that arrived.
func (b *bench) heard() (items []object) {
	b.T.Helper()
	b.Deliver()
	for _, d := range b.shop.Take() {
		items = append(items, only(b.T, d.Body))
	}
	return items
}

// only is the one item of a notification.
func only(t testing.TB, raw []byte) object {
	t.Helper()
	n := sandboxtest.Decode[object](t, raw)
	items := n.List("notificationItems")
	if n.Text("live") != "false" || len(items) != 1 {
		t.Fatalf("not one item of the test platform: %s", raw)
	}
	return items[0].At("NotificationRequestItem")
}

type object = sandboxtest.Object
