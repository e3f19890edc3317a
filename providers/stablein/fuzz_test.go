package stablein_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"strconv"
	"testing"
	"unicode/utf8"

	"onceshop/payment"
	"onceshop/providers/stablein"
)

var (
	timestampPattern = regexp.MustCompile(`\A(?:0|[1-9][0-9]{0,11})\z`)
	signaturePattern = regexp.MustCompile(`\Av1=[a-f0-9]{64}\z`)
)

// Verify agrees with the published description, said in another way.
func FuzzVerify(f *testing.F) {
	f.Add(paidID, "1767225600", paidByCurrent, []byte(paidBody))
	f.Add(paidID, "1767225600", paidByPrevious, []byte(paidBody))
	f.Add(paidID, "01767225600", paidByCurrent, []byte(paidBody))
	f.Add("", "", "", []byte(nil))
	a := rotating(f)
	f.Fuzz(func(t *testing.T, eventID, timestamp, signature string, body []byte) {
		h := make(http.Header)
		h.Set(stablein.EventIDHeader, eventID)
		h.Set(stablein.TimestampHeader, timestamp)
		h.Set(stablein.SignatureHeader, signature)
		check := func() {
			keyID, err := a.Verify(h, body, now)
			timestamp, signature := h.Get(stablein.TimestampHeader), h.Get(stablein.SignatureHeader)
			seconds, _ := strconv.ParseInt(timestamp, 10, 64)
			want := ""
			if timestampPattern.MatchString(timestamp) && signaturePattern.MatchString(signature) {
				switch signature {
				case stablein.Sign(current, seconds, body):
					want = "current"
				case stablein.Sign(previous, seconds, body):
					want = "previous"
				}
			}
			stale := seconds < clock-300 || seconds > clock+300
			switch {
			case errors.Is(err, payment.ErrStale):
				if want == "" || !stale {
					t.Errorf("told of a stale timestamp: signed with %q, stale %v", want, stale)
				}
			case err == nil:
				if keyID != want || want == "" || stale {
					t.Errorf("let in with %q, want %q, stale %v", keyID, want, stale)
				}
			case !errors.Is(err, payment.ErrSignature):
				t.Errorf("an error of no kind: %v", err)
			}
		}
		check()
		if seconds, err := strconv.ParseInt(timestamp, 10, 64); err == nil {
			h.Set(stablein.SignatureHeader, stablein.Sign(current, seconds, body))
			check()
		}
		if e := a.Explain(h, body, now); e.String() == "" {
			t.Error("nothing explained")
		}
	})
}

// What Parse accepts, another decoder reads in the same way.
func FuzzParse(f *testing.F) {
	f.Add([]byte(paidBody))
	f.Add([]byte(`{"id":"event", "data":"支付"}`))
	f.Add([]byte(`{"id":"e1","createdAt":"2026-01-01T00:00:10Z","data":{"orderId":"p1"},"order":{"id":"p1","revision":"3"}}`))
	f.Add([]byte(`{"id":"e1","Id":"e2"}`))
	f.Add([]byte(`{"\u0069d":"\ud83d\ude80"}`))
	f.Add([]byte(`[[[[`))
	a := rotating(f)
	f.Fuzz(func(t *testing.T, body []byte) {
		var other struct {
			ID    string
			Type  string
			Data  any
			Order struct {
				ID              string
				MerchantOrderID any // a text, if it may be ours
				Revision        *string
			}
		}
		decoded := json.Unmarshal(body, &other)
		events, err := a.Parse(headers(other.ID, clock, "v1="), body)
		if err != nil {
			if !errors.Is(err, payment.ErrMalformed) && !errors.Is(err, payment.ErrSignature) {
				t.Errorf("an error of no kind: %v", err)
			}
			return
		}
		e := events[0]
		if decoded != nil || !utf8.Valid(body) {
			t.Fatalf("accepted what others refuse: %v", decoded)
		}
		ref := other.Order.ID
		if data, ok := other.Data.(map[string]any); ok && ref == "" {
			ref, _ = data["orderId"].(string)
		}
		if e.ID != other.ID || e.Type != other.Type || e.PaymentRef != ref || e.OrderRef != "" && e.OrderRef != other.Order.MerchantOrderID {
			t.Errorf("read %+v, others read %+v", e, other)
		}
		if (e.Revision == nil) != (other.Order.Revision == nil) || e.Revision != nil && e.Revision.String() != *other.Order.Revision {
			t.Errorf("revision %v, others read %v", e.Revision, other.Order.Revision)
		}
	})
}
