package razorpay_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"onceshop/payment"
	"onceshop/providers/razorpay"
	"onceshop/providers/signing"
)

func TestRetriesAfterAChangeOfTheSecretAreSignedWithTheOldOne(t *testing.T) {
	t.Parallel()
	a := adapter(t, razorpay.Config{Secrets: []signing.Secret{{ID: "new", Key: otherSecret}, {ID: "old", Key: secret, ValidUntil: now}}})
	h := signed("evt_1", capturedBody)
	if id, err := a.Verify(h, []byte(capturedBody), now); id != "old" || err != nil {
		t.Errorf("%q, %v", id, err)
	}
	if _, err := a.Verify(h, []byte(capturedBody), now.Add(time.Second)); !errors.Is(err, payment.ErrSignature) {
		t.Error(err)
	}
}

func TestExplanationsKnowRazorpaysMistakes(t *testing.T) {
	t.Parallel()
	a := adapter(t, razorpay.Config{Secrets: []signing.Secret{{ID: "current", Key: secret}}, KeyID: keyID, KeySecret: keySecret})
	capitals, byKey := signed("evt_1", capturedBody), make(http.Header)
	capitals.Set(razorpay.SignatureHeader, strings.ToUpper(capitals.Get(razorpay.SignatureHeader)))
	byKey.Set(razorpay.SignatureHeader, razorpay.Sign(keySecret, []byte(capturedBody)))
	for note, h := range map[string]http.Header{
		"isn't 64 hex digits in lower case":                              capitals,
		"the signature is of the API key's secret":                       byKey,
		"header X-Razorpay-Event-Id is missing or no id: the body alone": signed("", capturedBody),
	} {
		text := a.Explain(h, []byte(capturedBody), now).String()
		if !strings.Contains(text, note) {
			t.Errorf("%q is missing in\n%s", note, text)
		}
		for _, hidden := range []string{secret, keySecret, razorpay.Sign(secret, []byte(capturedBody))} {
			if strings.Contains(text, hidden) {
				t.Errorf("%q is in\n%s", hidden, text)
			}
		}
	}
	if text := a.Explain(signed("evt_1", capturedBody), []byte(capturedBody), now).String(); strings.Contains(text, "missing") {
		t.Error(text)
	}
}

func TestNewRefusesKeysOfTheOtherMode(t *testing.T) {
	t.Parallel()
	good := []signing.Secret{{ID: "current", Key: secret}}
	for name, c := range map[string]razorpay.Config{
		"a test key in a shop that sells":   {KeyID: keyID, KeySecret: keySecret, Live: true},
		"a live key in a shop that doesn't": {KeyID: "rzp_live_canarykey", KeySecret: keySecret},
		"a key of no mode":                  {KeyID: "canarykey", KeySecret: keySecret},
		"no key secret":                     {KeyID: keyID},
		"no key id":                         {KeySecret: keySecret},
		"a newline in the key":              {KeyID: keyID, KeySecret: keySecret + "\n"},
		"a colon in the key's id":           {KeyID: keyID + ":", KeySecret: keySecret},
		"an empty account":                  {Accounts: []string{""}},
		"a user in the address":             {BaseURL: "https://" + keySecret + "@api.example/v1"},
	} {
		c.Secrets = good
		if _, err := razorpay.New(c); err == nil || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, c := range []razorpay.Config{{}, {KeyID: keyID, KeySecret: keySecret}, {KeyID: "rzp_live_1", KeySecret: keySecret, Live: true}} {
		c.Secrets = good
		adapter(t, c)
	}
}
