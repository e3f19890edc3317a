package razorpay_test

import (
	"bytes"
	"cmp"
	"net/http"
	"testing"
	"time"

	"onceshop/payment"
	"onceshop/providers/providertest"
	"onceshop/providers/razorpay"
	"onceshop/providers/vectortest"
)

func TestConformance(t *testing.T) { providertest.Run(t, subject) }

func FuzzDelivery(f *testing.F) { providertest.Fuzz(f, subject) }

var subject = providertest.Subject{
	Name: razorpay.Name,
	New: func(s providertest.Setup) (providertest.Adapter, error) {
		c := razorpay.Config{Secrets: s.Secrets, HTTP: s.HTTP, KeyID: keyID, KeySecret: keySecret}
		if s.BaseURL != "" {
			c.BaseURL = s.BaseURL + "/v1"
		}
		return razorpay.New(c)
	},
	Sign: func(header http.Header, raw []byte, secret string, _ time.Time) (http.Header, []byte) {
		header.Set(razorpay.SignatureHeader, razorpay.Sign(secret, raw))
		return header, raw
	},
	CheckSecret: razorpay.CheckSecret,
	OtherSecret: otherSecret,
	WeakSecrets: []string{"rzp_test_0123456789abcdef", "rzp_live_0123456789abcdef"},
	Credentials: []string{keyID, keySecret},
	Headers:     []string{razorpay.SignatureHeader},
	// Names in notes are anybody's, and compared exactly.
	Reads: []string{
		"event", "account_id", "created_at", "payload", "payload.payment", "payload.payment.entity", "payload.payment.entity.id", "payload.payment.entity.amount",
		"payload.payment.entity.currency", "payload.payment.entity.status", "payload.payment.entity.captured", "payload.payment.entity.order_id",
		"payload.payment.entity.notes",
	},
	// The samples' key is the id in the header, or the body's where there is none.
	Key:  func(e payment.Event) string { return cmp.Or(e.Alias, e.ID) },
	Make: made,
	Harmless: []providertest.Change{
		{Name: "a replay under an invented id", Header: func(h http.Header) { h.Set(razorpay.EventIDHeader, "evt_invented") }},
		{Name: "a replay without id", Header: func(h http.Header) { h.Del(razorpay.EventIDHeader) }},
		{Name: "a replay with two ids", Header: func(h http.Header) { h.Add(razorpay.EventIDHeader, "evt_invented") }},
	},
	Harmful: []providertest.Change{
		{Name: "another amount", Body: providertest.Replace(`2500`, `2501`)},
		{Name: "another time", Body: providertest.Replace(`"created_at":1767225660`, `"created_at":1767225661`)},
		{Name: "a blank more", Body: providertest.Replace(`,`, `, `)},
	},
	Money: []providertest.Money{
		{Amount: "2500", Currency: "INR", Taken: true, Asks: `"amount":2500,`},
		{Amount: "100", Currency: "INR", Taken: true, Asks: `"amount":100,`},
		{Amount: "99", Currency: "INR"},
		{Amount: "1", Currency: "EUR", Taken: true, Asks: `"amount":1,`},
		{Amount: "5800", Currency: "JPY", Taken: true, Asks: `"amount":5800,`},
		{Amount: "2950", Currency: "KWD", Taken: true, Asks: `"amount":2950,`},
		{Amount: "2955", Currency: "KWD"},
		{Amount: "50000", Currency: "USDC"},
		{Amount: "2500", Currency: "inr"},
	},
	API: func(t testing.TB) http.Handler { return &fake{t: t} },
}

// made are bodies for rules that no sample is about.
func made(r vectortest.Rule) ([]byte, bool) {
	body := `{"entity":"event","account_id":"acc_test0000000001","event":"` + r.EventType + `","created_at":1767225660,"payload":{
		"payment":{"entity":{"id":"pay_test0000000001","amount":2500,"currency":"INR","status":"captured","captured":true,"notes":[]}},
		"dispute":{"entity":{"id":"disp_1","payment_id":"pay_test0000000001","amount":2500,"currency":"INR","amount_deducted":0,"status":"open","phase":"PHASE"}}}}`
	switch r.EventType {
	case "refund.speed_changed", "payment.dispute.under_review", "payment.dispute.action_required", "payment.dispute.closed":
		return bytes.ReplaceAll([]byte(body), []byte("PHASE"), []byte("chargeback")), true
	case "payment.dispute.created":
		return bytes.ReplaceAll([]byte(body), []byte("PHASE"), []byte("retrieval")), true
	}
	return nil, false
}
