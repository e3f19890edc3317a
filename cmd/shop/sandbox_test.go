package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"

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
