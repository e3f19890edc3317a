package razorpay_test

import (
	"net/http"
	"testing"
	"time"

	"onceshop/payment"
	"onceshop/providers/razorpay"
	"onceshop/providers/signing"
)

const (
	secret      = "test-razorpay-webhook-secret"
	otherSecret = "razorpay-previous-secret"
)

var now = time.Unix(1767229205, 0)

func adapter(t testing.TB, c razorpay.Config) *razorpay.Adapter {
	t.Helper()
	a, err := razorpay.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	return a
}

// verifying is an adapter that isn't asked for anything.
func verifying(t testing.TB, accounts ...string) *razorpay.Adapter {
	t.Helper()
	return adapter(t, razorpay.Config{Secrets: []signing.Secret{{ID: "current", Key: secret}}, Accounts: accounts})
}

// signed is a correct delivery of body; an empty id leaves its header out.
func signed(eventID, body string) http.Header {
	h := make(http.Header)
	h.Set(razorpay.SignatureHeader, razorpay.Sign(secret, []byte(body)))
	if eventID != "" {
		h.Set(razorpay.EventIDHeader, eventID)
	}
	return h
}

// receive is what the webhook's route does with a delivery.
func receive(a *razorpay.Adapter, h http.Header, body string) (payment.Event, error) {
	if _, err := a.Verify(h, []byte(body), now); err != nil {
		return payment.Event{}, err
	}
	events, err := a.Parse(h, []byte(body))
	if err != nil {
		return payment.Event{}, err
	}
	return events[0], nil
}

// read is a correct delivery that has to be read.
func read(t testing.TB, body string) payment.Event {
	t.Helper()
	e, err := receive(verifying(t), signed("evt_1", body), body)
	if err != nil {
		t.Fatal(err)
	}
	return e
}
