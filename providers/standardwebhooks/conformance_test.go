package standardwebhooks_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"onceshop/providers/providertest"
	"onceshop/providers/standardwebhooks"
)

func TestConformance(t *testing.T) { providertest.Run(t, subject) }

func FuzzDelivery(f *testing.F) { providertest.Fuzz(f, subject) }

const (
	current  = "whsec_ZXhhbXBsZS1zaWduaW5nLWtleS1udW1iZXItb25lLTA="
	previous = "whsec_ZXhhbXBsZS1zaWduaW5nLWtleS1udW1iZXItdHdvLTA="
	apiKey   = "sk_test_canary-key"
)

var subject = providertest.Subject{
	Name:            standardwebhooks.Name,
	VectorsProvider: "standard-webhooks",
	New: func(s providertest.Setup) (providertest.Adapter, error) {
		return standardwebhooks.New(standardwebhooks.Config{Secrets: s.Secrets, BaseURL: s.BaseURL, HTTP: s.HTTP, APIKey: apiKey})
	},
	Sign: func(header http.Header, raw []byte, secret string, at time.Time) (http.Header, []byte) {
		return signed(header.Get(standardwebhooks.IDHeader), secret, at.Unix(), string(raw)), raw
	},
	CheckSecret: standardwebhooks.CheckSecret,
	OtherSecret: previous,
	WeakSecrets: []string{
		"v1,g/Pjdc+7ANS/HFrcTjRUUBrZHdXyDxwB8IwQuYOwRtE=", "whsec_v1,ZXhhbXBsZS1zaWduaW5nLWtleS1udW1iZXItb25lLTA=",
		strings.TrimRight(current, "="), current + "=", strings.Replace(current, "LTA=", "LTB=", 1), "whsec_" + current,
		"whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",                  // all zero
		"whsec_ZXhhbXBsZS1zaWduaW5nLWtleS1udW0=",                  // 23 bytes
		"whsec_" + strings.Repeat("ZXhhbXBsZS1z", 8) + "ZXhhbA==", // 65 bytes and more
		"whsk_ZXhhbXBsZS1zaWduaW5nLWtleS1udW1iZXItb25lLTA=", "a-secret-that-is-no-base64",
	},
	Credentials: []string{apiKey},
	Headers:     []string{standardwebhooks.IDHeader, standardwebhooks.TimestampHeader, standardwebhooks.SignatureHeader},
	SignedTime:  true,
	Reads:       []string{"type", "timestamp", "data", "data.payment_ref", "data.order_ref", "data.amount_minor", "data.currency"},
	Harmful: []providertest.Change{
		{Name: "another amount", Body: providertest.Replace(`2500`, `2501`)},
		{Name: "a blank more", Body: providertest.Replace(`,`, `, `)},
		{Name: "an unknown name", Body: providertest.Replace(`{`, `{"zz":1,`)},
	},
	Money: []providertest.Money{
		{Amount: "2500", Currency: "EUR", Taken: true, Asks: `"amount_minor":2500,`},
		{Amount: "5800", Currency: "JPY", Taken: true, Asks: `"amount_minor":5800,`},
		{Amount: "2951", Currency: "KWD", Taken: true, Asks: `"amount_minor":2951,`},
		{Amount: "9007199254740991", Currency: "USDC", Taken: true, Asks: `"amount_minor":9007199254740991,`},
		{Amount: "9007199254740992", Currency: "USDC"},
		{Amount: "2500", Currency: "eur"},
		{Amount: "2500", Currency: "XYZ"},
	},
	API:               func(testing.TB) http.Handler { return http.HandlerFunc(create) },
	IdempotencyHeader: "Idempotency-Key",
}

// signed are the headers of a correct delivery of body.
func signed(id, secret string, at int64, body string) http.Header {
	h := make(http.Header)
	h.Set(standardwebhooks.IDHeader, id)
	h.Set(standardwebhooks.TimestampHeader, strconv.FormatInt(at, 10))
	// Without a signature where none can be made.
	signature, err := standardwebhooks.Sign(secret, id, at, []byte(body))
	if err == nil {
		h.Set(standardwebhooks.SignatureHeader, signature)
	}
	return h
}

// create makes the payment that it is asked for.
func create(w http.ResponseWriter, r *http.Request) {
	var c struct {
		OrderRef string `json:"order_ref"`
		Amount   int64  `json:"amount_minor"`
		Currency string `json:"currency"`
	}
	if err := json.UnmarshalRead(r.Body, &c); err != nil || r.Method != http.MethodPost || r.URL.Path != "/payments" {
		http.Error(w, `{"code":"bad_request"}`, http.StatusBadRequest)
		return
	}
	fmt.Fprintf(w, `{"payment":{"payment_ref":"pay_0001","order_ref":%q,"status":"pending","amount_minor":%d,"currency":%q},"url":"https://pay.example/pay_0001"}`,
		c.OrderRef, c.Amount, c.Currency)
}
