package webhooks_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"testing"

	"onceshop/payment"
	"onceshop/providers/adyen"
	"onceshop/providers/signing"
	"onceshop/shoptest"
	"onceshop/store"
)

const adyenKey = "00112233445566778899AABBCCDDEEFF00112233445566778899AABBCCDDEEFF"

// teller is Adyen but for its API: it calls payments as we do, and counts the events
// that the shop folds.
type teller struct {
	*adyen.Adapter
	folded *atomic.Int64
}

func (teller) Create(_ context.Context, c payment.Creation) (payment.Created, error) {
	return payment.Created{Ref: c.OrderRef, URL: "https://pay.test/"}, nil
}

func (t teller) Fold(ref string, events []payment.Event) (payment.Snapshot, error) {
	t.folded.Add(int64(len(events)))
	return t.Adapter.Fold(ref, events)
}

// adyenShop sells one product for 25.00 EUR through an account that captures so.
func adyenShop(t *testing.T, mode adyen.CaptureMode) (*shoptest.Shop, *atomic.Int64) {
	t.Helper()
	a, err := adyen.New(adyen.Config{Secrets: []signing.Secret{{ID: "current", Key: adyenKey}}, MerchantAccounts: []string{"Shop"}, CaptureMode: mode})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	folded := new(atomic.Int64)
	s := shoptest.New(t, shoptest.Options{Others: map[string]any{adyen.Name: teller{a, folded}}})
	s.Product("book", "Book", "2500", "EUR")
	return s, folded
}

// tell delivers what happened, in one batch, and lets the shop do all that follows.
func tell(t *testing.T, s *shoptest.Shop, happened ...adyen.Signed) {
	t.Helper()
	var items []any
	for _, f := range happened {
		f.MerchantAccountCode, f.Currency, f.Success = "Shop", "EUR", cmp.Or(f.Success, "true")
		item := map[string]any{
			"additionalData": map[string]string{"hmacSignature": adyen.Sign(adyenKey, f)}, "amount": map[string]any{"currency": f.Currency, "value": json.Number(f.Value)},
			"eventCode": f.EventCode, "merchantAccountCode": f.MerchantAccountCode, "merchantReference": f.MerchantReference,
			"originalReference": f.OriginalReference, "pspReference": f.PSPReference, "success": f.Success,
		}
		items = append(items, map[string]any{"NotificationRequestItem": item})
	}
	body, err := json.Marshal(map[string]any{"notificationItems": items})
	if err != nil {
		t.Fatal(err)
	}
	if a := sendAs(t, s, adyen.Name, nil, string(body)); a.Status != 200 {
		t.Fatalf("answer %d %s", a.Status, a.Body)
	}
	s.Settle()
	s.MakeDue()
	s.Settle()
}

// standing is an order in few words.
func standing(s *shoptest.Shop, id string) string {
	s.Helper()
	o := s.Order(id)
	return fmt.Sprintf("%s %s, refunded %s, disputed %s %s", o.PaymentStatus, o.ReceivedAmount, o.RefundedAmount, o.DisputeStatus, store.Deref(o.ReviewReason))
}

// TestMoneyIsOfTheOrderUnderWhichItsPaymentBegan: somebody types the reference of order
// B where he gives back, or takes, the money of order A.
func TestMoneyIsOfTheOrderUnderWhichItsPaymentBegan(t *testing.T) {
	t.Parallel()
	for mode, typed := range map[adyen.CaptureMode][]adyen.Signed{
		adyen.Automatic: {{EventCode: "REFUND", Value: "1000"}, {EventCode: "REFUND", Value: "2500"}, {EventCode: "CHARGEBACK", Value: "2500"}},
		adyen.Manual:    {{EventCode: "CAPTURE", Value: "2500"}},
	} {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			s, _ := adyenShop(t, mode)
			for _, typed := range typed {
				for _, comes := range []string{"after", "before", "with"} {
					// Of a capture that comes before, B's reference is all that is known.
					if comes != "before" || typed.EventCode != "CAPTURE" {
						typeAnothersReference(t, s, mode, typed, comes)
					}
				}
			}
		})
	}
}

