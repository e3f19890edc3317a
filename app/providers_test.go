package app_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"onceshop/app"
	"onceshop/config"
	"onceshop/payment"
	"onceshop/providers/vectortest"
	"onceshop/web/view"
)

const stripeSecret = "whsec_stripe-secret-for-tests-only"

var withStripe = []string{"SHOP_STRIPE_API_KEY=sk_test_key-for-these-tests", "SHOP_STRIPE_WEBHOOK_SECRET=" + stripeSecret}

func TestAShopWithTwoProvidersHasARouteForEach(t *testing.T) {
	t.Parallel()
	for name, more := range map[string][]string{
		"both on offer":               append([]string{"SHOP_PROVIDERS=stripe,stablein"}, withStripe...),
		"one of them no longer":       withStripe,
		"with one that isn't offered": append([]string{"SHOP_STRIPE_BASE_URL=http://127.0.0.1:1"}, withStripe...),
	} {
		w := setup(t, app.Deps{}, more...)
		for path, want := range map[string]int{
			"/webhooks/stablein": http.StatusUnauthorized, "/webhooks/stripe": http.StatusUnauthorized, "/webhooks/adyen": http.StatusNotFound,
		} {
			res, err := http.Post(w.url+path, "application/json", strings.NewReader("{}"))
			if err != nil {
				t.Fatal(err)
			}
			res.Body.Close()
			if res.StatusCode != want {
				t.Errorf("%s: %s answers %d to an unsigned body, want %d", name, path, res.StatusCode, want)
			}
		}
	}
}

func TestWhatIsOnOfferIsThePreferredOneFirst(t *testing.T) {
	t.Parallel()
	c := load(t, environment("mysql://nobody@127.0.0.1:1/none", "http://127.0.0.1:8080", "http://127.0.0.1:8090",
		append([]string{"SHOP_PROVIDERS=stripe,stablein"}, withStripe...)...))
	want := []view.Way{{Name: "stripe", Label: "Card or wallet (Stripe)", Hint: "Practice: no money moves"},
		{Name: "stablein", Label: "Stablecoin (StableIn)", Hint: "Practice: no money moves"}}
	if diff := cmp.Diff(want, app.Ways(c)); diff != "" {
		t.Error(diff)
	}
	c.Demo = false
	for _, way := range app.Ways(c) {
		if strings.Contains(way.Hint, "Practice") {
			t.Errorf("%s in a shop that isn't a demo", way.Hint)
		}
	}
}

