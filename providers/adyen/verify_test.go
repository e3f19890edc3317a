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

// A delivery with a signature that somebody else has computed.
const fixture = `{"live":"false","notificationItems":[{"NotificationRequestItem":{"additionalData":{"hmacSignature":"cAXcTDdjE63AhdFtM4fDmQv7gl1MtyahpaXDf98Y6Hw=","shopperName":"Zoë 🚀"},
"amount":{"currency":"EUR","value":4900},"eventCode":"AUTHORISATION","eventDate":"2026-01-01T10:20:30+01:00","merchantAccountCode":"ShopMerchant",
"merchantReference":"2026/01/01 10:20:30","pspReference":"SHOPPSP000000034","reason":"033899:1111:03/2030","success":"true"}}]}`

func TestColonsAreSignedAsTheyAre(t *testing.T) {
	t.Parallel()
	a := adapter(t, config())
	events, err := receive(a, nil, fixture, now)
	if err != nil || events[0].KeyID != "previous" || events[0].OrderRef != "2026/01/01 10:20:30" {
		t.Errorf("%+v, %v", events, err)
	}
	s := fields()
	s.MerchantReference = `a:b\c`
	escaped := s
	escaped.MerchantReference = `a\:b\\c`
	if _, err := receive(a, nil, signed(s), now); err != nil {
		t.Error(err)
	}
	body := strings.Replace(signed(s), adyen.Sign(current, s), adyen.Sign(current, escaped), 1)
	if _, err := receive(a, nil, body, now); !errors.Is(err, payment.ErrSignature) {
		t.Errorf("signed with the colon escaped: %v", err)
	}
}

func TestUnsignedFieldsMayChange(t *testing.T) {
	t.Parallel()
	a := adapter(t, config())
	want, err := receive(a, nil, fixture, now)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{
		{`"reason":"033899:1111:03/2030"`, `"reason":"🚀"`},
		{`"reason":"033899:1111:03/2030"`, `"reason":["\ud83d\ude80"]`},
		{`"live":"false"`, `"live":true`},
		{`"eventDate":"2026-01-01T10:20:30+01:00"`, `"eventDate":"2027-01-01T10:20:30Z"`},
		{`"eventDate":"2026-01-01T10:20:30+01:00"`, `"eventDate":1767229205`},
		{`"eventDate":"2026-01-01T10:20:30+01:00",`, ``},
		{`"shopperName":"Zoë 🚀"`, `"modification.action":"refund","disputeStatus":"Won"`},
	} {
		got, err := receive(a, nil, strings.Replace(fixture, c[0], c[1], 1), now)
		if err != nil {
			t.Errorf("%s: %v", c[1], err)
			continue
		}
		got[0].OccurredAt = want[0].OccurredAt
		if got[0] != sameAmount(got[0], want[0]) {
			t.Errorf("%s: %+v, want %+v", c[1], got[0], want[0])
		}
	}
}

// sameAmount is want with got's pointer where the amounts are equal.
func sameAmount(got, want payment.Event) payment.Event {
	if got.Amount != nil && want.Amount != nil && got.Amount.Equal(*want.Amount) {
		want.Amount = got.Amount
	}
	return want
}

func TestSignedFieldsMayNot(t *testing.T) {
	t.Parallel()
	a := adapter(t, config())
	for _, c := range [][2]string{
		{`"value":4900`, `"value":49000`}, {`"value":4900`, `"value":0`}, {`"EUR"`, `"USD"`}, {`"success":"true"`, `"success":"false"`},
		{`"AUTHORISATION"`, `"CAPTURE"`}, {`10:20:30",`, `10:20:31",`}, {`"SHOPPSP000000034"`, `"SHOPPSP000000035"`},
		{`"ShopMerchant"`, `"` + account + `"`}, {`"reason"`, `"originalReference":"SHOPPSP000000034","reason"`}, {`cAXc`, `dAXc`},
	} {
		if _, err := receive(a, nil, strings.Replace(fixture, c[0], c[1], 1), now); !errors.Is(err, payment.ErrSignature) {
			t.Errorf("%s: %v", c[1], err)
		}
	}
}

