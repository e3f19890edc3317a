package standardwebhooks_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"onceshop/payment"
	"onceshop/providers/standardwebhooks"
)

var (
	timestampPattern = regexp.MustCompile(`\A(?:0|[1-9][0-9]{0,11})\z`)
	entryPattern     = regexp.MustCompile(`\A[^, ]+,[^ ]+\z`)
	oursPattern      = regexp.MustCompile(`\Av1,[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=\z`)
)

// expected is the specification said in another way: the texts are compared.
func expected(secret, id, timestamp string, body []byte) string {
	key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// Verify agrees with the specification, and with what we made of it.
func FuzzVerify(f *testing.F) {
	f.Add(paidID, "1767229200", byCurrent, []byte(paidBody))
	f.Add(paidID, "1767229200", byPrevious, []byte(paidBody))
	f.Add(paidID, "1767229200", "v1a,AAAA "+byPrevious+" "+byCurrent, []byte(paidBody))
	f.Add(paidID, "01767229200", byCurrent, []byte(paidBody))
	f.Add("a.b", "1767229200", "v1, v1,", []byte(paidBody))
	f.Add("", "", "", []byte(nil))
	a := rotating(f)
	f.Fuzz(func(t *testing.T, id, timestamp, signature string, body []byte) {
		for _, signature := range []string{signature, expected(current, id, timestamp, body), signature + " " + expected(previous, id, timestamp, body)} {
			h := make(http.Header)
			h.Set(standardwebhooks.IDHeader, id)
			h.Set(standardwebhooks.TimestampHeader, timestamp)
			h.Set(standardwebhooks.SignatureHeader, signature)
			keyID, err := a.Verify(h, body, now)

			want, formed := "", timestampPattern.MatchString(timestamp) && id != "" && !strings.Contains(id, ".")
			entries := strings.Split(signature, " ")
			for _, entry := range entries {
				formed = formed && entryPattern.MatchString(entry) && (!strings.HasPrefix(entry, "v1,") || oursPattern.MatchString(entry))
			}
			for name, secret := range map[string]string{"previous": previous, "current": current} {
				for _, entry := range entries {
					if formed && entry == expected(secret, id, timestamp, body) && want != "current" {
						want = name
					}
				}
			}
			seconds, _ := strconv.ParseInt(timestamp, 10, 64)
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
			case want != "" && len(id) < 100 && strings.TrimSpace(id) == id && regexp.MustCompile(`\A[!-~]+\z`).MatchString(id):
				t.Errorf("signed with %q and refused: %v", want, err)
			}
			if e := a.Explain(h, body, now); e.String() == "" {
				t.Error("nothing explained")
			}
		}
	})
}

// What Parse accepts, another decoder reads in the same way.
func FuzzParse(f *testing.F) {
	f.Add([]byte(paidBody))
	f.Add([]byte(`{"type":"payment.paid","data":null}`))
	f.Add([]byte(`{"type":"user.created","data":[1]}`))
	f.Add([]byte(`{"data":{"Order_ref":"a"},"type":"payment.paid"}`))
	f.Add([]byte(`{"\u0074ype":"\ud83d\ude80"}`))
	f.Add([]byte(`[[[[`))
	a := rotating(f)
	h := signed(paidID, current, clock, paidBody)
	f.Fuzz(func(t *testing.T, body []byte) {
		events, err := a.Parse(h, body)
		if err != nil {
			if !errors.Is(err, payment.ErrMalformed) {
				t.Errorf("an error of no kind: %v", err)
			}
			return
		}
		var other struct {
			Type string
			Data any
		}
		decoder := json.NewDecoder(strings.NewReader(string(body)))
		decoder.UseNumber()
		if err := decoder.Decode(&other); err != nil {
			t.Fatalf("accepted what others refuse: %v", err)
		}
		e := events[0]
		if e.Type != other.Type || e.ID != paidID {
			t.Errorf("read %+v, others read %+v", e, other)
		}
		if e.Verdict == payment.Ignored {
			return
		}
		data, _ := other.Data.(map[string]any)
		paymentRef, _ := data["payment_ref"].(string)
		if e.PaymentRef != paymentRef || e.OrderRef != "" && e.OrderRef != data["order_ref"] {
			t.Errorf("read %+v, others read %+v", e, other)
		}
		if amount, ok := data["amount_minor"].(json.Number); e.Amount != nil && (!ok || e.Amount.String() != amount.String() || e.Currency != data["currency"]) {
			t.Errorf("read %v %s, others read %+v", e.Amount, e.Currency, other)
		}
	})
}
