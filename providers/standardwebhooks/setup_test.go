package standardwebhooks_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"onceshop/payment"
	"onceshop/providers/signing"
	"onceshop/providers/standardwebhooks"
)

const (
	clock  = 1767229200
	paidID = "msg_test0000000014"

	paidBody = `{"type":"payment.paid","timestamp":"2026-01-01T00:02:00Z","data":{"payment_ref":"pay_0001","order_ref":"ORD-1001","amount_minor":2500,"currency":"EUR"}}`
)

var now = time.Unix(clock, 0)

// rotating is an adapter in the middle of a rotation that ends an hour later.
func rotating(t testing.TB) *standardwebhooks.Adapter {
	t.Helper()
	return adapter(t, standardwebhooks.Config{Secrets: []signing.Secret{
		{ID: "current", Key: current},
		{ID: "previous", Key: previous, ValidUntil: now.Add(time.Hour)},
	}})
}

func adapter(t testing.TB, c standardwebhooks.Config) *standardwebhooks.Adapter {
	t.Helper()
	if c.Secrets == nil {
		c.Secrets = []signing.Secret{{ID: "current", Key: current}}
	}
	a, err := standardwebhooks.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	return a
}

// receive is what the webhook's handler does with a delivery.
func receive(a *standardwebhooks.Adapter, h http.Header, body string, at time.Time) (payment.Event, error) {
	keyID, err := a.Verify(h, []byte(body), at)
	if err != nil {
		return payment.Event{}, err
	}
	events, err := a.Parse(h, []byte(body))
	if err != nil {
		return payment.Event{}, err
	}
	events[0].KeyID = keyID
	return events[0], nil
}

// read is a correct delivery of body.
func read(t testing.TB, body string) (payment.Event, error) {
	t.Helper()
	return receive(rotating(t), signed(paidID, current, clock, body), body, now)
}

// serving is an adapter that asks a server of this test.
func serving(t testing.TB, h http.HandlerFunc) *standardwebhooks.Adapter {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return adapter(t, standardwebhooks.Config{BaseURL: server.URL, APIKey: apiKey, HTTP: server.Client()})
}