// All of these have one signature: moving a colon changes nothing of the text.
func TestAColonMovedFromFieldToFieldIsRefused(t *testing.T) {
	t.Parallel()
	c := config()
	c.MerchantAccounts = append(c.MerchantAccounts, "M")
	a := adapter(t, c)
	for name, s := range map[string]adyen.Signed{
		"into the account":    {PSPReference: "P", OriginalReference: "O", MerchantAccountCode: "M:R", MerchantReference: "S"},
		"out of the account":  {PSPReference: "P", OriginalReference: "O:M", MerchantAccountCode: "R", MerchantReference: "S"},
		"into the original":   {PSPReference: "P", OriginalReference: "O:M", MerchantAccountCode: "M", MerchantReference: "S"},
		"into the psp":        {PSPReference: "P:O", MerchantAccountCode: "M", MerchantReference: "R"},
		"all to the left":     {PSPReference: "P:O:M:R", MerchantAccountCode: "M"},
		"into the event code": {PSPReference: "P", MerchantAccountCode: "M", MerchantReference: "R", EventCode: "AUTHORISATION:true"},
		"into the currency":   {PSPReference: "P", MerchantAccountCode: "M", MerchantReference: "R", Currency: "EUR:CAPTURE"},
	} {
		s.Value, s.Success = "2500", "true"
		if s.Currency == "" {
			s.Currency = "EUR"
		}
		if s.EventCode == "" {
			s.EventCode = "AUTHORISATION"
		}
		if _, err := receive(a, nil, signed(s), now); !errors.Is(err, payment.ErrSignature) {
			t.Errorf("%s: %v", name, err)
		}
	}
	right := adyen.Signed{
		PSPReference: "P", OriginalReference: "O", MerchantAccountCode: "M", MerchantReference: "R:S",
		Value: "2500", Currency: "EUR", EventCode: "AUTHORISATION", Success: "true",
	}
	if _, err := receive(a, nil, signed(right), now); err != nil {
		t.Error(err)
	}
}

func TestSuccessIsATextThatSaysTrueOrFalse(t *testing.T) {
	t.Parallel()
	a := adapter(t, config())
	for _, success := range []string{`true`, `false`, `null`, `1`, `"True"`, `"TRUE"`, `"1"`, `"yes"`, `"true "`, `""`, `["true"]`} {
		s := fields()
		s.Success = strings.Trim(success, `"`)
		body := strings.Replace(batch(item(current, s, "")), `"success":"`+s.Success+`"`, `"success":`+success, 1)
		if _, err := receive(a, nil, body, now); !errors.Is(err, payment.ErrSignature) {
			t.Errorf("%s: %v", success, err)
		}
	}
	s := fields()
	s.Success = "false"
	if events, err := receive(a, nil, signed(s), now); err != nil || events[0].Effect != payment.EffectAttemptFailed || events[0].Status != "" {
		t.Errorf("%+v, %v", events, err)
	}
}

