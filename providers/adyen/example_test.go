package adyen_test

import (
	"errors"
	"fmt"
	"time"

	"onceshop/payment"
	"onceshop/providers/adyen"
	"onceshop/providers/signing"
)

// What a webhook's handler does, and what the record of a payment is made of: Adyen
// can't be asked for it.
func ExampleAdapter_Fold() {
	const secret = "d776a168284658554f2bd78f8100a1e0a3c00b757c944a920e13c0ffaf3af2ac"
	adapter, err := adyen.New(adyen.Config{
		Secrets:          []signing.Secret{{ID: "2026-01", Key: secret}},
		MerchantAccounts: []string{"ShopMerchant"},
		CaptureMode:      adyen.Manual,
	})
	if err != nil {
		panic(err)
	}
	defer adapter.Close()
	deliver := func(code, psp, original, value, success string) string {
		signature := adyen.Sign(secret, adyen.Signed{
			PSPReference: psp, OriginalReference: original, MerchantAccountCode: "ShopMerchant", MerchantReference: "order-1",
			Value: value, Currency: "EUR", EventCode: code, Success: success,
		})
		return fmt.Sprintf(`{"notificationItems":[{"NotificationRequestItem":{"additionalData":{"hmacSignature":%q},"amount":{"currency":"EUR","value":%s},`+
			`"eventCode":%q,"merchantAccountCode":"ShopMerchant","merchantReference":"order-1","originalReference":%q,"pspReference":%q,"success":%q}}]}`,
			signature, value, code, original, psp, success)
	}

	var stored []payment.Event
	for _, body := range []string{
		deliver("CAPTURE", "CAP1", "PSP1", "4900", "true"), // overtook the authorisation
		deliver("AUTHORISATION", "PSP1", "", "4900", "true"),
		deliver("REFUND_FAILED", "REF1", "PSP1", "1000", "true"), // overtook its refund
		deliver("REFUND", "REF1", "PSP1", "1000", "true"),
	} {
		if _, err := adapter.Verify(nil, []byte(body), time.Now()); err != nil {
			panic(err)
		}
		events, err := adapter.Parse(nil, []byte(body))
		if err != nil {
			panic(err)
		}
		stored = append(stored, events...)
		s, err := adapter.Fold("order-1", stored)
		fmt.Println(s.Revision, s.Status, s.Received, s.Refunded, s.Reversed, err)
	}
	_, err = adapter.Fold("order-1", nil)
	fmt.Println(errors.Is(err, payment.ErrNotFound))
	// Output:
	// 1 paid 4900 0 0 <nil>
	// 2 paid 4900 0 0 <nil>
	// 3 paid 4900 0 0 <nil>
	// 4 paid 4900 0 1000 <nil>
	// true
}
