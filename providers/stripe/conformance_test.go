package stripe_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"onceshop/providers/providertest"
	"onceshop/providers/stripe"
	"onceshop/providers/vectortest"
)

func TestConformance(t *testing.T) { providertest.Run(t, subject) }

func FuzzDelivery(f *testing.F) { providertest.Fuzz(f, subject) }

// sampleSecret is one byte shorter than a real one may be.
const sampleSecret = "whsec_test_secret_one"

var subject = providertest.Subject{
	Name: stripe.Name,
	New: func(s providertest.Setup) (providertest.Adapter, error) {
		return stripe.New(stripe.Config{Secrets: s.Secrets, BaseURL: s.BaseURL, HTTP: s.HTTP, APIKey: apiKey})
	},
	Sign: func(header http.Header, raw []byte, secret string, at time.Time) (http.Header, []byte) {
		header.Set(stripe.SignatureHeader, stripe.Sign(secret, at.Unix(), raw))
		return header, raw
	},
	CheckSecret:  stripe.CheckSecret,
	StrongSecret: sampleSecret + "_",
	OtherSecret:  previous,
	WeakSecrets:  []string{sampleSecret, "whsec_0123456789abcde", "0123456789abcdef0123456789abcdef"},
	Credentials:  []string{apiKey},
	Headers:      []string{stripe.SignatureHeader},
	SignedTime:   true,
	Paid:         "paid-session",
	// Names in metadata are anybody's, and compared exactly.
	Reads: []string{
		"id", "object", "type", "created", "livemode", "data", "data.object", "data.object.id", "data.object.object", "data.object.amount_total",
		"data.object.currency", "data.object.client_reference_id", "data.object.metadata", "data.object.payment_intent", "data.object.payment_status", "data.object.status",
	},
	Make: madeFor,
	Harmless: []providertest.Change{
		{Name: "another number of pending deliveries", Body: providertest.Replace(`"pending_webhooks": 1`, `"pending_webhooks": 3`)},
		{Name: "another version of the API", Body: providertest.Replace("2026-03-25", "2026-07-29")},
		{Name: "the request that caused it", Body: providertest.Replace(`"id": null`, `"id": "req_1"`)},
		{Name: "white space", Body: providertest.Replace(`,`, ` ,`)},
	},
	Harmful: []providertest.Change{
		{Name: "another amount", Body: providertest.Replace("2500", "2501")},
		{Name: "the same amount in other digits", Body: providertest.Replace(`"expires_at": 1767312000`, `"expires_at": 1.767312e9`)},
		{Name: "a number beyond 53 bits", Sample: "irrelevant", Body: providertest.Replace(`"metadata"`, `"n": 9007199254740993, "metadata"`)},
		{Name: "another type", Body: providertest.Replace("session.completed", "session.expired")},
		{Name: "another second", Body: providertest.Replace("1767225780", "1767225781")},
		{Name: "another unknown value", Body: providertest.Replace(`"mode": "payment"`, `"mode": "setup"`)},
		{Name: "what changed", Sample: "refund-full", Body: providertest.Replace(`"amount_refunded": 1000`, `"amount_refunded": 1001`)},
	},
	Money: []providertest.Money{
		{Amount: "2500", Currency: "EUR", Taken: true, Asks: "%5Bunit_amount%5D=2500&"},
		{Amount: "5800", Currency: "JPY", Taken: true, Asks: "%5Bunit_amount%5D=5800&"},
		{Amount: "500", Currency: "ISK", Taken: true, Asks: "%5Bunit_amount%5D=50000&"},
		{Amount: "2950", Currency: "KWD", Taken: true, Asks: "%5Bunit_amount%5D=2950&"},
		{Amount: "2955", Currency: "KWD"},
		{Amount: "250000", Currency: "MGA", Taken: true, Asks: "%5Bunit_amount%5D=2500&"},
		{Amount: "250001", Currency: "MGA"},
		{Amount: "50000", Currency: "UGX"},
		{Amount: "99999999", Currency: "USD", Taken: true, Asks: "%5Bunit_amount%5D=99999999&"},
		{Amount: "100000000", Currency: "USD"},
		{Amount: "1000000", Currency: "ISK"},
		{Amount: "2500", Currency: "eur"},
		{Amount: "2500", Currency: "IQD"},
		{Amount: "2500", Currency: "USDC"},
	},
	API:               func(testing.TB) http.Handler { return http.HandlerFunc(api) },
	IdempotencyHeader: "Idempotency-Key",
	Ref:               "cs_test_0001",
}

