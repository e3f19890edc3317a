package payflow_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"testing"
	"time"

	"onceshop/payment"
	"onceshop/providers/payflow"
	"onceshop/providers/signing"
)

var signaturePattern = regexp.MustCompile(`\A[a-f0-9]{64}\z`)

// Verify agrees with the description, said in another way.
func FuzzVerify(f *testing.F) {
	f.Add(payflow.Sign(secret, []byte(successBody)), []byte(successBody))
	f.Add("", []byte(`{"timestamp":1767229200}`))
	f.Add("", []byte(`{"timestamp":"1767229200"}`))
	a := adapter(f, payflow.Config{Secrets: []signing.Secret{{ID: "current", Key: secret}, {ID: "previous", Key: otherSecret}}})
	f.Fuzz(func(t *testing.T, signature string, body []byte) {
		for _, s := range []string{signature, payflow.Sign(secret, body), payflow.Sign(otherSecret, body)} {
			want := ""
			switch {
			case !signaturePattern.MatchString(s):
			case s == payflow.Sign(secret, body):
				want = "current"
			case s == payflow.Sign(otherSecret, body):
				want = "previous"
			}
			got, err := a.Verify(http.Header{payflow.SignatureHeader: {s}}, body, now)
			switch {
			case err == nil:
				var other struct{ Timestamp int64 }
				decoded := json.Unmarshal(body, &other)
				if age := now.Sub(time.Unix(other.Timestamp, 0)); got != want || want == "" || decoded != nil || age.Abs() > 300*time.Second {
					t.Errorf("let in with %q, want %q, age %v, %v", got, want, age, decoded)
				}
			case errors.Is(err, payment.ErrSignature) != (want == ""):
				t.Errorf("signed with %q: %v", want, err)
			case want != "" && !errors.Is(err, payment.ErrStale) && !errors.Is(err, payment.ErrMalformed):
				t.Errorf("an error of no kind: %v", err)
			}
		}
	})
}

// What Parse accepts, another decoder reads in the same way.
func FuzzParse(f *testing.F) {
	f.Add([]byte(successBody))
	f.Add([]byte(`{"eventId":"e","event":"refund.success","refundAmount":1,"refundedTotal":2,"timestamp":1}`))
	f.Add([]byte(`{"\u0065ventId":"\ud83d\ude80"}`))
	a := adapter(f, payflow.Config{})
	f.Fuzz(func(t *testing.T, body []byte) {
		events, err := a.Parse(nil, body)
		if err != nil {
			if !errors.Is(err, payment.ErrMalformed) {
				t.Errorf("an error of no kind: %v", err)
			}
			return
		}
		var other struct {
			EventID, Event, OrderID string
			Amount                  *json.Number
		}
		if err := json.Unmarshal(body, &other); err != nil {
			t.Fatalf("accepted what others refuse: %v", err)
		}
		e := events[0]
		if e.ID != other.EventID || e.Type != other.Event || e.PaymentRef != other.OrderID || (e.Amount == nil) != (other.Amount == nil) || e.Amount != nil && e.Amount.String() != other.Amount.String() {
			t.Errorf("read %+v, others read %+v", e, other)
		}
	})
}
