package webhooks_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"onceshop/checkout"
	"onceshop/payment"
	"onceshop/problem"
	"onceshop/providers/adyen"
	"onceshop/providers/signing"
	"onceshop/shoptest"
	"onceshop/store/db"
	"onceshop/webhooks"
)

// till is a shop with an order of 25.00 EUR that was paid through Adyen, whose API keeps
// the keys of the refunds that it is asked for.
type till struct {
	*shoptest.Shop
	order db.Order
	ref   string
	keys  []string
	mute  bool // its answers get lost
}

func openTill(t *testing.T) *till {
	t.Helper()
	l := new(till)
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l.keys = append(l.keys, r.Header.Get("Idempotency-Key"))
		if l.mute {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		io.WriteString(w, `{"status":"received"}`)
	}))
	t.Cleanup(api.Close)
	a, err := adyen.New(adyen.Config{
		Secrets: []signing.Secret{{ID: "current", Key: adyenKey}}, MerchantAccounts: []string{"Shop"}, CaptureMode: adyen.Automatic,
		APIKey: "AQE-key-of-tests", BaseURL: api.URL, HTTP: api.Client(),
		Told: func(ctx context.Context, ref string) ([]payment.Event, error) {
			return webhooks.Told{DB: l.DB, Provider: adyen.Name}.Events(ctx, ref)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	l.Shop = shoptest.New(t, shoptest.Options{Others: map[string]any{adyen.Name: paged{a}}})
	l.Product("book", "Book", "2500", "EUR")
	l.order, l.ref = l.BuyWith(adyen.Name, "book", 1)
	l.tells(t, "AUTHORISATION", "PSP1", "true", "2500")
	return l
}

// paged calls payments as we do, without asking for a page.
type paged struct{ *adyen.Adapter }

func (paged) Create(_ context.Context, c payment.Creation) (payment.Created, error) {
	return payment.Created{Ref: c.OrderRef, URL: "https://pay.test/"}, nil
}

// tells is what Adyen tells of the order's payment.
func (l *till) tells(t *testing.T, code, psp, success, value string) {
	t.Helper()
	f := adyen.Signed{EventCode: code, PSPReference: psp, Success: success, Value: value, MerchantReference: l.ref}
	if code != "AUTHORISATION" {
		f.OriginalReference = "PSP1"
	}
	tell(t, l.Shop, f)
}

// decide asks for a refund, and returns the key that it went out under.
func (l *till) decide(t *testing.T, amount int64) string {
	t.Helper()
	_, err := l.Shop.Shop.Refund(t.Context(), shoptest.RefundOf(l.order.ID, amount))
	if (err != nil) != l.mute || err != nil && problem.KindOf(err) != problem.Unavailable {
		t.Fatal(err)
	}
	return l.keys[len(l.keys)-1]
}

// wantWaiting checks what is asked for and not told of, and how many orders have a refund
// that came to nothing.
func (l *till) wantWaiting(t *testing.T, asked int64, failed int) {
	t.Helper()
	payments, err := l.DB.ListPaymentsOfOrder(t.Context(), &l.order.ID)
	if err != nil {
		t.Fatal(err)
	}
	can, err := checkout.ReturnableOf(t.Context(), l.DB.Queries, payments[0])
	if err != nil {
		t.Fatal(err)
	}
	var sum payment.Amount
	for _, a := range can.Asked {
		sum = sum.Add(a.Amount)
	}
	people, err := l.DB.CountOrdersToLookAt(t.Context())
	if err != nil || people.RefundFailed != int64(failed) || people.UnderReview != 0 || !sum.Equal(payment.NewAmount(asked)) {
		t.Errorf("%s asked for, want %d; to look at %+v, want %d failed; %v", sum, asked, people, failed, err)
	}
}

func TestARefundThatAdyenTellsCameToNothingIsAskedForAnew(t *testing.T) {
	t.Parallel()
	for code, success := range map[string]string{"REFUND": "false", "REFUND_WITH_DATA": "false", "CANCEL_OR_REFUND": "false", "REFUND_FAILED": "true", "REFUNDED_REVERSED": "true"} {
		t.Run(code, func(t *testing.T) {
			t.Parallel()
			l := openTill(t)
			first := l.decide(t, 2000)
			l.wantWaiting(t, 2000, 0)
			if again := l.decide(t, 2000); again != first {
				t.Errorf("the same decision went out under %q and %q", first, again)
			}
			l.tells(t, code, "REF1", success, "2000")
			l.wantWaiting(t, 0, 1)
			if got := standing(l.Shop, l.order.ID); got != "paid 2500, refunded 0, disputed none " {
				t.Errorf("the order is %s", got)
			}
			second := l.decide(t, 2000)
			if second == first {
				t.Errorf("Adyen would only repeat its answer: %q", second)
			}
			l.wantWaiting(t, 2000, 1)
			l.tells(t, "REFUND", "REF2", "true", "2000")
			l.wantWaiting(t, 0, 0)
			if got := standing(l.Shop, l.order.ID); got != "paid 2500, refunded 2000, disputed none " {
				t.Errorf("the order is %s", got)
			}
		})
	}
}

// TestALostAnswerKeepsItsKeyWhenAnotherRefundFails, of the same amount: Adyen would take
// another key for one more refund.
func TestALostAnswerKeepsItsKeyWhenAnotherRefundFails(t *testing.T) {
	t.Parallel()
	for name, failure := range map[string][]string{
		"one that was told of":  {"REFUND_FAILED", "REF1", "true", "1000"},
		"one that was refused":  {"REFUND", "REF9", "false", "1000"},
		"one that nobody knows": {"REFUND_FAILED", "REF9", "true", "1000"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := openTill(t)
			first := l.decide(t, 1000)
			l.tells(t, "REFUND", "REF1", "true", "1000")
			l.wantWaiting(t, 0, 0)
			l.mute = true
			second := l.decide(t, 1000)
			l.tells(t, failure[0], failure[1], failure[2], failure[3])
			l.mute = false
			if again := l.decide(t, 1000); second == first || again != second {
				t.Errorf("keys %q, %q and again %q", first, second, again)
			}
		})
	}
}
