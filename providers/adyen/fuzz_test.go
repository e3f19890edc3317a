package adyen_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"onceshop/payment"
	"onceshop/providers/adyen"
)

// mac is the signature under a key, made without a look at how the adapter does it.
func mac(key string, s adyen.Signed) string {
	h := hmac.New(sha256.New, []byte(key))
	h.Write([]byte(s.PSPReference + ":" + s.OriginalReference + ":" + s.MerchantAccountCode + ":" + s.MerchantReference + ":" +
		s.Value + ":" + s.Currency + ":" + s.EventCode + ":" + s.Success))
	return base64.StdEncoding.EncodeToString(h.Sum(nil))
}

// What is signed over any fields is either refused or read as just these fields.
func FuzzVerify(f *testing.F) {
	f.Add("PSP1", "", account, order, "EUR", "AUTHORISATION", "true", uint64(2500))
	f.Add("CAP1", "PSP1", account, "a:b", "EUR", "CAPTURE", "false", uint64(0))
	f.Add("P:O", "", account+":x", "🚀", "EUR:1", "REFUND|true", "TRUE", uint64(1<<63))
	a := adapter(f, config())
	key, _ := hex.DecodeString(current)
	f.Fuzz(func(t *testing.T, psp, original, merchant, reference, currency, code, success string, value uint64) {
		number, _ := json.Marshal(value)
		s := adyen.Signed{PSPReference: psp, OriginalReference: original, MerchantAccountCode: merchant, MerchantReference: reference,
			Value: string(number), Currency: currency, EventCode: code, Success: success}
		if !utf8.ValidString(psp + original + merchant + reference + currency + code + success) {
			return // JSON can't say it
		}
		fields := map[string]any{
			"additionalData": map[string]string{"hmacSignature": mac(string(key), s)}, "amount": map[string]any{"value": value, "currency": currency},
			"pspReference": psp, "originalReference": original, "merchantAccountCode": merchant, "merchantReference": reference,
			"eventCode": code, "success": success,
		}
		body, err := json.Marshal(map[string]any{"notificationItems": []any{map[string]any{"NotificationRequestItem": fields}}})
		if err != nil {
			t.Fatal(err)
		}
		events, err := receive(a, nil, string(body), now)
		if err != nil {
			if !errors.Is(err, payment.ErrSignature) {
				t.Errorf("an error of another kind: %v", err)
			}
			return
		}
		e := events[0]
		if merchant != account && merchant != "ShopMerchant" || success != "true" && success != "false" || strings.Contains(psp+original+currency+code, ":") {
			t.Errorf("let in: %+v", s)
		}
		if e.ID != merchant+"|"+psp+"|"+code+"|"+success || e.Type != code || e.OrderRef != "" && e.OrderRef != reference || e.Currency != currency ||
			original != "" && e.PaymentRef != original {
			t.Errorf("%+v is read as %+v", s, e)
		}
		if _, err := a.Fold(order, events); err != nil && !errors.Is(err, payment.ErrNotFound) && !errors.Is(err, payment.ErrLater) {
			t.Errorf("what was let in can't be folded: %v", err)
		}
	})
}

// What Parse accepts, another decoder reads in the same way.
func FuzzParse(f *testing.F) {
	f.Add([]byte(fixture))
	f.Add([]byte(signed(fields())))
	f.Add([]byte(`{"notificationItems":[{"NotificationRequestItem":{"pspReference":"P","merchantAccountCode":"M","eventCode":"X","success":"true"}}]}`))
	f.Add([]byte(`{"notificationItems":[null]}`))
	f.Add([]byte(`[[[[`))
	a := adapter(f, config())
	f.Fuzz(func(t *testing.T, body []byte) {
		events, err := a.Parse(nil, body)
		if err != nil {
			if !errors.Is(err, payment.ErrMalformed) {
				t.Errorf("an error of another kind: %v", err)
			}
			return
		}
		var other struct {
			NotificationItems []struct {
				NotificationRequestItem struct {
					PspReference, OriginalReference, MerchantAccountCode, EventCode, Success string
					Amount                                                                   struct {
						Value    json.Number
						Currency string
					}
				}
			}
		}
		if err := json.Unmarshal(body, &other); err != nil || !utf8.Valid(body) || len(other.NotificationItems) != len(events) {
			t.Fatalf("accepted what others refuse: %v", err)
		}
		for n, e := range events {
			i := other.NotificationItems[n].NotificationRequestItem
			if e.ID != i.MerchantAccountCode+"|"+i.PspReference+"|"+i.EventCode+"|"+i.Success || e.Currency != i.Amount.Currency ||
				i.OriginalReference != "" && e.PaymentRef != i.OriginalReference || e.Currency == "EUR" && e.Amount != nil && e.Amount.String() != i.Amount.Value.String() {
				t.Errorf("read %+v, others read %+v", e, i)
			}
		}
	})
}
