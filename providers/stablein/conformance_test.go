package stablein_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"onceshop/providers/providertest"
	"onceshop/providers/signing"
	"onceshop/providers/stablein"
	"onceshop/providers/vectortest"
)

func TestConformance(t *testing.T) { providertest.Run(t, subject) }

func FuzzDelivery(f *testing.F) { providertest.Fuzz(f, subject) }

var subject = providertest.Subject{
	Name: stablein.Name,
	New: func(s providertest.Setup) (providertest.Adapter, error) {
		return stablein.New(stablein.Config{Secrets: s.Secrets, BaseURL: s.BaseURL, HTTP: s.HTTP, APIKey: apiKey})
	},
	Sign: func(header http.Header, raw []byte, secret string, at time.Time) (http.Header, []byte) {
		h := headers(header.Get(stablein.EventIDHeader), at.Unix(), stablein.Sign(secret, at.Unix(), raw))
		return h, raw
	},
	CheckSecret: signing.CheckSecret,
	OtherSecret: previous,
	Credentials: []string{apiKey},
	Headers:     []string{stablein.EventIDHeader, stablein.TimestampHeader, stablein.SignatureHeader},
	SignedTime:  true,
	Reads: []string{
		"id", "type", "createdAt", "data", "data.orderId", "order", "order.id", "order.revision", "order.amount", "order.refundedAmount", "order.currency",
		"order.paymentStatus", "order.refundStatus",
	},
	// Events of the samples don't repeat our reference: their order is the payment's.
	OrderRef: func(vectortest.Event) string { return "" },
	Harmful: []providertest.Change{
		{Name: "another amount", Body: providertest.Replace(`"2500"`, `"2501"`)},
		{Name: "a blank more", Body: providertest.Replace(`,`, `, `)},
		{Name: "an unknown name", Body: providertest.Replace(`{`, `{"zz":1,`)},
	},
	Money: []providertest.Money{
		{Amount: "2500", Currency: "EUR", Taken: true, Asks: `"amount":"2500","cancelUrl"`},
		{Amount: "123456789012345678901234567890", Currency: "DAI", Taken: true, Asks: `"amount":"123456789012345678901234567890"`},
	},
	API:               func(testing.TB) http.Handler { return http.HandlerFunc(api) },
	IdempotencyHeader: "Idempotency-Key",
}

// api makes the payment that it is asked for.
func api(w http.ResponseWriter, r *http.Request) {
	var c struct {
		MerchantOrderID string `json:"merchantOrderId"`
		Amount          string `json:"amount"`
		Currency        string `json:"currency"`
	}
	if err := json.UnmarshalRead(r.Body, &c); err != nil || r.Method != http.MethodPost || r.URL.Path != "/v1/orders" {
		http.Error(w, `{"code":"BAD_REQUEST"}`, http.StatusBadRequest)
		return
	}
	fmt.Fprintf(w, `{"order":{"id":"pay-%s","merchantOrderId":%q,"revision":"0","paymentStatus":"pending","amount":%q,"currency":%q},"paymentUrl":"https://pay.example/%s"}`,
		strings.ToLower(c.Currency), c.MerchantOrderID, c.Amount, c.Currency, c.MerchantOrderID)
}
