package stripe_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"onceshop/payment"
	"onceshop/providers/signing"
	"onceshop/providers/stripe"
)

// What a webhook's handler does: verify the exact bytes, then parse them. The event
// names its payment intent; the record that Fetch returns is the session's.
func ExampleAdapter_Verify() {
	adapter, err := stripe.New(stripe.Config{Secrets: []signing.Secret{{ID: "2026-01", Key: "whsec_ourown_current_secret"}}})
	if err != nil {
		panic(err)
	}
	body := []byte(`{"id":"evt_1","object":"event","created":1767225600,"livemode":false,"type":"charge.refunded",` +
		`"data":{"object":{"id":"ch_1","object":"charge","payment_intent":"pi_1","amount":5000,"currency":"isk"}}}`)
	header := make(http.Header)
	header.Set(stripe.SignatureHeader, stripe.Sign("whsec_ourown_current_secret", 1767225600, body))

	now := time.Unix(1767225630, 0)
	keyID, err := adapter.Verify(header, body, now)
	if err != nil {
		panic(err)
	}
	events, err := adapter.Parse(header, body)
	if err != nil {
		panic(err)
	}
	fmt.Println(keyID, events[0].ID, events[0].Effect, events[0].PaymentRef, events[0].Amount, events[0].Currency)

	_, err = adapter.Verify(header, append(body, '\n'), now)
	fmt.Println(errors.Is(err, payment.ErrSignature))
	_, err = adapter.Verify(header, body, now.Add(5*time.Minute))
	fmt.Println(errors.Is(err, payment.ErrStale))
	// Output:
	// 2026-01 evt_1 refund pi_1 50 ISK
	// true
	// true
}

// A payment is the session that Create asked for, whichever id of Stripe's it is
// fetched by.
func ExampleAdapter_Fetch() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/v1/charges/ch_1":
			fmt.Fprint(w, `{"id":"ch_1","payment_intent":"pi_1"}`)
		case "/v1/checkout/sessions":
			fmt.Fprint(w, `{"has_more":false,"data":[{"id":"cs_1","object":"checkout.session","mode":"payment","status":"complete","payment_status":"paid",`+
				`"amount_total":2500,"currency":"eur","payment_intent":{"id":"pi_1","status":"succeeded","amount_received":2500,"currency":"eur"}}]}`)
		default: // its refunds and disputes
			fmt.Fprint(w, `{"has_more":false,"data":[]}`)
		}
	}))
	defer server.Close()
	adapter, err := stripe.New(stripe.Config{
		Secrets: []signing.Secret{{ID: "2026-01", Key: "whsec_ourown_current_secret"}},
		BaseURL: server.URL, APIKey: "sk_test_example",
	})
	if err != nil {
		panic(err)
	}
	defer adapter.Close()

	s, err := adapter.Fetch(context.Background(), "ch_1")
	fmt.Println(s.Ref, s.Status, s.Received, s.Currency, s.RefundStatus, err)
	_, err = adapter.Fetch(context.Background(), "evt_1")
	fmt.Println(errors.Is(err, payment.ErrNotFound))
	// Output:
	// cs_1 paid 2500 EUR none <nil>
	// true
}