func TestEveryKnownProviderHasAnAdapterAndWordsForBuyers(t *testing.T) {
	t.Parallel()
	c := load(t, append([]string{"SHOP_MODE=test", "SHOP_PROVIDERS=" + strings.Join(config.KnownProviders(), ",")}, everyProvider...))
	adapters, err := app.Adapters(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range app.Made() {
		if !slices.Contains(config.KnownProviders(), name) {
			t.Errorf("%s isn't in the list of config/providers.go: its settings are not read", name)
		}
	}
	for _, name := range config.KnownProviders() {
		a, ok := adapters[name]
		switch {
		case !slices.Contains(app.Made(), name):
			t.Errorf("%s has no maker: add one to providers in app/adapters.go", name)
			continue
		case !ok:
			t.Errorf("%s has no samples: add its settings to everyProvider in app/providers_test.go", name)
			continue
		}
		defer a.Close()
		_, asked := a.(payment.Fetcher)
		_, told := a.(payment.Folder)
		if asked == told {
			t.Errorf("%s: its record is fetched: %t, folded: %t", name, asked, told)
		}
	}
	for _, way := range app.Ways(c) {
		if way.Label == "" || !slices.Contains(config.KnownProviders(), way.Name) {
			t.Errorf("%+v", way)
		}
		if strings.HasPrefix(way.Label, "Pay ") {
			t.Errorf("a button says “Pay with %s”", way.Label)
		}
	}
}

func TestAdaptersAreMadeOfWhatHasASecret(t *testing.T) {
	t.Parallel()
	c := load(t, []string{"SHOP_PROVIDERS=stablein,stripe", "SHOP_STABLEIN_WEBHOOK_SECRET=" + webhookSecret})
	adapters, err := app.Adapters(c)
	if err != nil || len(adapters) != 1 || adapters["stablein"] == nil {
		t.Errorf("%v, %v", adapters, err)
	}
	c.Stripe.WebhookSecret = stripeSecret + ","
	if _, err := app.Adapters(c); err == nil || !strings.Contains(err.Error(), "SHOP_STRIPE_WEBHOOK_SECRET (secret 2 of 2) is empty") {
		t.Error(err)
	}
	if _, err := app.AdapterWith(c, "nobody", nil); err == nil {
		t.Error("an adapter of nobody's")
	}
}

// everyProvider is what all of them need beside the shop's own settings.
var everyProvider = slices.Concat(withStripe, []string{
	"SHOP_STABLEIN_BASE_URL=http://127.0.0.1:1", "SHOP_STABLEIN_API_KEY=" + apiKey, "SHOP_STABLEIN_WEBHOOK_SECRET=" + webhookSecret,
	"SHOP_CHECKOUTCOM_API_KEY=sk_sbox_key-for-these-tests", "SHOP_CHECKOUTCOM_WEBHOOK_SECRET=checkoutcom-key-for-tests", "SHOP_CHECKOUTCOM_BILLING_COUNTRY=DE",
	"SHOP_ADYEN_API_KEY=adyen-key-for-these-tests", "SHOP_ADYEN_MERCHANT_ACCOUNTS=OnceshopECOM",
	"SHOP_ADYEN_WEBHOOK_SECRET=44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056",
	"SHOP_RAZORPAY_KEY_ID=rzp_test_keyForTheseTests", "SHOP_RAZORPAY_KEY_SECRET=razorpay-key-for-these-tests", "SHOP_RAZORPAY_WEBHOOK_SECRET=razorpay-secret-for-tests",
	"SHOP_PAYFLOW_BASE_URL=http://127.0.0.1:1", "SHOP_PAYFLOW_KEY_ID=key-of-these-tests", "SHOP_PAYFLOW_KEY_SECRET=payflow-key-for-these-tests",
	"SHOP_PAYFLOW_WEBHOOK_SECRET=payflow-secret-for-tests",
	"SHOP_STANDARDWEBHOOKS_BASE_URL=http://127.0.0.1:1", "SHOP_STANDARDWEBHOOKS_API_KEY=standard-key-for-these-tests",
	"SHOP_STANDARDWEBHOOKS_WEBHOOK_SECRET=whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
})

// Adyen knows a payment by its own name, which only its stored events tell.
func TestAdyensRefundIsAskedOfThePaymentThatItsEventsHaveNamed(t *testing.T) {
	t.Parallel()
	samples := vectortest.Read(t, "adyen", "../providers/adyen/testdata").Events
	asked := make(chan string, 1)
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r.URL.Path
		io.WriteString(w, `{"status":"received","pspReference":"TESTREF000000009"}`)
	}))
	t.Cleanup(api.Close)
	w := setup(t, app.Deps{Now: func() time.Time { return samples.Time() }}, "SHOP_ADYEN_API_KEY=adyen-key-for-these-tests",
		"SHOP_ADYEN_WEBHOOK_SECRET="+samples.Secret, "SHOP_ADYEN_MERCHANT_ACCOUNTS="+samples.MerchantAccount,
		"SHOP_ADYEN_CAPTURE_MODE="+samples.CaptureMode, "SHOP_ADYEN_BASE_URL="+api.URL)
	w.receive()
	var ref, names string
	for _, e := range samples.Events {
		if e.ID != "authorised" && e.ID != "paid" {
			continue
		}
		ref, names = e.OrderRef, e.PaymentRef
		if body := w.must(http.Post(w.url+"/webhooks/adyen", "application/json", strings.NewReader(e.Body))); body != "[accepted]" {
			t.Errorf("%s is answered %q", e.ID, body)
		}
	}
	refunder, ok := w.app.Shop.Providers["adyen"].(payment.Refunder)
	if !ok {
		t.Fatal("Adyen can't be asked for refunds")
	}
	if err := refunder.Refund(t.Context(), "a-key-of-this-test", ref, payment.NewAmount(100), ""); err != nil {
		t.Fatal(err)
	}
	if path := <-asked; path != "/payments/"+names+"/refunds" {
		t.Errorf("asked %s, want the payment %s", path, names)
	}
}
