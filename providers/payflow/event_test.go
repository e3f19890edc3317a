package payflow_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"onceshop/payment"
	"onceshop/providers/payflow"
	"onceshop/providers/signing"
)

const successBody = `{"eventId":"pf_evt_1","event":"payment.success","orderId":"ORD-1","amount":4999,"timestamp":1767229200}`

func TestAnEventIsReadWhole(t *testing.T) {
	t.Parallel()
	got, err := receive(adapter(t, payflow.Config{}), signed(successBody), successBody)
	if err != nil {
		t.Fatal(err)
	}
	amount := paise(4999)
	want := payment.Event{
		Provider: "payflow", ID: "pf_evt_1", Type: "payment.success", PaymentRef: "ORD-1", OrderRef: "ORD-1", OccurredAt: time.Unix(1767229200, 0).UTC(),
		Fingerprint: got.Fingerprint, Effect: payment.EffectAdvance, Status: payment.Paid, Amount: &amount, Currency: "INR",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestARetryThatIsStampedAgainIsADuplicate(t *testing.T) {
	t.Parallel()
	a := adapter(t, payflow.Config{})
	first, err := receive(a, signed(successBody), successBody)
	if err != nil {
		t.Fatal(err)
	}
	for body, same := range map[string]bool{
		strings.Replace(successBody, "1767229200", "1767229204", 1):         true,
		strings.Replace(successBody, "{", `{"attempt":2,`, 1):               true,
		strings.Replace(successBody, `,"amount":4999`, "", 1):               false,
		strings.Replace(successBody, "4999", "0", 1):                        false,
		strings.Replace(successBody, "4999", "49990", 1):                    false,
		strings.Replace(successBody, "4999", `4999,"refundAmount":0`, 1):    false,
		strings.Replace(successBody, "4999", `4999,"refundedTotal":0`, 1):   false,
		strings.Replace(successBody, "4999", `4999,"refundAmount":null`, 1): true,
	} {
		e, err := receive(a, signed(body), body)
		if err != nil || e.ID != first.ID || (e.Fingerprint == first.Fingerprint) != same {
			t.Errorf("%s: the same content %v, %v", body, e.Fingerprint == first.Fingerprint, err)
		}
	}
}

func TestTheSignatureIsLookedAtBeforeTheTimeAndTheTimeBeforeTheRest(t *testing.T) {
	t.Parallel()
	a := adapter(t, payflow.Config{})
	forged := make(http.Header)
	forged.Set(payflow.SignatureHeader, strings.Repeat("0", 64))
	stamp := func(timestamp string) string { return `{"eventId":"e","timestamp":` + timestamp + `}` }
	for body, want := range map[string]error{
		stamp("1767229205"):                 nil,
		stamp("1767228905"):                 nil,
		stamp("1767229505"):                 nil,
		stamp("1767228904"):                 payment.ErrStale,
		stamp("1767229506"):                 payment.ErrStale,
		stamp("0"):                          payment.ErrStale,
		stamp("253402300799"):               payment.ErrStale,
		stamp("253402300800"):               payment.ErrMalformed,
		stamp("99999999999999999999999"):    payment.ErrMalformed,
		stamp("1767229205.0"):               payment.ErrMalformed,
		stamp("1767229205e0"):               payment.ErrMalformed,
		stamp("-1"):                         payment.ErrMalformed,
		stamp(`"1767229205"`):               payment.ErrMalformed,
		stamp("null"):                       payment.ErrMalformed,
		stamp("true"):                       payment.ErrMalformed,
		`{"eventId":"e"}`:                   payment.ErrMalformed,
		`{"timestamp":1767229205}`:          payment.ErrMalformed, // which event?
		`{"eventId":7,"timestamp":1}`:       payment.ErrStale,
		`{"Timestamp":1767229205}`:          payment.ErrMalformed,
		`{"timestamp":1767229205}{}`:        payment.ErrMalformed,
		`oops`:                              payment.ErrMalformed,
		`{"x":1,"x":2,"timestamp":"later"}`: payment.ErrMalformed,
	} {
		if _, err := receive(a, signed(body), body); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", body, err, want)
		}
		if _, err := receive(a, forged, body); !errors.Is(err, payment.ErrSignature) {
			t.Errorf("%s, forged: %v", body, err)
		}
	}
}

func TestAHeaderOfAnyOtherLengthIsAnInvalidSignature(t *testing.T) {
	t.Parallel()
	a := adapter(t, payflow.Config{})
	right := payflow.Sign(secret, []byte(successBody))
	for _, signature := range []string{"", right[:63], right + "0", right + right, strings.ToUpper(right), "sha256=" + right, " " + right} {
		if _, err := a.Verify(http.Header{payflow.SignatureHeader: {signature}}, []byte(successBody), now); !errors.Is(err, payment.ErrSignature) {
			t.Errorf("%q: %v", signature, err)
		}
	}
	if _, err := a.Verify(nil, []byte(successBody), now); !errors.Is(err, payment.ErrSignature) {
		t.Error(err)
	}
}

func TestAmountsAreInTheAccountsCurrency(t *testing.T) {
	t.Parallel()
	a := adapter(t, payflow.Config{Currency: "JPY"})
	if e, err := receive(a, signed(successBody), successBody); err != nil || e.Currency != "JPY" || !e.Amount.Equal(paise(4999)) {
		t.Errorf("%+v, %v", e, err)
	}
	if a.Takes(payment.Money{Amount: paise(1), Currency: "INR"}) || !a.Takes(payment.Money{Amount: paise(1), Currency: "JPY"}) {
		t.Error("takes another currency")
	}
	const bare = `{"eventId":"pf_evt_1","event":"dispute.won","timestamp":1767229200}`
	if e, err := receive(a, signed(bare), bare); err != nil || e.Currency != "" || e.Amount != nil || e.PaymentRef != "" {
		t.Errorf("%+v, %v", e, err)
	}
}

func TestUnknownTypesAreIgnored(t *testing.T) {
	t.Parallel()
	a := adapter(t, payflow.Config{})
	for _, kind := range []string{"", `"event":"customer.created",`, `"event":"Payment.Success",`, `"event":null,`} {
		body := `{"eventId":"e",` + kind + `"timestamp":1767229200}`
		if e, err := receive(a, signed(body), body); err != nil || e.Effect != payment.EffectNone || e.Verdict != payment.Ignored || e.Reason == "" {
			t.Errorf("%s: %+v, %v", body, e, err)
		}
	}
}

func TestExplanationsTellTheAgeAndTheChange(t *testing.T) {
	t.Parallel()
	a := adapter(t, payflow.Config{})
	for note, c := range map[string]struct {
		header http.Header
		body   string
	}{
		"the timestamp is 5 s old":                  {signed(successBody), successBody},
		"the timestamp is 305 s old":                {signed(old()), old()},
		"5 s more than allowed":                     {signed(old()), old()},
		"would match without the last newline":      {signed(successBody), successBody + "\n"},
		"isn't 64 hex digits in lower case":         {http.Header{payflow.SignatureHeader: {"v1=0"}}, successBody},
		"header X-PayFlow-Signature is missing":     {nil, successBody},
		"the signature holds with secret current":   {signed("oops"), "oops"},
		"none of the 1 secrets made this signature": {signed(successBody), "oops"},
	} {
		e := a.Explain(c.header, []byte(c.body), now)
		if !strings.Contains(e.String(), note) {
			t.Errorf("%q is missing in\n%v", note, e)
		}
		if _, err := receive(a, c.header, c.body); fmt.Sprint(err) != fmt.Sprint(e.Err) {
			t.Errorf("the shop says %v, explained as\n%v", err, e)
		}
	}
}

func old() string { return strings.Replace(successBody, "1767229200", "1767228900", 1) }

func TestNewRefusesWhatCannotWork(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]payflow.Config{
		"an unknown currency":   {Currency: "canary"},
		"a small currency":      {Currency: "inr"},
		"no key secret":         {KeyID: keyID},
		"no key id":             {KeySecret: keySecret},
		"a newline in the key":  {KeyID: keyID, KeySecret: keySecret + "\n"},
		"a colon in the id":     {KeyID: keyID + ":", KeySecret: keySecret},
		"a user in the address": {BaseURL: "https://" + keySecret + "@api.example"},
	} {
		c.Secrets = []signing.Secret{{ID: "current", Key: secret}}
		if _, err := payflow.New(c); err == nil || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
