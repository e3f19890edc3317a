package practicetest

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"sync/atomic"
	"testing"

	"onceshop/payment"
	"onceshop/providers/stripe"
	"onceshop/shoptest"
	"onceshop/store"
	"onceshop/store/db"
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

// The end of the page is in the request, and moves with every payment that begins.
func TestWhoComesBackToAStripeWhoseAnswerWasLostPaysThere(t *testing.T) {
	t.Parallel()
	for name, meanwhile := range map[string]func(*counter, string) error{
		"after another provider": func(c *counter, id string) error {
			_, err := c.Shop.Shop.PayAgain(c.Context(), id, "stablein")
			return err
		},
		"whatever has moved the end": func(c *counter, id string) error {
			c.Exec("UPDATE shop_orders SET expires_at = expires_at + INTERVAL 20 MINUTE WHERE id = ?", id)
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, lose := lossy(t, "/v1/checkout/sessions")
			lose.Store(true)
			token, err := c.Shop.Shop.AddToCart(t.Context(), "", "product", 1)
			if err != nil {
				t.Fatal(err)
			}
			started, err := c.Shop.Shop.Begin(t.Context(), token, shoptest.Buyer, stripe.Name)
			if err == nil {
				t.Fatal("nobody noticed that the answer was lost")
			}
			lose.Store(false)
			id := started.Order.ID
			if err := meanwhile(c, id); err != nil {
				t.Fatal(err)
			}
			started, err = c.Shop.Shop.PayAgain(t.Context(), id, stripe.Name)
			if err != nil || started.PayURL == "" {
				t.Fatalf("led to %q, %v", started.PayURL, err)
			}
			payments, err := c.DB.ListPaymentsOfOrder(t.Context(), &id)
			if err != nil {
				t.Fatal(err)
			}
			open := slices.IndexFunc(payments, func(p db.Payment) bool { return store.Deref(p.PaymentURL) == started.PayURL })
			s := sale{c, started.Order, *payments[open].ProviderRef}
			s.through(pay)
			if o := s.now(); o.PaymentStatus != payment.Paid || len(c.Licenses(id)) != 1 {
				t.Errorf("%+v", s.outcome())
			}
		})
	}
}