func TestAllItemsAreSignedByOneSecretOrNoneIsTaken(t *testing.T) {
	t.Parallel()
	a := adapter(t, config())
	second := fields()
	second.PSPReference = "PSP2"
	foreign := second
	foreign.MerchantAccountCode = "SomebodyElse"
	good, forged := item(current, fields(), ""), strings.Replace(item(current, second, ""), "2500", "2501", 1)
	for name, c := range map[string]struct {
		body  string
		keyID string
	}{
		"both with the new one":             {batch(good, item(current, second, "")), "current"},
		"both with the old one":             {batch(item(previous, fields(), ""), item(previous, second, "")), "previous"},
		"one with each":                     {batch(good, item(previous, second, "")), ""},
		"the second forged":                 {batch(good, forged), ""},
		"the first forged":                  {batch(forged, good), ""},
		"the second unsigned":               {batch(good, item("", second, "")), ""},
		"the second of a foreign account":   {batch(good, item(current, foreign, "")), ""},
		"the signatures exchanged":          {batch(strings.Replace(good, "PSP1", "PSP2", 1), strings.Replace(item(current, second, ""), "PSP2", "PSP1", 1)), ""},
		"nothing":                           {batch(), ""},
		"null":                              {batch(good, "null"), ""},
		"an item without its one member":    {batch(good, "{}"), ""},
		"an item that is null":              {batch(good, `{"NotificationRequestItem":null}`), ""},
		"an item that isn't one":            {batch(good, `[]`), ""},
		"no items":                          {`{"live":"false"}`, ""},
		"items that are null":               {`{"live":"false","notificationItems":null}`, ""},
		"items that are an object":          {`{"notificationItems":{}}`, ""},
		"a name twice in the second":        {batch(good, item(current, second, `,"success":"true"`)), ""},
		"a name twice, in another case":     {batch(good, item(current, second, `,"PspReference":"PSP3"`)), ""},
		"an original in another case":       {batch(good, item(current, second, `,"OriginalReference":"PSP3"`)), ""},
		"a lone surrogate, where unsigned":  {batch(item(current, fields(), `,"reason":"\ud800"`)), ""},
		"a byte order mark":                 {"\ufeff" + batch(good), ""},
		"a second document":                 {batch(good) + batch(good), ""},
		"a value with a fraction":           {strings.Replace(batch(good), "2500", "2500.0", 1), ""},
		"a value with an exponent":          {strings.Replace(batch(good), "2500", "25e2", 1), ""},
		"a value that is a text":            {strings.Replace(batch(good), "2500", `"2500"`, 1), ""},
		"a signature with another ending":   {strings.Replace(batch(good), `="`, `9"`, 1), ""},
		"a signature with a newline in it":  {strings.Replace(batch(good), `="`, `\n"`, 1), ""},
		"a signature in an array":           {strings.Replace(batch(good), `"additionalData":{`, `"additionalData":[],"x":{`, 1), ""},
		"an id with a bar in it":            {strings.Replace(batch(good), "PSP1", "PSP|1", 1), ""},
		"a code with a bar in it, and more": {strings.Replace(batch(good), "AUTHORISATION", "A|true", 1), ""},
	} {
		events, err := receive(a, nil, c.body, now)
		switch {
		case c.keyID == "" && !errors.Is(err, payment.ErrSignature):
			t.Errorf("%s: %v", name, err)
		case c.keyID != "" && (err != nil || len(events) != 2 || events[0].KeyID != c.keyID || events[0].PaymentRef != "PSP1" || events[1].PaymentRef != "PSP2"):
			t.Errorf("%s: %+v, %v", name, events, err)
		}
	}
}

// The mode of a delivery is that of the endpoint whose secret signed it.
func TestAKeyOfTheOtherPlatformIsNotOurs(t *testing.T) {
	t.Parallel()
	c := config()
	c.Secrets, c.Live, c.LivePrefix = []signing.Secret{{ID: "live", Key: current}}, true, "0123456789abcdef-OnceShop"
	a := adapter(t, c)
	for _, live := range []string{`"true"`, `"false"`} {
		liveSays := strings.NewReplacer(`"live":"false"`, `"live":`+live).Replace
		if _, err := receive(a, nil, liveSays(signed(fields())), now); err != nil {
			t.Errorf("%s, signed with the live key: %v", live, err)
		}
		if _, err := receive(a, nil, liveSays(batch(item(previous, fields(), ""))), now.Add(time.Hour)); !errors.Is(err, payment.ErrSignature) {
			t.Errorf("%s, signed with the test key: %v", live, err)
		}
	}
}
