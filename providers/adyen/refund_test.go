package adyen_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"onceshop/payment"
	"onceshop/providers/adyen"
)

func TestRefundNamesThePaymentAsAdyenDoes(t *testing.T) {
	t.Parallel()
	a := serving(t, nil, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != "POST" || r.URL.Path != "/payments/PSP1/refunds" || r.Header.Get("X-API-Key") != apiKey || r.Header.Get("Idempotency-Key") != "refund-1" {
			t.Errorf("%s %s %v", r.Method, r.URL, r.Header)
		}
		want := map[string]any{"amount": map[string]any{"currency": "EUR", "value": 1000.0}, "merchantAccount": account, "reference": order}
		if d := cmp.Diff(want, readBody(t, r)); d != "" {
			t.Error(d)
		}
		w.WriteHeader(http.StatusCreated)
		io.WriteString(w, `{"merchantAccount":"`+account+`","paymentPspReference":"PSP1","pspReference":"REF1","status":"received"}`)
	})
	if err := a.Refund(t.Context(), "refund-1", order, amount(1000), "asked for"); err != nil {
		t.Error(err)
	}
}

func TestARefundGoesToThePaymentThatHoldsTheMoney(t *testing.T) {
	t.Parallel()
	auth, taken := told("AUTHORISATION", "PSP1", true, 2500), told("CAPTURE", "CAP1", true, 2500)
	second := []payment.Event{told("AUTHORISATION", "PSP2", true, 2500), of("PSP2", told("CAPTURE", "CAP2", true, 2500))}
	elsewhere := told("AUTHORISATION", "PSP1", true, 2500)
	elsewhere.ID = strings.Replace(elsewhere.ID, account, "ShopMerchant", 1)
	yen := told("AUTHORISATION", "PSP1", true, 2500)
	yen.Currency = "JPY"
	for name, c := range map[string]struct {
		mode   adyen.CaptureMode
		events []payment.Event
		back   int64
		want   string // path, account and money; empty: refused
	}{
		"captured":                   {adyen.Manual, []payment.Event{auth, taken}, 2500, "PSP1 " + account + " 2500 EUR"},
		"without its authorisation":  {adyen.Manual, []payment.Event{taken}, 2500, "PSP1 " + account + " 2500 EUR"},
		"captured by itself":         {adyen.Automatic, []payment.Event{auth}, 2500, "PSP1 " + account + " 2500 EUR"},
		"of our other account":       {adyen.Automatic, []payment.Event{elsewhere}, 1, "PSP1 ShopMerchant 1 EUR"},
		"in yen":                     {adyen.Automatic, []payment.Event{yen}, 1000, "PSP1 " + account + " 1000 JPY"},
		"the rest":                   {adyen.Manual, []payment.Event{auth, taken, told("REFUND", "REF1", true, 2000)}, 500, "PSP1 " + account + " 500 EUR"},
		"of one that failed before":  {adyen.Manual, []payment.Event{auth, taken, told("REFUND", "REF1", true, 2000), told("REFUND_FAILED", "REF1", true, 2000)}, 2500, "PSP1 " + account + " 2500 EUR"},
		"the second payment":         {adyen.Manual, append(second, auth, taken, told("REFUND", "REF1", true, 2500)), 2500, "PSP2 " + account + " 2500 EUR"},
		"the one that holds more":    {adyen.Manual, append(second, auth, taken, of("PSP2", told("REFUND", "REF2", true, 1))), 2000, "PSP1 " + account + " 2000 EUR"},
		"more than the rest":         {adyen.Manual, []payment.Event{auth, taken, told("REFUND", "REF1", true, 2000)}, 501, ""},
		"more than one of two holds": {adyen.Manual, append(second, auth, taken), 2501, ""},
		"only authorised":            {adyen.Manual, []payment.Event{auth}, 1, ""},
		"taken back":                 {adyen.Manual, []payment.Event{auth, taken, told("CAPTURE_FAILED", "CAP1", true, 2500)}, 1, ""},
		"in two currencies":          {adyen.Manual, []payment.Event{yen, taken}, 1, ""},
		"nothing told":               {adyen.Manual, nil, 1, ""},
		"nothing":                    {adyen.Manual, []payment.Event{auth, taken}, 0, ""},
		"less than nothing":          {adyen.Manual, []payment.Event{auth, taken}, -1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asked := ""
			a := serving(t, func(config *adyen.Config) {
				config.CaptureMode = c.mode
				config.Told = func(_ context.Context, ref string) ([]payment.Event, error) {
					if ref != order {
						t.Errorf("asked for the events of %q", ref)
					}
					return c.events, nil
				}
			}, func(w http.ResponseWriter, r *http.Request) {
				body := readBody(t, r)
				money := body["amount"].(map[string]any)
				asked = fmt.Sprint(strings.Split(r.URL.Path, "/")[2], " ", body["merchantAccount"], " ", money["value"], " ", money["currency"])
				io.WriteString(w, `{"status":"received"}`)
			})
			err := a.Refund(t.Context(), "refund-1", order, amount(c.back), "")
			if asked != c.want || (c.want == "") != errors.Is(err, payment.ErrRefused) || c.want != "" && err != nil {
				t.Errorf("asked for %q: %v", asked, err)
			}
		})
	}
}

