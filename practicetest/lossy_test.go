package practicetest

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync/atomic"
	"testing"

	"onceshop/payment"
	"onceshop/providers/stripe"
	"onceshop/shoptest"
)

// lossy is a counter whose Stripe does what it is asked at path, and whose answer to it
// gets lost while lose is set.
func lossy(t *testing.T, path string) (c *counter, lose *atomic.Bool) {
	t.Helper()
	lose = &atomic.Bool{}
	p := stripeProvider()
	p.adapter = func(t *testing.T, c *counter) any {
		base, err := url.Parse(c.bench.URL)
		if err != nil {
			t.Fatal(err)
		}
		proxy := httputil.NewSingleHostReverseProxy(base)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost && r.URL.Path == "/stripe"+path && lose.Load() {
				proxy.ServeHTTP(httptest.NewRecorder(), r)
				w.WriteHeader(http.StatusBadGateway)
				return
			}
			proxy.ServeHTTP(w, r)
		}))
		t.Cleanup(server.Close)
		return made[*stripe.Adapter](t)(stripe.New(stripe.Config{
			Secrets: secrets(p.secret), APIKey: "sk_test_practice_key_of_stripe", BaseURL: server.URL + "/stripe",
		}))
	}
	return open(t, p), lose
}

func TestARefundWhoseAnswerWasLostIsGivenBackOnceWhateverItsReason(t *testing.T) {
	t.Parallel()
	c, lose := lossy(t, "/v1/refunds")
	s := c.sell(1)
	s.through(pay)
	decide := func(reason string) error {
		r := shoptest.RefundOf(s.order.ID, 980)
		r.Reason = reason
		_, err := c.Shop.Shop.Refund(t.Context(), r)
		return err
	}
	lose.Store(true)
	if err := decide("broken"); err == nil {
		t.Fatal("nobody noticed that the answer was lost")
	}
	lose.Store(false)
	if err := decide("broken key"); err != nil {
		t.Error(err)
	}
	c.catchUp()
	if o := s.now(); o.RefundedAmount.String() != "980" || o.RefundStatus != payment.PartiallyRefunded {
		t.Errorf("refunded %s (%s), want 980", o.RefundedAmount, o.RefundStatus)
	}
}
