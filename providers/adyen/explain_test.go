package adyen_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"onceshop/payment"
	"onceshop/providers/adyen"
	"onceshop/providers/signing"
)

func TestExplanationsNameTheItemAndWhatIsWrongWithIt(t *testing.T) {
	t.Parallel()
	c := config()
	c.Secrets = append(c.Secrets, signing.Secret{ID: "ended", Key: strings.Repeat("5e", 31) + "5f", ValidUntil: now.Add(-time.Second)}, signing.Secret{ID: "weak", Key: "00ff"})
	a := adapter(t, c)
	second := fields()
	second.PSPReference, second.OriginalReference, second.EventCode, second.MerchantReference = "CAP1", "PSP1", "CAPTURE", "a:b"
	foreign := second
	foreign.MerchantAccountCode = "SomebodyElse"
	flipped, escaped, bare, padded := second, second, second, second
	flipped.Success, escaped.MerchantReference, bare.OriginalReference = "false", `a\:b`, ""
	padded.MerchantReference = " a:b "
	good, right := item(current, fields(), ""), item(current, second, "")
	as := func(s adyen.Signed) string {
		return strings.Replace(right, adyen.Sign(current, second), adyen.Sign(current, s), 1)
	}
	asText := mac(current, second)
	for name, d := range map[string]struct {
		body  string
		keyID string // of the secret that is named
		notes []string
	}{
		"accepted":              {batch(good, right), "current", []string{"accepted: event " + account + "|PSP1|AUTHORISATION|true, " + account + "|CAP1|CAPTURE|true", "the signature holds with secret current"}},
		"another account":       {batch(good, item(current, foreign, "")), "current", []string{"item 2 of 2 is of another merchant account", "item 2: merchantAccountCode is none of our 2 merchant accounts", "holds with secret current"}},
		"no signature":          {batch(good, strings.Replace(right, "hmacSignature", "x", 1)), "", []string{"item 2 of 2 has no hmacSignature of the right form", "item 1: signed with secret current", "item 2: additionalData.hmacSignature has 0 bytes"}},
		"in hexadecimal":        {batch(strings.Replace(good, adyen.Sign(current, fields()), strings.Repeat("0f", 32), 1)), "", []string{"item 1: additionalData.hmacSignature has 64 bytes and isn't the base64 of 32 bytes"}},
		"two secrets":           {batch(good, item(previous, second, "")), "", []string{"no valid secret signed every item", "item 1: signed with secret current", "item 2: signed with secret previous"}},
		"an ended secret":       {batch(item(c.Secrets[2].Key, second, "")), "", []string{"the signature is of secret ended, which ended at 2026-01-01T01:00:04Z", "item 1: signed with secret ended"}},
		"another amount":        {batch(good, strings.Replace(right, "2500", "2501", 1)), "", []string{"item 1: signed with secret current", "item 2: no secret made this signature over pspReference (4 bytes), originalReference (4 bytes), merchantAccountCode (12 bytes), merchantReference (3 bytes), amount.value (4 bytes), amount.currency (3 bytes), eventCode (7 bytes), success (4 bytes)"}},
		"success turned around": {batch(as(flipped)), "", []string{"item 1: the signature would match secret current with success turned around"}},
		"escaped":               {batch(as(escaped)), "", []string{"item 1: the signature would match secret current with colons and backslashes escaped"}},
		"an original added":     {batch(as(bare)), "", []string{"item 1: the signature would match secret current without originalReference"}},
		"a padded reference":    {batch(strings.Replace(item(current, padded, ""), adyen.Sign(current, padded), adyen.Sign(current, second), 1)), "", []string{"with the white space around merchantReference removed"}},
		"the secret as a text":  {batch(strings.Replace(right, adyen.Sign(current, second), asText, 1)), "", []string{"item 1: the signature would match secret current taken as a text and not as hexadecimal digits"}},
		"a byte order mark":     {"\ufeff" + batch(good), "", []string{"the body is not strict JSON, at byte 0", "the signature would match without the byte order mark"}},
		"a bool":                {batch(good, strings.Replace(right, `"success":"true"`, `"success":true`, 1)), "", []string{"the body notificationItems 2: NotificationRequestItem.success is not a string"}},
		"a name twice":          {batch(strings.Replace(good, `"success"`, `"success":"true","success"`, 1)), "", []string{"notificationItems 1: NotificationRequestItem has a name twice, at byte"}},
		"no reference":          {batch(good, strings.Replace(right, `"pspReference":"CAP1",`, ``, 1)), "", []string{"notificationItems 2: NotificationRequestItem has no pspReference"}},
		"a weak secret":         {batch(good), "current", []string{"secret weak is shorter than 16 bytes: the shop wouldn't start with it"}},
	} {
		e := a.Explain(nil, []byte(d.body), now)
		text := e.String()
		if e.KeyID != d.keyID || !e.Accepted() && !errors.Is(e.Err, payment.ErrSignature) {
			t.Errorf("%s: key %q, %v", name, e.KeyID, e.Err)
		}
		for _, note := range d.notes {
			if !strings.Contains(text, note) {
				t.Errorf("%s: %q is missing in\n%s", name, note, text)
			}
		}
		hidden := []string{current, previous, c.Secrets[2].Key, adyen.Sign(current, second), asText, order, "SomebodyElse"}
		for _, secret := range hidden {
			if strings.Contains(text, secret) {
				t.Errorf("%s: the explanation says %q", name, secret)
			}
		}
	}
}
