package standardwebhooks_test

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"onceshop/payment"
	"onceshop/providers/signing"
	"onceshop/providers/standardwebhooks"
)

// A sender in the middle of a rotation signs with both secrets; any of ours is
// enough.
func ExampleAdapter_Verify() {
	const newer = "whsec_bmV3ZXItc2lnbmluZy1rZXktb2YtMjAyNi0wMS0wMQ=="
	const older = "whsec_b2xkZXItc2lnbmluZy1rZXktb2YtMjAyNS0wNy0wMQ=="
	adapter, err := standardwebhooks.New(standardwebhooks.Config{Secrets: []signing.Secret{{ID: "2025-07", Key: older}}})
	if err != nil {
		panic(err)
	}
	body := []byte(`{"type":"payment.paid","timestamp":"2026-01-01T00:00:00Z","data":{"payment_ref":"pay_1","order_ref":"order-1"}}`)
	const id, sent = "msg_1", 1767225600
	first, err := standardwebhooks.Sign(newer, id, sent, body)
	if err != nil {
		panic(err)
	}
	second, err := standardwebhooks.Sign(older, id, sent, body)
	if err != nil {
		panic(err)
	}
	header := make(http.Header)
	header.Set(standardwebhooks.IDHeader, id)
	header.Set(standardwebhooks.TimestampHeader, strconv.Itoa(sent))
	header.Set(standardwebhooks.SignatureHeader, first+" "+second)

	now := time.Unix(sent+30, 0)
	keyID, err := adapter.Verify(header, body, now)
	if err != nil {
		panic(err)
	}
	events, err := adapter.Parse(header, body)
	if err != nil {
		panic(err)
	}
	fmt.Println(keyID, events[0].ID, events[0].Type, events[0].OrderRef)

	_, err = adapter.Verify(header, append(body, '\n'), now)
	fmt.Println(errors.Is(err, payment.ErrSignature))
	// Output:
	// 2025-07 msg_1 payment.paid order-1
	// true
}
