package app_test

import (
	"net/http"
	"strings"
	"testing"

	"onceshop/app"
)

func TestOnlyTheDocumentedAddressTakesWebhooks(t *testing.T) {
	t.Parallel()
	w := setup(t, app.Deps{})
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for address, want := range map[string]int{
		"/webhooks/stablein":     http.StatusUnauthorized, // not signed, but the right place
		"/webhooks//stablein":    http.StatusNotFound,
		"/webhooks/x/stablein":   http.StatusNotFound,
		"/webhooks/stablein/":    http.StatusNotFound,
		"/webhooks/x%2fstablein": http.StatusNotFound,
		"/webhooks/./stablein":   http.StatusNotFound,
		"/webhooks/nobody":       http.StatusNotFound,
		"/webhooks/":             http.StatusNotFound,
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.url+address, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		res, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != want {
			t.Errorf("%s answers %d, want %d", address, res.StatusCode, want)
		}
	}
}
