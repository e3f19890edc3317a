package adyen_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"onceshop/payment"
	"onceshop/providers/adyen"
	"onceshop/providers/providertest"
	"onceshop/providers/vectortest"
)

func TestConformance(t *testing.T) { providertest.Run(t, subject) }

func FuzzDelivery(f *testing.F) { providertest.Fuzz(f, subject) }

const in = "notificationItems.NotificationRequestItem"

// covered are the signed fields of the samples, and the signature.
var covered = []string{
	in + ".additionalData.hmacSignature", in + ".amount.value", in + ".amount.currency", in + ".eventCode", in + ".merchantAccountCode",
	in + ".merchantReference", in + ".pspReference", in + ".success",
}

var subject = providertest.Subject{
	Name: adyen.Name,
	New: func(s providertest.Setup) (providertest.Adapter, error) {
		c := adyen.Config{
			Secrets: s.Secrets, BaseURL: s.BaseURL, HTTP: s.HTTP, APIKey: apiKey, CaptureMode: adyen.Manual,
			MerchantAccounts: []string{account, "TestMerchant", "merchantAccount"}, Told: paidOnce,
		}
		if s.Rule != nil && strings.Contains(s.Rule.When, "automatic") {
			c.CaptureMode = adyen.Automatic
		}
		return adyen.New(c)
	},
	Sign: func(h http.Header, raw []byte, secret string, _ time.Time) (http.Header, []byte) {
		return h, resign(raw, secret)
	},
	CheckSecret: adyen.CheckSecret,
	OtherSecret: previous,
	WeakSecrets: []string{strings.Repeat("0", 64), strings.Repeat("Aa", 32), current[:30], current[:63], current + "g", "not-hexadecimal-at-all-but-quite-long"},
	Credentials: []string{apiKey},
	Signed:      func(raw []byte) []providertest.Span { return providertest.ValuesOf(raw, covered...) },
	// Of the two samples that pay, this one names its payment in pspReference, which
	// may not be empty.
	Paid: "authorised",
	Reads: append([]string{
		"notificationItems", in, in + ".additionalData", in + ".amount", in + ".eventDate",
	}, covered...),
	Make: func(rule vectortest.Rule) ([]byte, bool) {
		s := fields()
		s.EventCode, s.OriginalReference, s.PSPReference = rule.EventType, "PSP1", "MOD1"
		if strings.HasPrefix(rule.When, "not success") {
			s.Success = "false"
		}
		return []byte(signed(s)), true
	},
	// Which of its two CANCEL_OR_REFUND was isn't signed. A refund that was refused changes no
	// state, and ends the wait for it.
	Asks: func(eventType string, effect payment.Effect) bool {
		refused := effect == payment.EffectNone && (eventType == "REFUND" || eventType == "REFUND_WITH_DATA")
		return refused || eventType == "CANCEL_OR_REFUND"
	},
	Harmless: []providertest.Change{
		{Name: "a later date", Body: providertest.Replace("00:01:00+00:00", "00:01:15+00:00")},
		{Name: "a date that is none", Body: providertest.Replace("2026-01-01T00:01:00+00:00", "soon 🚀")},
		{Name: "another reason", Body: providertest.Replace(`"reason":""`, `"reason":"🚀"`)},
		{Name: "another mode", Body: providertest.Replace(`"live":"false"`, `"live":"true"`)},
		{Name: "another order of the members", Body: providertest.Replace(`"currency":"EUR","value":2500`, `"value":2500,"currency":"EUR"`)},
		{Name: "white space", Body: providertest.Replace(`,`, ` , `)},
	},
	Harmful: []providertest.Change{
		{Name: "another amount", Body: providertest.Replace("2500", "2501")},
		{Name: "another currency", Body: providertest.Replace(`"EUR"`, `"USD"`)},
		{Name: "another outcome", Body: providertest.Replace(`"success":"true"`, `"success":"false"`)},
		{Name: "another code", Body: providertest.Replace("AUTHORISATION", "CANCELLATION")},
		{Name: "another order", Body: providertest.Replace("ORD-1001", "ORD-1002")},
		{Name: "another account of ours", Body: providertest.Replace(account, "TestMerchant")},
		{Name: "another payment", Sample: "paid", Body: providertest.Replace("TESTPSP000000001", "TESTPSP000000002")},
	},
	Money: []providertest.Money{
		{Amount: "2500", Currency: "EUR", Taken: true, Asks: `"value":2500}`},
		{Amount: "5800", Currency: "JPY", Taken: true, Asks: `"value":5800}`},
		{Amount: "2950", Currency: "KWD", Taken: true, Asks: `"value":2950}`},
		{Amount: "500", Currency: "CLP", Taken: true, Asks: `"value":50000}`},
		{Amount: "500", Currency: "ISK", Taken: true, Asks: `"value":50000}`},
		{Amount: "50000", Currency: "CVE", Taken: true, Asks: `"value":500}`},
		{Amount: "50000", Currency: "IDR", Taken: true, Asks: `"value":500}`},
		{Amount: "50050", Currency: "IDR"},
		{Amount: "1", Currency: "CVE"},
		{Amount: "999999999999999999", Currency: "EUR", Taken: true},
		{Amount: "1000000000000000000", Currency: "EUR"},
		{Amount: "2500", Currency: "USDC"},
		{Amount: "2500", Currency: "eur"},
	},
	API:               func(testing.TB) http.Handler { return http.HandlerFunc(api) },
	IdempotencyHeader: "Idempotency-Key",
}

var signatureMember = regexp.MustCompile(`("hmacSignature":")[^"]*"`)

// resign puts the signature of each item into raw, which is left as it is otherwise.
func resign(raw []byte, secret string) []byte {
	var body struct {
		NotificationItems []struct {
			NotificationRequestItem struct {
				Amount struct {
					Currency string
					Value    json.Number
				}
				PspReference, OriginalReference, MerchantAccountCode, MerchantReference, EventCode, Success string
			}
		}
	}
	_ = json.Unmarshal(raw, &body) // what can't be read can't be signed
	n := 0
	return signatureMember.ReplaceAllFunc(raw, func([]byte) []byte {
		var s adyen.Signed
		if n < len(body.NotificationItems) {
			i := body.NotificationItems[n].NotificationRequestItem
			s = adyen.Signed{
				PSPReference: i.PspReference, OriginalReference: i.OriginalReference, MerchantAccountCode: i.MerchantAccountCode,
				MerchantReference: i.MerchantReference, Value: i.Amount.Value.String(), Currency: i.Amount.Currency,
				EventCode: i.EventCode, Success: i.Success,
			}
		}
		n++
		return []byte(`"hmacSignature":"` + adyen.Sign(secret, s) + `"`)
	})
}

// api makes the payment link that it is asked for.
func api(w http.ResponseWriter, r *http.Request) {
	var c struct {
		Amount          json.RawMessage `json:"amount"`
		MerchantAccount string          `json:"merchantAccount"`
		Reference       string          `json:"reference"`
	}
	if err := json.NewDecoder(r.Body).Decode(&c); err != nil || r.Method != http.MethodPost || r.URL.Path != "/paymentLinks" || r.Header.Get("X-API-Key") != apiKey {
		http.Error(w, `{"status":422,"errorCode":"14_030","message":"zanary"}`, http.StatusUnprocessableEntity)
		return
	}
	w.WriteHeader(http.StatusCreated)
	fmt.Fprintf(w, `{"id":"PL1","status":"active","amount":%s,"merchantAccount":%q,"reference":%q,"url":"https://test.adyen.link/PL1"}`, c.Amount, c.MerchantAccount, c.Reference)
}
