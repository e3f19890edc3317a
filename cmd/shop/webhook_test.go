package main

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"onceshop/config"
	"onceshop/providers/vectortest"
	"onceshop/webhooks"
)

// The published example: a paid event, signed with stablein-shop-secret-current.
const (
	paidEvent     = `{"id":"e0000000-0000-4000-8000-000000000002","type":"payment.paid","order":{"id":"7d0c2a54-1c1b-4c8e-9a55-3b1d6f2e9001","paymentStatus":"paid","refundStatus":"none","amount":"50000","refundedAmount":"0","currency":"USDC","revision":"2","fulfillmentDecision":"allow","merchantRisk":{"serviceStatus":"enabled","chainEnforcement":"allowed"}}}`
	paidSignature = "StableIn-Signature: v1=c1ec2598492e24ca8b5bf267c1eb7be1b8504f01827f6ff92e19cff2837e9f4d"
	paidID        = "StableIn-Event-Id: e0000000-0000-4000-8000-000000000002"
	paidTime      = "StableIn-Timestamp: 1767225600"
	current       = "stablein-shop-secret-current"
)

func TestASignedDeliveryIsVerifiedByHand(t *testing.T) {
	t.Parallel()
	file := write(t, "body", []byte(paidEvent))
	headers := []string{"--header", paidID, "--header", paidTime, "--header", paidSignature}
	for name, c := range map[string]struct {
		args []string
		code int
		says string
	}{
		"accepted":       {[]string{"--secret", current, "--at", "1767225600"}, exitDone, "accepted: event e0000000-0000-4000-8000-000000000002"},
		"second secret":  {[]string{"--secret", "another-secret-of-ours", "--secret", current, "--at", "1767225600"}, exitDone, "signed with secret previous"},
		"commas in it":   {[]string{"--secret", "one,two,three,four,five", "--at", "1767225600"}, exitFailed, "none of the 5 secrets"},
		"the 300th":      {[]string{"--secret", current, "--at", "1767225900"}, exitDone, "300 s old"},
		"too old":        {[]string{"--secret", current, "--at", "1767225901"}, exitFailed, "301 s old"},
		"another secret": {[]string{"--secret", "another-secret-of-ours", "--at", "1767225600"}, exitFailed, "refused: invalid signature"},
	} {
		args := append(append([]string{"webhook", "verify", "--provider", "stablein"}, c.args...), append(headers, file)...)
		r := shop(t, nil, args...)
		if r.code != c.code || !strings.Contains(r.stdout, c.says) {
			t.Errorf("%s: exit %d\n%s", name, r.code, r.all())
		}
	}
}

func TestASecretIsGivenAsTheSettingTakesIt(t *testing.T) {
	t.Parallel()
	verify := func(secret string) result {
		return shop(t, nil, "webhook", "verify", "--secret", secret, "--at", "1767225600", "--header", paidID, "--header", paidTime,
			"--header", paidSignature, write(t, "body", []byte(paidEvent)))
	}
	wantCode(t, verify("2026-12:"+current+"@2026-01-01T00:00:00Z"), exitDone, "signed with secret 2026-12")
	wantCode(t, verify("old:"+current+"@2025-12-31T23:59:59Z,new:another-secret-of-ours"), exitFailed, "the signature is of secret old, which ended at 2025-12-31T23:59:59Z")
	wantCode(t, verify(current+"@soon"), exitFailed, "shop: --secret has an end that isn't a time")
}

func TestADeliveryOfAnotherProviderIsKnownByItsHeaders(t *testing.T) {
	t.Parallel()
	for _, provider := range config.KnownProviders() {
		if provider == "adyen" {
			continue // its signature is in the body
		}
		event := samplesOf(t, provider).Events[0]
		other := "stablein"
		if provider == other {
			other = "stripe"
		}
		args := []string{"webhook", "verify", "--provider", other, write(t, "body", []byte(event.Body))}
		for name, value := range event.Headers {
			args = append(args, "--header", name+": "+value)
		}
		hint := "'s headers: add --provider " + provider
		wantCode(t, shop(t, nil, args...), exitFailed, "shop: no secret: give one", hint)
		wantCode(t, shop(t, nil, append(args, "--secret", "whsec_another-secret-of-ours")...), exitFailed, "is missing", hint)
		args[3] = provider
		r := shop(t, nil, append(args, "--secret", madeUpSecret(provider))...)
		wantCode(t, r, exitFailed, "none of the 1 secrets")
		if strings.Contains(r.all(), "add --provider") {
			t.Errorf("%s: its own delivery is said to be another's:\n%s", provider, r.all())
		}
	}
}