// api makes the session that it is asked for.
func api(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost || r.URL.Path != "/v1/checkout/sessions" || r.ParseForm() != nil {
		http.Error(w, `{"error":{"code":"url_invalid"}}`, http.StatusBadRequest)
		return
	}
	fmt.Fprintf(w, `{"id":"cs_test_%s","object":"checkout.session","amount_total":%s,"currency":%q,"client_reference_id":%q,"payment_status":"unpaid","status":"open","url":"https://pay.example/c/1"}`,
		r.Header.Get("Idempotency-Key"), r.Form.Get("line_items[0][price_data][unit_amount]"), r.Form.Get("line_items[0][price_data][currency]"), r.Form.Get("client_reference_id"))
}

// madeFor is an event for a rule that no sample is about.
func madeFor(rule vectortest.Rule) ([]byte, bool) {
	object, ok := map[string]string{
		"payment_intent.created":            `"object":"payment_intent","id":"pi_1","status":"requires_payment_method"`,
		"payment_intent.requires_action":    `"object":"payment_intent","id":"pi_1","status":"requires_action"`,
		"payment_intent.partially_funded":   `"object":"payment_intent","id":"pi_1","status":"requires_action"`,
		"payment_intent.canceled":           `"object":"payment_intent","id":"pi_1","status":"canceled","cancellation_reason":"requested_by_customer"`,
		"charge.succeeded":                  `"object":"charge","id":"ch_1","payment_intent":"pi_1","status":"succeeded"`,
		"charge.captured":                   `"object":"charge","id":"ch_1","payment_intent":"pi_1","amount":2500,"amount_captured":2500`,
		"charge.expired":                    `"object":"charge","id":"ch_1","payment_intent":"pi_1","captured":false`,
		"charge.failed":                     `"object":"charge","id":"ch_1","payment_intent":"pi_1","status":"failed"`,
		"refund.created":                    `"object":"refund","id":"re_1","payment_intent":"pi_1","status":"pending"`,
		"refund.updated":                    `"object":"refund","id":"re_1","payment_intent":"pi_1","status":"canceled"`,
		"charge.refund.updated":             `"object":"refund","id":"re_1","payment_intent":"pi_1","status":"failed"`,
		"charge.dispute.updated":            `"object":"dispute","id":"dp_1","payment_intent":"pi_1","status":"under_review"`,
		"charge.dispute.funds_withdrawn":    `"object":"dispute","id":"dp_1","payment_intent":"pi_1","status":"needs_response"`,
		"charge.dispute.funds_reinstated":   `"object":"dispute","id":"dp_1","payment_intent":"pi_1","status":"won"`,
		"radar.early_fraud_warning.created": `"object":"radar.early_fraud_warning","id":"issfr_1","charge":"ch_1"`,
	}[rule.EventType]
	switch rule.When {
	case "status is prevented":
		object = strings.Replace(object, "under_review", "prevented", 1)
	case "cancellation_reason is expired, automatic or abandoned":
		object = strings.Replace(object, "requested_by_customer", "abandoned", 1)
	}
	return eventOf(rule.EventType, object), ok
}

// eventOf is a test event about an object with these members.
func eventOf(kind, members string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"id":"evt_1","object":"event","created":1767225600,"data":{"object":{%s}},"livemode":false,"pending_webhooks":1,"type":%q}`, members, kind)
	return b.Bytes()
}
