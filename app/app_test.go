package app_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"onceshop/app"
	"onceshop/config"
	"onceshop/payment"
	"onceshop/store"
	"onceshop/testdb"
)

func TestAPurchaseGoesThroughTheWholeShop(t *testing.T) {
	t.Parallel()
	w := setup(t, app.Deps{})
	w.receive()
	order, ref := w.order()
	w.act(ref, "pay", `{"faults":{"duplicate":4,"conflict":true}}`)
	w.deliver()
	if err := w.app.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}

	o := w.now(order.ID)
	if o.PaymentStatus != payment.Paid || o.FulfillmentStatus != store.DeliveryDone {
		t.Fatalf("the order is %s and %s", o.PaymentStatus, o.FulfillmentStatus)
	}
	licenses, err := w.app.DB.ListLicensesOfOrder(t.Context(), o.ID)
	if err != nil || len(licenses) != 1 {
		t.Errorf("%d licenses, %v", len(licenses), err)
	}
	mails, err := w.app.DB.ListMails(t.Context(), 10)
	if err != nil || len(mails) != 1 || mails[0].Recipient != "ada@example.com" {
		t.Errorf("mails %v, %v", mails, err)
	}
	page := get(t, w.app.Shop.OrderURL(o))
	if page.status != http.StatusOK || !strings.Contains(page.body, "Paid") {
		t.Errorf("the order's page answers %d without Paid", page.status)
	}
}

func TestBuyersReadOnPagesAndInMailsWhomToAsk(t *testing.T) {
	t.Parallel()
	w := setup(t, app.Deps{}, "SHOP_CONTACT=Help <help@shop.example>")
	w.receive()
	_, ref := w.order()
	w.act(ref, "pay", `{}`)
	w.deliver()
	if err := w.app.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	if page := get(t, w.url); !strings.Contains(page.body, `href="mailto:help@shop.example"`) {
		t.Error("the page has no address to ask")
	}
	mails, err := w.app.DB.ListMails(t.Context(), 10)
	if err != nil || len(mails) != 1 {
		t.Fatalf("mails %v, %v", mails, err)
	}
	mail, err := w.app.DB.GetMail(t.Context(), mails[0].Seq)
	if err != nil || strings.Count(string(mail.Raw), "help@shop.example") != 2 {
		t.Errorf("%v: text and HTML don't have the address each:\n%s", err, mail.Raw)
	}
}

func TestAShopThatIsBehindItsMigrationsDoesNotStart(t *testing.T) {
	t.Parallel()
	c := load(t, environment(testdb.Empty(t), "http://127.0.0.1:8080", "http://127.0.0.1:8090"))
	_, err := app.New(t.Context(), c, app.Deps{Log: silence()})
	if !errors.Is(err, app.ErrBehind) || !strings.Contains(err.Error(), "shop migrate up") {
		t.Fatal(err)
	}
}

func TestAnUnusableConfigurationDoesNotStartAndNamesEveryFault(t *testing.T) {
	t.Parallel()
	c := load(t, environment("mysql://nobody@127.0.0.1:1/none", "http://127.0.0.1:8080", "http://127.0.0.1:8090", "SHOP_SECRET=REPLACE_ME", "SHOP_MAIL_FROM=nobody"))
	_, err := app.New(t.Context(), c, app.Deps{Log: silence()})
	var faults config.Faults
	if !errors.As(err, &faults) || len(faults) != 2 || faults.Of("SHOP_SECRET") == "" || faults.Of("SHOP_MAIL_FROM") == "" {
		t.Fatal(err)
	}
}

func TestAProviderWithoutASecretHasNoRoute(t *testing.T) {
	t.Parallel()
	w := setup(t, app.Deps{})
	for _, path := range []string{"/webhooks/stripe", "/webhooks/", "/webhooks/stablein/x", "/webhooks//adyen"} {
		res, err := http.Post(w.url+path, "application/json", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != http.StatusNotFound || res.Header.Get("Content-Type") != "application/problem+json" || res.Header.Get("Location") != "" {
			t.Errorf("POST %s answers %s, %v", path, res.Status, res.Header)
		}
	}
}

func TestAnInstanceServesWhatItsRolesSay(t *testing.T) {
	t.Parallel()
	for roles, want := range map[string]struct{ page, webhook int }{
		"web":    {http.StatusOK, http.StatusNotFound},
		"inbox":  {http.StatusNotFound, http.StatusUnauthorized},
		"worker": {http.StatusNotFound, http.StatusNotFound},
	} {
		w := setup(t, app.Deps{}, "SHOP_ROLES="+roles)
		if got := get(t, w.url+"/"); got.status != want.page {
			t.Errorf("%s: the home page answers %d, want %d", roles, got.status, want.page)
		}
		res, err := http.Post(w.url+"/webhooks/stablein", "application/json", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != want.webhook {
			t.Errorf("%s: the webhook answers %d, want %d", roles, res.StatusCode, want.webhook)
		}
	}
}

func TestWebhooksPassNoGuardOfThePages(t *testing.T) {
	t.Parallel()
	w := setup(t, app.Deps{})
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.url+"/webhooks/stablein", strings.NewReader(strings.Repeat(" ", 200<<10)))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Origin", "https://elsewhere.example")
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusUnauthorized {
		t.Fatalf("a large webhook from elsewhere without a signature answers %s, want 401", res.Status)
	}
}
