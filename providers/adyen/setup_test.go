package adyen_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"onceshop/payment"
	"onceshop/providers/adyen"
	"onceshop/providers/signing"
)

const (
	current  = "00112233445566778899AABBCCDDEEFF00112233445566778899AABBCCDDEEFF"
	previous = "d776a168284658554f2bd78f8100a1e0a3c00b757c944a920e13c0ffaf3af2ac"
	account  = "TestShopECOM"
	apiKey   = "AQE-canary-key"
	order    = "7d0c2a54-1c1b-4c8e-9a55-3b1d6f2e9001"
)

var now = time.Unix(1767229205, 0)

// config is a shop in the middle of a rotation that ends an hour later.
func config() adyen.Config {
	return adyen.Config{
		Secrets: []signing.Secret{
			{ID: "current", Key: current},
			{ID: "previous", Key: previous, ValidUntil: now.Add(time.Hour)},
		},
		MerchantAccounts: []string{account, "ShopMerchant"}, CaptureMode: adyen.Manual, APIKey: apiKey,
	}
}

func adapter(t testing.TB, c adyen.Config) *adyen.Adapter {
	t.Helper()
	a, err := adyen.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	return a
}

// receive is what the webhook's handler does with a delivery.
func receive(a *adyen.Adapter, h http.Header, body string, at time.Time) ([]payment.Event, error) {
	keyID, err := a.Verify(h, []byte(body), at)
	if err != nil {
		return nil, err
	}
	events, err := a.Parse(h, []byte(body))
	for i := range events {
		events[i].KeyID = keyID
	}
	return events, err
}

// fields are those of a successful authorisation.
func fields() adyen.Signed {
	return adyen.Signed{
		PSPReference: "PSP1", MerchantAccountCode: account, MerchantReference: order,
		Value: "2500", Currency: "EUR", EventCode: "AUTHORISATION", Success: "true",
	}
}

// item is a notification of s, signed; more are further members.
func item(secret string, s adyen.Signed, more string) string {
	quoted := func(text string) string {
		data, err := json.Marshal(text)
		if err != nil {
			panic(err)
		}
		return string(data)
	}
	original := ""
	if s.OriginalReference != "" {
		original = `"originalReference":` + quoted(s.OriginalReference) + `,`
	}
	return fmt.Sprintf(`{"NotificationRequestItem":{"additionalData":{"hmacSignature":%q},"amount":{"currency":%s,"value":%s},"eventCode":%s,%s`+
		`"merchantAccountCode":%s,"merchantReference":%s,"pspReference":%s,"success":%q%s}}`,
		adyen.Sign(secret, s), quoted(s.Currency), s.Value, quoted(s.EventCode), original,
		quoted(s.MerchantAccountCode), quoted(s.MerchantReference), quoted(s.PSPReference), s.Success, more)
}

func batch(items ...string) string {
	return `{"live":"false","notificationItems":[` + strings.Join(items, ",") + `]}`
}

// signed is a correct delivery of s.
func signed(s adyen.Signed) string { return batch(item(current, s, "")) }

// told is a stored event; PSP1 is the payment that a request for more names.
func told(code, psp string, success bool, minor int64) payment.Event {
	amount := payment.NewAmount(minor)
	e := payment.Event{
		Provider: adyen.Name, ID: fmt.Sprintf("%s|%s|%s|%t", account, psp, code, success), Type: code,
		PaymentRef: "PSP1", OrderRef: order, Amount: &amount, Currency: "EUR",
	}
	if code == "AUTHORISATION" || code == "OFFER_CLOSED" {
		e.PaymentRef = psp
	}
	return e
}

// of is the event of another of Adyen's payments.
func of(ref string, e payment.Event) payment.Event {
	e.PaymentRef = ref
	return e
}

// paidOnce is what a shop has stored of a payment under any reference.
func paidOnce(_ context.Context, ref string) ([]payment.Event, error) {
	events := []payment.Event{told("AUTHORISATION", "PSP1", true, 2500), told("CAPTURE", "CAP1", true, 2500)}
	for i := range events {
		events[i].OrderRef = ref
	}
	return events, nil
}
