package checkoutcom_test

import (
	"net/http"
	"testing"
	"time"

	"onceshop/providers/checkoutcom"
	"onceshop/providers/providertest"
	"onceshop/providers/signing"
	"onceshop/providers/vectortest"
)

func TestConformance(t *testing.T) { providertest.Run(t, subject) }

func FuzzDelivery(f *testing.F) { providertest.Fuzz(f, subject) }

var subject = providertest.Subject{
	Name:            checkoutcom.Name,
	VectorsProvider: "checkout",
	New: func(s providertest.Setup) (providertest.Adapter, error) {
		c := config()
		c.Secrets, c.BaseURL, c.HTTP = s.Secrets, s.BaseURL, s.HTTP
		return checkoutcom.New(c)
	},
	Sign: func(header http.Header, raw []byte, secret string, _ time.Time) (http.Header, []byte) {
		header.Set(checkoutcom.SignatureHeader, checkoutcom.Sign(secret, raw))
		return header, raw
	},
	CheckSecret: signing.CheckSecret,
	OtherSecret: previous,
	Credentials: []string{apiKey},
	Headers:     []string{checkoutcom.SignatureHeader},
	AnyCaseHex:  true,
	Reads: []string{
		"id", "type", "created_on", "data", "data.id", "data.reference", "data.amount", "data.currency",
		"data.balances", "data.balances.total_authorized", "data.balances.total_captured", "data.balances.total_refunded",
	},
	// The mapping's conditions are on balances that samples have; the other types
	// differ in their names only.
	Make: func(rule vectortest.Rule) ([]byte, bool) {
		if rule.When != "" {
			return nil, false
		}
		return []byte(`{"id":"evt_made","type":"` + rule.EventType + `","data":{"id":"pay_made","payment_id":"pay_made"}}`), true
	},
	Harmless: []providertest.Change{
		{Name: "white space", Body: providertest.Replace(`,"amount"`, ` , "amount"`)},
		{Name: "other links", Body: providertest.Replace(`/workflows/`, `/flow/`)},
		{Name: "another time", Body: providertest.Replace(`"created_on":"2026`, `"created_on":"2027`)},
	},
	Harmful: []providertest.Change{
		{Name: "another amount", Body: providertest.Replace(`"amount":2500`, `"amount":2501`)},
		{Name: "an amount of another form", Body: providertest.Replace(`"amount":2500`, `"amount":2500.0`)},
		{Name: "another type", Body: providertest.Replace(`payment_captured`, `payment_approved`)},
		{Name: "another payment", Body: providertest.Replace(`"data":{"id":"pay_test`, `"data":{"id":"pay_tset`)},
		{Name: "an unknown name in the data", Body: providertest.Replace(`"data":{`, `"data":{"zz":1,`)},
		{Name: "another event", Body: providertest.Replace(`{"id":"evt_test`, `{"id":"evt_tset`)},
	},
	Money: []providertest.Money{
		{Amount: "2500", Currency: "EUR", Taken: true, Asks: `"amount":2500,`},
		{Amount: "1", Currency: "USD", Taken: true, Asks: `"amount":1,`},
		{Amount: "5800", Currency: "JPY", Taken: true, Asks: `"amount":5800,`},
		{Amount: "500", Currency: "ISK", Taken: true, Asks: `"amount":500,`},
		{Amount: "2950", Currency: "KWD", Taken: true, Asks: `"amount":2950,`},
		{Amount: "2951", Currency: "KWD"},
		{Amount: "999999999", Currency: "EUR", Taken: true, Asks: `"amount":999999999,`},
		{Amount: "1000000000", Currency: "EUR"},
		{Amount: "500", Currency: "CLP"},
		{Amount: "500", Currency: "CLF"},
		{Amount: "2500", Currency: "eur"},
		{Amount: "2500000", Currency: "USDC"},
	},
	API: func(testing.TB) http.Handler { return &platform{} },
}