func TestARefusalSaysWhichBytesOrWhichHeader(t *testing.T) {
	t.Parallel()
	verify := func(body string, headers ...string) result {
		args := []string{"webhook", "verify", "--secret", current, "--at", "1767225600"}
		for _, h := range headers {
			args = append(args, "--header", h)
		}
		return shop(t, nil, append(args, write(t, "body", []byte(body)))...)
	}
	wantCode(t, verify(paidEvent+"\n", paidID, paidTime, paidSignature), exitFailed, "the signature would match without the last newline")
	wantCode(t, verify(paidEvent, paidID, paidTime), exitFailed, "header StableIn-Signature is missing")
	wantCode(t, verify(paidEvent, "StableIn-Event-Id: e0000000-0000-4000-8000-000000000001", paidTime, paidSignature), exitFailed, "refused:")
	wantCode(t, verify(paidEvent, paidID, "StableIn-Timestamp: 01767225600", paidSignature), exitFailed, "header StableIn-Timestamp")
	wantCode(t, verify(strings.Repeat(" ", webhooks.MaxBody)+paidEvent, paidID, paidTime, paidSignature), exitFailed, "longer than 1 MiB: the shop answers 413")
	wantCode(t, verify(paidEvent, "no header at all"), exitFailed, "is not 'Name: value'")
	wantCode(t, shop(t, nil, "webhook", "verify", "--provider", "nobody", "x"), exitUsage, "must be one of")
	wantCode(t, shop(t, nil, "webhook", "verify", write(t, "body", nil)), exitFailed, "no secret")
}

func TestTheShopsOwnSecretsAreTriedWhereNoneIsGiven(t *testing.T) {
	t.Parallel()
	environ := environment("mysql://nobody@127.0.0.1:1/shop", "SHOP_STABLEIN_WEBHOOK_SECRET=2026-12:"+current)
	r := shop(t, environ, "webhook", "verify", "--at", "1767225600", "--header", paidID, "--header", paidTime, "--header", paidSignature, write(t, "body", []byte(paidEvent)))
	wantCode(t, r, exitDone, "signed with secret 2026-12")
	if strings.Contains(r.all(), current) {
		t.Error("the secret is printed")
	}
}

// samplesOf are signed deliveries of a provider.
func samplesOf(t *testing.T, provider string) vectortest.Events {
	t.Helper()
	called := map[string]string{"checkoutcom": "checkout", "standardwebhooks": "standard-webhooks"}
	return vectortest.Read(t, cmp.Or(called[provider], provider), filepath.Join("../../providers", provider, "testdata")).Events
}

// What the command knows is what the configuration knows.
func TestDeliveriesOfEveryProviderAreVerifiedByHand(t *testing.T) {
	t.Parallel()
	for _, provider := range config.KnownProviders() {
		samples := samplesOf(t, provider)
		event := samples.Events[0]
		verify := func(environ []string, body string, more ...string) result {
			args := append([]string{"webhook", "verify", "--provider", provider, "--at", fmt.Sprint(samples.Now)}, more...)
			for name, value := range event.Headers {
				args = append(args, "--header", name+": "+value)
			}
			return shop(t, environ, append(args, write(t, "body", []byte(body)))...)
		}
		var account []string
		if provider == "adyen" {
			account = []string{"--account", samples.MerchantAccount}
		}
		given := append([]string{"--secret", samples.Secret}, account...)
		wantCode(t, verify(nil, event.Body, given...), exitDone, "accepted: event ", "signed with secret current")
		wantCode(t, verify(nil, strings.ReplaceAll(event.Body, cmp.Or(event.OrderRef, event.PaymentRef), "another"), given...), exitFailed, "refused: invalid signature")

		// Where nothing is given, the configuration's are tried; none of them is shown.
		setting := "SHOP_" + strings.ToUpper(provider) + "_WEBHOOK_SECRET"
		wantCode(t, verify(nil, event.Body, account...), exitFailed, "set "+setting)
		r := verify([]string{setting + "=2026-12:" + samples.Secret}, event.Body, account...)
		wantCode(t, r, exitDone, "signed with secret 2026-12")
		if strings.Contains(r.all(), samples.Secret) {
			t.Errorf("%s: the secret is printed", provider)
		}
		wantCode(t, verify([]string{setting + "=" + samples.Secret + ","}, event.Body, account...), exitFailed, setting+" (secret 2 of 2) is empty")
	}
}

func TestAdyensBasicAuthenticationIsPartOfTheDelivery(t *testing.T) {
	t.Parallel()
	samples := samplesOf(t, "adyen")
	environ := []string{"SHOP_ADYEN_WEBHOOK_SECRET=" + samples.Secret, "SHOP_ADYEN_MERCHANT_ACCOUNTS=" + samples.MerchantAccount,
		"SHOP_ADYEN_WEBHOOK_USER=adyen", "SHOP_ADYEN_WEBHOOK_PASSWORD=a-password-for-tests"}
	verify := func(headers ...string) result {
		args := []string{"webhook", "verify", "--provider", "adyen"}
		for _, h := range headers {
			args = append(args, "--header", h)
		}
		return shop(t, environ, append(args, write(t, "body", []byte(samples.Events[0].Body)))...)
	}
	basic := func(user string) string {
		return "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(user))
	}
	wantCode(t, verify(basic("adyen:a-password-for-tests")), exitDone, "accepted")
	wantCode(t, verify(basic("adyen:another-password")), exitFailed, "refused")
	wantCode(t, verify(), exitFailed, "refused", "Authorization is missing")
}
