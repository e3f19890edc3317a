package stablein_test

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	"onceshop/payment"
	"onceshop/providers/signing"
	"onceshop/providers/stablein"
)

const (
	current  = "stablein-shop-secret-current"
	previous = "stablein-shop-secret-previous"
	clock    = 1767225600
)

var now = time.Unix(clock, 0)

// rotating is an adapter in the middle of a rotation that ends an hour later.
func rotating(t testing.TB) *stablein.Adapter {
	t.Helper()
	return adapter(t, stablein.Config{Secrets: []signing.Secret{
		{ID: "current", Key: current},
		{ID: "previous", Key: previous, ValidUntil: now.Add(time.Hour)},
	}})
}

func adapter(t testing.TB, c stablein.Config) *stablein.Adapter {
	t.Helper()
	a, err := stablein.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	return a
}

func headers(eventID string, timestamp int64, signature string) http.Header {
	h := make(http.Header)
	h.Set(stablein.EventIDHeader, eventID)
	h.Set(stablein.TimestampHeader, strconv.FormatInt(timestamp, 10))
	h.Set(stablein.SignatureHeader, signature)
	return h
}

// receive is what the webhook's handler does with a delivery.
func receive(a *stablein.Adapter, h http.Header, body string, at time.Time) (payment.Event, error) {
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

// signed is a correct delivery of body.
func signed(eventID, body string) http.Header {
	return headers(eventID, clock, stablein.Sign(current, clock, []byte(body)))
}
