package razorpay_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"testing"

	"onceshop/payment"
	"onceshop/providers/razorpay"
	"onceshop/providers/signing"
)

var signaturePattern = regexp.MustCompile(`\A[a-f0-9]{64}\z`)

// Verify agrees with the documentation, said in another way.
func FuzzVerify(f *testing.F) {
	f.Add(razorpay.Sign(secret, []byte(capturedBody)), []byte(capturedBody))
	f.Add(razorpay.Sign(otherSecret, nil), []byte(nil))
	f.Add("", []byte("{}"))
	a := adapter(f, razorpay.Config{Secrets: []signing.Secret{{ID: "current", Key: secret}, {ID: "previous", Key: otherSecret}}})
	f.Fuzz(func(t *testing.T, signature string, body []byte) {
		for _, s := range []string{signature, razorpay.Sign(secret, body), razorpay.Sign(otherSecret, body)} {
			want := ""
			switch {
			case !signaturePattern.MatchString(s):
			case s == razorpay.Sign(secret, body):
				want = "current"
			case s == razorpay.Sign(otherSecret, body):
				want = "previous"
			}
			got, err := a.Verify(http.Header{razorpay.SignatureHeader: {s}}, body, now)
			if got != want || (err == nil) != (want != "") || err != nil && !errors.Is(err, payment.ErrSignature) {
				t.Errorf("%q: key %q, want %q, error %v", s, got, want, err)
			}
		}
	})
}

// What Parse accepts, another decoder reads in the same way.
func FuzzParse(f *testing.F) {
	f.Add([]byte(capturedBody))
	f.Add([]byte(`{"event":"payment.captured","payload":{"payment":{"entity":{"id":"pay_1","notes":[]}}}}`))
	f.Add([]byte(`{"event":"a","payload":null,"created_at":null}`))
	f.Add([]byte(`{"\u0065vent":"\ud83d\ude80"}`))
	a := verifying(f)
	f.Fuzz(func(t *testing.T, body []byte) {
		events, err := a.Parse(nil, body)
		if err != nil {
			if !errors.Is(err, payment.ErrMalformed) {
				t.Errorf("an error of no kind: %v", err)
			}
			return
		}
		var other struct {
			Event   string
			Payload struct {
				Payment struct{ Entity struct{ ID string } }
			}
		}
		if err := json.Unmarshal(body, &other); err != nil {
			t.Fatalf("accepted what others refuse: %v", err)
		}
		e, id := events[0], other.Payload.Payment.Entity.ID
		if e.Type != other.Event || id != "" && e.PaymentRef != id {
			t.Errorf("read %+v, others read %+v", e, other)
		}
	})
}
