package payflow_test

import (
	"net/http"
	"regexp"
	"strconv"
	"testing"
	"time"

	"onceshop/payment"
	"onceshop/providers/payflow"
	"onceshop/providers/providertest"
	"onceshop/providers/signing"
)

func TestConformance(t *testing.T) { providertest.Run(t, subject) }

func FuzzDelivery(f *testing.F) { providertest.Fuzz(f, subject) }

// stamped is where a body has its time of sending.
var stamped = regexp.MustCompile(`"timestamp":[0-9]+`)

var subject = providertest.Subject{
	Name: payflow.Name,
	New: func(s providertest.Setup) (providertest.Adapter, error) {
		c := payflow.Config{Secrets: s.Secrets, HTTP: s.HTTP, KeyID: keyID, KeySecret: keySecret}
		if s.BaseURL != "" {
			c.BaseURL = s.BaseURL + "/v1"
		}
		return payflow.New(c)
	},
	Sign: func(header http.Header, raw []byte, secret string, at time.Time) (http.Header, []byte) {
		if found := stamped.FindAllIndex(raw, -1); len(found) == 1 {
			raw = stamped.ReplaceAll(raw, []byte(`"timestamp":`+strconv.FormatInt(at.Unix(), 10)))
		}
		header.Set(payflow.SignatureHeader, payflow.Sign(secret, raw))
		return header, raw
	},
	CheckSecret: signing.CheckSecret,
	OtherSecret: otherSecret,
	Credentials: []string{keyID, keySecret},
	Headers:     []string{payflow.SignatureHeader},
	SignedTime:  true,
	Reads:       []string{"eventId", "event", "orderId", "amount", "timestamp"},
	Harmless: []providertest.Change{
		{Name: "an unknown name", Body: providertest.Replace(`{`, `{"attempt":2,`)},
		{Name: "white space", Body: providertest.Replace(`,`, ` , `)},
	},
	Harmful: []providertest.Change{
		{Name: "another id", Body: providertest.Replace(`pf_evt_0004`, `pf_evt_0404`)},
		{Name: "another event", Body: providertest.Replace(`payment.success`, `payment.expired`)},
		{Name: "another order", Body: providertest.Replace(`ORD-1001`, `ORD-1002`)},
		{Name: "another amount", Body: providertest.Replace(`4999`, `4998`)},
		{Name: "no amount", Body: providertest.Replace(`"amount":4999,`, ``)},
		{Name: "another refund", Sample: "refund-full", Body: providertest.Replace(`"refundAmount":3000`, `"refundAmount":2999`)},
		{Name: "another total", Sample: "refund-full", Body: providertest.Replace(`"refundedTotal":4999`, `"refundedTotal":4998`)},
		{Name: "no total", Sample: "refund-full", Body: providertest.Replace(`,"refundedTotal":4999`, ``)},
	},
	Creation: payment.Creation{Currency: "INR"},
	Money: []providertest.Money{
		{Amount: "2500", Currency: "INR", Taken: true, Asks: `"amount":2500,`},
		{Amount: "123456789012345678901234567890", Currency: "INR", Taken: true, Asks: `"amount":123456789012345678901234567890,`},
		{Amount: "2500", Currency: "EUR"},
		{Amount: "2500", Currency: "inr"},
	},
	API:               func(t testing.TB) http.Handler { return &fake{t: t} },
	IdempotencyHeader: "Idempotency-Key",
}