// The shop alone decides what is another refund: a failure told of may be another one's,
// while nobody knows what became of this.
func TestARefundGoesOutUnderItsKeyWhateverIsTold(t *testing.T) {
	t.Parallel()
	events := []payment.Event{told("AUTHORISATION", "PSP1", true, 2500), told("CAPTURE", "CAP1", true, 2500)}
	var asked []string
	a := serving(t, func(c *adyen.Config) {
		c.Told = func(context.Context, string) ([]payment.Event, error) { return events, nil }
	}, func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Path+" "+r.Header.Get("Idempotency-Key"))
		io.WriteString(w, `{"status":"received"}`)
	})
	for _, next := range []payment.Event{
		told("REFUND", "REF1", true, 1000), told("REFUND_FAILED", "REF1", true, 1000), told("REFUND", "REF2", false, 1000), told("REFUND_FAILED", "REF3", true, 1000),
		told("AUTHORISATION", "PSP2", true, 2000), of("PSP2", told("CAPTURE", "CAP2", true, 2000)), of("PSP2", told("REFUND", "REF4", false, 1000)),
	} {
		events = append(events, next)
		if err := a.Refund(t.Context(), "refund-1", order, amount(1000), ""); err != nil {
			t.Fatal(err)
		}
		if last := asked[len(asked)-1]; last != "/payments/PSP1/refunds refund-1" {
			t.Errorf("after %s it asked %s", next.ID, last)
		}
	}
}

func TestARefundThatIsNotReceivedIsNone(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{`{"status":"canary"}`, `{}`, `{"status":null}`, `{"status":"received","paymentPspReference":"PSP2"}`, `{"status":"received","status":"received"}`, ``} {
		a := serving(t, nil, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, answer) })
		if err := a.Refund(t.Context(), "refund-1", order, amount(1), ""); !errors.Is(err, payment.ErrLater) || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: %v", answer, err)
		}
	}
	a := serving(t, nil, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnprocessableEntity)
		io.WriteString(w, `{"status":422,"errorCode":"14_030","message":"canary","errorType":"validation"}`)
	})
	if err := a.Refund(t.Context(), "refund-1", order, amount(1), ""); !errors.Is(err, payment.ErrRefused) || !strings.Contains(err.Error(), "14_030") || strings.Contains(err.Error(), "canary") {
		t.Error(err)
	}
	broken := errors.New("the database is away")
	a = serving(t, func(c *adyen.Config) {
		c.Told = func(context.Context, string) ([]payment.Event, error) { return nil, broken }
	}, silent(t))
	if err := a.Refund(t.Context(), "refund-1", order, amount(1), ""); !errors.Is(err, payment.ErrLater) || !errors.Is(err, broken) {
		t.Error(err)
	}
	a = serving(t, func(c *adyen.Config) { c.Told = nil }, silent(t))
	if err := a.Refund(t.Context(), "refund-1", order, amount(1), ""); !errors.Is(err, payment.ErrRefused) {
		t.Error(err)
	}
}
