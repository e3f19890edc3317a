package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"

	"onceshop/config"
	"onceshop/providers/checkoutcom"
	"onceshop/testdb"
)

func TestASandboxMigratesItsDatabaseAndServesAlone(t *testing.T) {
	t.Parallel()
	environ := []string{
		"SHOP_SANDBOX_DATABASE_URL=" + testdb.Empty(t), "SHOP_SANDBOX_LISTEN=127.0.0.1:0", "SHOP_STABLEIN_API_KEY=an-api-key-for-tests",
		"SHOP_STABLEIN_WEBHOOK_SECRET=stablein-shop-secret-current", "SHOP_SANDBOX_WEBHOOK_URL=http://127.0.0.1:1/webhooks",
	}
	for range 2 { // the second start finds everything made
		p := start(t, environ, "sandbox", "serve")
		address, _, _ := strings.Cut(p.says(t, "sandbox on "), ",")
		wantCode(t, shop(t, nil, "healthcheck", "--url", address+"/healthz"), exitDone, "ready")
		p.signal(t, syscall.SIGTERM)
		if code := p.exits(t); code != exitDone {
			t.Errorf("exit %d\n%s", code, p.stderr.String())
		}
	}
	wantCode(t, shop(t, nil, "sandbox", "serve"), exitFailed, "SHOP_SANDBOX_DATABASE_URL is not set", "SHOP_STABLEIN_API_KEY is not set")
}

func TestASandboxNamesTheSettingThatAStandInLacks(t *testing.T) {
	t.Parallel()
	needless := config.SettingOf(checkoutcom.Name, "BILLING_COUNTRY") // the shop's alone
	for name, stand := range standIns {
		environ := []string{
			"SHOP_SANDBOX_DATABASE_URL=mysql://nobody@127.0.0.1:1/sandbox", "SHOP_SANDBOX_WEBHOOK_URL=http://127.0.0.1:1/webhooks",
			"SHOP_PROVIDERS=" + name, "SHOP_STABLEIN_API_KEY=an-api-key-for-tests",
		}
		for _, made := range stand.settings {
			environ = append(environ, config.SettingOf(name, made.name)+"="+made.make())
		}
		wantCode(t, shop(t, environ, "sandbox", "serve"), exitFailed, "the sandbox's database") // nothing is wrong but that
		for _, lacking := range stand.settings {
			setting := config.SettingOf(name, lacking.name)
			if setting != needless {
				wantCode(t, shop(t, without(environ, []string{setting + "="}), "sandbox", "serve"), exitFailed, setting+" is not set")
			}
		}
	}
	wantCode(t, shop(t, []string{
		"SHOP_SANDBOX_DATABASE_URL=mysql://nobody@127.0.0.1:1/sandbox", "SHOP_SANDBOX_WEBHOOK_URL=http://127.0.0.1:1/webhooks",
		"SHOP_PROVIDERS=stripe,payflow", "SHOP_STABLEIN_API_KEY=an-api-key-for-tests",
		"SHOP_STRIPE_API_KEY=sk_live_of_real_money", "SHOP_STRIPE_WEBHOOK_SECRET=whsec_of_the_shop_in_tests",
		"SHOP_PAYFLOW_KEY_ID=a:b", "SHOP_PAYFLOW_WEBHOOK_SECRET=payflow-shop-secret-current",
	}, "sandbox", "serve"), exitFailed,
		"SHOP_STRIPE_API_KEY is no key to practise with; make one up of at least 16 characters without blanks that begins with sk_test_ or rk_test_; the shop needs the same",
		"SHOP_PAYFLOW_KEY_ID is not set, or has a colon; make one up without")
}

func TestAHealthcheckSaysWhyAnInstanceIsNotReady(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = w.Write([]byte(`{"ready":false,"reasons":["shutting down","database not reachable"]}`))
	}))
	t.Cleanup(server.Close)
	wantCode(t, shop(t, nil, "healthcheck", "--url", server.URL), exitFailed, "not ready: shutting down", "not ready: database not reachable")
	for listen, want := range map[string]string{"0.0.0.0:9090": "127.0.0.1:9090", ":9090": "127.0.0.1:9090", "[::]:9090": "127.0.0.1:9090", "10.0.0.1:9090": "10.0.0.1:9090"} {
		if got := reachable(listen); got != want {
			t.Errorf("%s is called at %s, want %s", listen, got, want)
		}
	}
}
