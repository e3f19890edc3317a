package stablein_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"time"

	"onceshop/payment"
	"onceshop/providers/signing"
	"onceshop/providers/stablein"
)

// What a webhook's handler does: verify the exact bytes, then parse them. It
// stores the event and answers; what the payment's record says is fetched later.
func ExampleAdapter_Verify() {
	adapter, err := stablein.New(stablein.Config{Secrets: []signing.Secret{
		{ID: "2026-01", Key: "stablein-shop-secret-current"},
		{ID: "2025-07", Key: "stablein-shop-secret-previous", ValidUntil: time.Date(2026, 1, 8, 0, 0, 0, 0, time.UTC)},
	}})
	if err != nil {
		panic(err)
	}
	body := []byte(`{"id":"evt-1","type":"payment.paid","order":{"id":"pay-1","revision":"2"}}`)
	header := make(http.Header)
	header.Set(stablein.EventIDHeader, "evt-1")
	header.Set(stablein.TimestampHeader, "1767225600")
	header.Set(stablein.SignatureHeader, stablein.Sign("stablein-shop-secret-previous", 1767225600, body))

	now := time.Unix(1767225630, 0)
	keyID, err := adapter.Verify(header, body, now)
	if err != nil {
		panic(err)
	}
	events, err := adapter.Parse(header, body)
	if err != nil {
		panic(err)
	}
	fmt.Println(keyID, events[0].ID, events[0].Type, events[0].PaymentRef, events[0].Revision)

	_, err = adapter.Verify(header, append(body, '\n'), now)
	fmt.Println(errors.Is(err, payment.ErrSignature))
	_, err = adapter.Verify(header, body, now.Add(5*time.Minute))
	fmt.Println(errors.Is(err, payment.ErrStale))
	// Output:
	// 2025-07 evt-1 payment.paid pay-1 2
	// true
	// true
}

// Explain helps whoever asks why a delivery was refused.
func ExampleAdapter_Explain() {
	secrets := []signing.Secret{{ID: "2026-01", Key: "stablein-shop-secret-current"}}
	header := make(http.Header)
	header.Set(stablein.EventIDHeader, "evt-1")
	header.Set(stablein.TimestampHeader, "1767225600")
	header.Set(stablein.SignatureHeader, stablein.Sign(secrets[0].Key, 1767225600, []byte(`{"id":"evt-1"}`)))

	adapter, err := stablein.New(stablein.Config{Secrets: secrets})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(adapter.Explain(header, []byte("{\"id\":\"evt-1\"}\n"), time.Unix(1767225660, 0)))
	// Output:
	// refused: invalid signature: no valid secret made it over these bytes
	// the body has 15 bytes, SHA-256 43d5fd42f537ecf6a4c3a93acb687f8dd1ffcd6a369bada261bcf50b43cc9ae1
	// the timestamp is 60 s old at 2026-01-01T00:01:00Z
	// the signature would match without the last newline
}

// The record decides, not the event: fetch it, and look at the kind of an error
// to know whether asking again is worth it.
func ExampleAdapter_Fetch() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/orders/pay-1" {
			http.NotFound(w, r)
			return
		}
		fmt.Fprint(w, `{"id":"pay-1","merchantOrderId":"order-1","revision":"2","paymentStatus":"paid","amount":"50000","currency":"USDC"}`)
	}))
	defer server.Close()
	adapter, err := stablein.New(stablein.Config{
		Secrets: []signing.Secret{{ID: "2026-01", Key: "stablein-shop-secret-current"}},
		BaseURL: server.URL,
		APIKey:  "sk_test_example",
	})
	if err != nil {
		panic(err)
	}
	defer adapter.Close()

	s, err := adapter.Fetch(context.Background(), "pay-1")
	fmt.Println(s.Status, s.Received, s.Currency, s.RefundStatus, err)
	_, err = adapter.Fetch(context.Background(), "pay-2")
	fmt.Println(errors.Is(err, payment.ErrNotFound), errors.Is(err, payment.ErrLater))
	// Output:
	// paid 50000 USDC none <nil>
	// true false
}
