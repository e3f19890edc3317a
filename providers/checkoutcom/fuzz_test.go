package checkoutcom_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"onceshop/payment"
	"onceshop/providers/checkoutcom"
	"onceshop/providers/vectortest"
)

var signaturePattern = regexp.MustCompile(`\A[a-fA-F0-9]{64}\z`)

// Verify agrees with the documentation, said in another way.
func FuzzVerify(f *testing.F) {
	for _, v := range vectortest.Read(f, "checkout", "testdata").Vectors {
		f.Add(v.Headers[checkoutcom.SignatureHeader], []byte(v.Body))
	}
	f.Add(strings.Repeat("0", 64), []byte(nil))
	a := adapter(f, config())
	f.Fuzz(func(t *testing.T, signature string, body []byte) {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write(body)
		right := hex.EncodeToString(mac.Sum(nil))
		for _, signature := range []string{signature, right, strings.ToUpper(right)} {
			want := signaturePattern.MatchString(signature) && strings.ToLower(signature) == right
			keyID, err := a.Verify(http.Header{checkoutcom.SignatureHeader: {signature}}, body, now)
			switch {
			case (err == nil) != want, want != (keyID == "current"):
				t.Errorf("%q: let in with %q, %v", signature, keyID, err)
			case err != nil && !errors.Is(err, payment.ErrSignature):
				t.Errorf("an error of no kind: %v", err)
			}
		}
	})
}

// What Parse accepts, another decoder reads in the same way.
func FuzzParse(f *testing.F) {
	for _, e := range vectortest.Read(f, "checkout", "testdata").Events.Events {
		f.Add([]byte(e.Body))
	}
	f.Add([]byte(`{"id":"evt_1","type":"dispute_won","timestamp":"2026-01-01T00:00:00.1234567Z","data":{"payment_id":"pay_1","amount":1.0}}`))
	f.Add([]byte(`{"id":"evt_1","Id":"evt_2"}`))
	f.Add([]byte(`{"\u0069d":"evt_1","type":"payment_captured","data":{"balances":{"total_captured":1e3}}}`))
	f.Add([]byte(`{"id":"evt_1","type":"payment_refunded","data":null}`))
	f.Add([]byte(`[[[[`))
	a := adapter(f, config())
	f.Fuzz(func(t *testing.T, body []byte) {
		events, err := a.Parse(signed(string(body)), body)
		if err != nil {
			if !errors.Is(err, payment.ErrMalformed) {
				t.Errorf("an error of no kind: %v", err)
			}
			return
		}
		var other struct {
			ID, Type string
			Data     json.RawMessage
		}
		if err := json.Unmarshal(body, &other); err != nil || !utf8.Valid(body) {
			t.Fatalf("accepted what others refuse: %v", err)
		}
		e := events[0]
		if e.ID != other.ID || e.Type != other.Type {
			t.Errorf("read %+v, others read %+v", e, other)
		}
		if e.Verdict == payment.Ignored && e.PaymentRef == "" {
			return
		}
		var data struct {
			ID        string
			PaymentID string `json:"payment_id"`
			Balances  struct {
				Authorised json.Number `json:"total_authorized"`
				Captured   json.Number `json:"total_captured"`
			}
		}
		if len(other.Data) > 0 && json.Unmarshal(other.Data, &data) != nil {
			t.Fatal("accepted data that others refuse")
		}
		if e.PaymentRef != data.ID && e.PaymentRef != data.PaymentID {
			t.Errorf("payment %q, others read %+v", e.PaymentRef, data)
		}
		if captured := e.Type == "payment_captured" && e.Status == payment.Paid; captured && (data.Balances.Captured == "" || data.Balances.Authorised == "") {
			t.Errorf("paid by %+v", data.Balances)
		}
	})
}

// Whatever the API answers, Fetch has a whole record or an error with a kind.
func FuzzFetch(f *testing.F) {
	for _, seed := range []string{
		captured("pay_1", 2500).json(false), attempted("pay_1", "Declined").json(true), `[` + capture("act_1", 1) + `]`,
		`{"total_count":1,"data":[` + captured("pay_1", 2500).json(true) + `]}`, `{"data":[` + dispute("dsp_1", "pay_1", "won") + `]}`, `[{"type":"Refund","amount":1,"id":"a"}]`,
	} {
		f.Add([]byte(seed), []byte(`[]`), []byte(`{"data":[]}`))
	}
	f.Fuzz(func(t *testing.T, payments, actions, disputes []byte) {
		a := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case strings.HasSuffix(r.URL.Path, "/actions"):
				w.Write(actions)
			case r.URL.Path == "/disputes":
				w.Write(disputes)
			default:
				w.Write(payments)
			}
		}))
		for _, asked := range []string{ref, "pay_1"} {
			s, err := a.Fetch(t.Context(), asked)
			switch {
			case err == nil && (s.Ref == "" || s.Status == "" || s.RefundStatus == "" || s.Currency == ""):
				t.Errorf("half a record: %+v", s)
			case err == nil && s.Status == payment.Paid && s.Received.Cmp(s.Amount) < 0:
				t.Errorf("paid with less: %+v", s)
			case err != nil && !errors.Is(err, payment.ErrLater) && !errors.Is(err, payment.ErrNotFound):
				t.Errorf("an error of another kind: %v", err)
			}
		}
	})
}
