package app_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"onceshop/app"
	"onceshop/providers/stablein"
	"onceshop/providers/stripe"
)

func TestAShopWhoseSecretsHaveEndedSaysSoAtItsStartAndAsLongAsItRuns(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	w := setup(t, app.Deps{Log: slog.New(slog.NewTextHandler(&log, nil)), Now: func() time.Time { return now }}, append([]string{
		"SHOP_STABLEIN_WEBHOOK_SECRET=" + webhookSecret + "@2025-12-31T23:59:59Z"}, withStripe...)...)
	says := "every webhook secret of stablein has ended, so that all its webhooks are refused: add the present one to SHOP_STABLEIN_WEBHOOK_SECRET"
	if said := log.String(); !strings.Contains(said, says) || strings.Contains(said, "STRIPE") || strings.Contains(said, webhookSecret) {
		t.Errorf("logged: %s", said)
	}
	warned := func() string { return strings.Join(w.app.Ready.Report(t.Context()).Warnings, "\n") }
	if got := warned(); !strings.Contains(got, says) || strings.Contains(got, "STRIPE") {
		t.Errorf("readyz warns: %s", got)
	}
	now = time.Date(2025, 12, 31, 23, 59, 59, 0, time.UTC)
	if got := warned(); strings.Contains(got, "SECRET") {
		t.Errorf("at its last moment readyz warns: %s", got)
	}
}

func TestTheLogTellsOfADeliveryThatAnEndedSecretSigned(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	w := setup(t, app.Deps{Log: slog.New(slog.NewTextHandler(&log, nil)), Now: func() time.Time { return now }},
		"SHOP_STABLEIN_WEBHOOK_SECRET=new:another-secret-of-ours,old:"+webhookSecret+"@2025-12-31T23:59:59Z",
		"SHOP_STRIPE_API_KEY=sk_test_key-for-these-tests", "SHOP_STRIPE_WEBHOOK_SECRET="+stripeSecret)
	post := func(provider string, header map[string]string) (answer, line string) {
		r := httptest.NewRequest(http.MethodPost, "/webhooks/"+provider, strings.NewReader("{}"))
		for name, value := range header {
			r.Header.Set(name, value)
		}
		log.Reset()
		rec := httptest.NewRecorder()
		w.app.Handler.ServeHTTP(rec, r)
		_, answer, _ = strings.Cut(rec.Body.String(), `"title"`)
		answer, _, _ = strings.Cut(answer, "request_id")
		if rec.Code != http.StatusUnauthorized {
			t.Errorf("%s: %d %s", provider, rec.Code, rec.Body)
		}
		return answer, log.String()
	}
	stableIn := func(secret string) (answer, line string) {
		return post("stablein", map[string]string{stablein.EventIDHeader: "e-1", stablein.TimestampHeader: "1767225600",
			stablein.SignatureHeader: stablein.Sign(secret, now.Unix(), []byte("{}"))})
	}
	const says = `signed_by="a webhook secret that has ended"`
	ofEnded, line := stableIn(webhookSecret)
	if !strings.Contains(line, says) || strings.Contains(line, webhookSecret) {
		t.Errorf("signed with the old secret: %s", line)
	}
	ofNobody, line := stableIn("a-secret-of-somebody-else")
	if strings.Contains(line, "signed_by") || ofEnded != ofNobody {
		t.Errorf("signed with a stranger's secret: %s\nanswered %s, the other %s", line, ofNobody, ofEnded)
	}
	if _, line = post("stripe", map[string]string{stripe.SignatureHeader: stripe.Sign("whsec_of-somebody-else-altogether", now.Unix(), []byte("{}"))}); strings.Contains(line, "signed_by") {
		t.Errorf("where no secret has ended: %s", line)
	}
}