// typeAnothersReference tells of two orders' payments, and of what was typed after,
// before or together with the beginning of the payment that it is about.
func typeAnothersReference(t *testing.T, s *shoptest.Shop, mode adyen.CaptureMode, typed adyen.Signed, comes string) {
	t.Helper()
	a, refA := s.BuyWith(adyen.Name, "book", 1)
	b, refB := s.BuyWith(adyen.Name, "book", 1)
	begun := adyen.Signed{PSPReference: "PSP" + a.ID, MerchantReference: refA, Value: "2500", EventCode: "AUTHORISATION"}
	typed.PSPReference, typed.OriginalReference, typed.MerchantReference = "MOD"+a.ID, begun.PSPReference, refB
	name := fmt.Sprintf("%s of %s %s its beginning", typed.EventCode, typed.Value, comes)
	for _, delivery := range map[string][][]adyen.Signed{"after": {{begun}, {typed}}, "before": {{typed}, {begun}}, "with": {{typed, begun}}}[comes] {
		tell(t, s, delivery...)
		if got := standing(s, b.ID); got != "pending 0, refunded 0, disputed none " || len(s.Licenses(b.ID)) > 0 {
			t.Errorf("%s: nobody has paid B, and it is %q", name, got)
		}
	}
	want := map[string]string{
		"REFUND": "paid 2500, refunded " + typed.Value + ", disputed none ", "CHARGEBACK": "paid 2500, refunded 0, disputed open ",
		"CAPTURE": "paid 2500, refunded 0, disputed none ",
	}[typed.EventCode]
	if got := standing(s, a.ID); got != want {
		t.Errorf("%s: A is %q, want %q", name, got, want)
	}
	if refunds, err := s.DB.ListRefundsOfOrder(t.Context(), &a.ID); err != nil || (len(refunds) == 1) != (typed.EventCode == "REFUND") {
		t.Errorf("%s: A's single refunds are %+v, %v", name, refunds, err)
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_events WHERE order_id = ?", a.ID); n != 2 {
		t.Errorf("%s: %d events are shown with A, want both", name, n)
	}
	own := adyen.Signed{PSPReference: "PSP" + b.ID, MerchantReference: refB, Value: "2500", EventCode: "AUTHORISATION"}
	tell(t, s, own)
	want = map[adyen.CaptureMode]string{
		adyen.Automatic: "paid 2500, refunded 0, disputed none ", adyen.Manual: "authorised 0, refunded 0, disputed none ",
	}[mode]
	if got := standing(s, b.ID); got != want {
		t.Errorf("%s: after a payment of its own B is %q, want %q", name, got, want)
	}
}

// TestEachPaymentOfAnotherApplicationIsOne: it shares the account, and calls all of its
// payments the same.
func TestEachPaymentOfAnotherApplicationIsOne(t *testing.T) {
	t.Parallel()
	s, folded := adyenShop(t, adyen.Automatic)
	s.Exec(`INSERT INTO shop_events (provider, event_id, event_type, event_effect, event_status, payment_ref, order_ref, amount, currency, payload_hash, key_id, status, verdict)
WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 900)
SELECT 'adyen', CONCAT('Shop|D', n, '|AUTHORISATION|true'), 'AUTHORISATION', 'advance', 'paid', CONCAT('D', n), 'donation', 500, 'EUR', REPEAT('x', 32), 'current', 'done', 'unattributed' FROM numbers`)
	for i := range 2 {
		tell(t, s, adyen.Signed{PSPReference: fmt.Sprint("NEW", i), MerchantReference: "donation", Value: "500", EventCode: "AUTHORISATION"})
	}
	tell(t, s, adyen.Signed{PSPReference: "RF0", OriginalReference: "NEW0", MerchantReference: "donation", Value: "200", EventCode: "REFUND"})
	tell(t, s, adyen.Signed{PSPReference: "DS0", MerchantReference: "donation", Value: "500", EventCode: "CHARGEBACK"}) // of which one, nobody knows
	if n := folded.Load(); n != 1+1+2 {
		t.Errorf("%d events were folded to tell of two payments and a refund", n)
	}
	for ref, want := range map[string]int{"NEW0": 200, "NEW1": 0} {
		if n := s.Count("SELECT COUNT(*) FROM shop_payments WHERE order_id IS NULL AND provider_ref = ? AND status = 'paid' AND received = 500 AND refunded = ?", ref, want); n != 1 {
			t.Errorf("%s isn't recorded with 500 received and %d refunded", ref, want)
		}
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_payments"); n != 2 {
		t.Errorf("%d payments, want 2", n)
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_events WHERE status = 'done' AND verdict = 'unattributed'"); n != 904 {
		t.Errorf("%d events are unattributed, want all", n)
	}
}

// TestALicenseWaitsForACaptureThatWasRefused where the account captures by itself and
// the authorisation would count as money; once it has, a person looks.
func TestALicenseWaitsForACaptureThatWasRefused(t *testing.T) {
	t.Parallel()
	s, _ := adyenShop(t, adyen.Automatic)
	for _, refusedFirst := range []bool{true, false} {
		o, ref := s.BuyWith(adyen.Name, "book", 1)
		of := func(code, success string) adyen.Signed {
			f := adyen.Signed{PSPReference: code + success + o.ID, MerchantReference: ref, Value: "2500", EventCode: code, Success: success}
			if code != "AUTHORISATION" {
				f.OriginalReference = "AUTHORISATIONtrue" + o.ID
			}
			return f
		}
		authorised, refused := of("AUTHORISATION", "true"), of("CAPTURE", "false")
		want, licenses := "authorised 0, refunded 0, disputed none ", 0
		if refusedFirst {
			tell(t, s, refused)
			tell(t, s, authorised)
		} else {
			tell(t, s, authorised)
			tell(t, s, refused)
			want, licenses = "paid 2500, refunded 0, disputed none "+payment.ImpossibleChange, 1
		}
		if got := standing(s, o.ID); got != want || len(s.Licenses(o.ID)) != licenses {
			t.Errorf("refused first: %t: %q with %d licenses, want %q with %d", refusedFirst, got, len(s.Licenses(o.ID)), want, licenses)
		}
		tell(t, s, of("CAPTURE", "true"))
		if got := standing(s, o.ID); got != "paid 2500, refunded 0, disputed none " || len(s.Licenses(o.ID)) != 1 {
			t.Errorf("refused first: %t: captured after all it is %q", refusedFirst, got)
		}
	}
}
