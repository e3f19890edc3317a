package stripe_test

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"onceshop/payment"
	"onceshop/providers/signing"
	"onceshop/providers/stripe"
)

const paidBody = `{"id":"evt_1","object":"event","created":1767225600,"data":{"object":{"id":"cs_test_1","object":"checkout.session","amount_total":2500,` +
	`"client_reference_id":"our-1","currency":"eur","payment_intent":"pi_1","payment_status":"paid","status":"complete"}},"livemode":false,` +
	`"pending_webhooks":1,"type":"checkout.session.completed"}`

// made is one v1 signature over paidBody.
func made(secret string) string {
	_, v1, _ := strings.Cut(stripe.Sign(secret, clock, []byte(paidBody)), ",")
	return v1
}

func TestEverySignatureOfTheHeaderIsTriedAgainstEverySecret(t *testing.T) {
	t.Parallel()
	const elsewhere = "whsec_of_another_endpoint_"
	a := adapter(t, stripe.Config{})
	for _, d := range []struct {
		signatures []string
		keyID      string
	}{
		{[]string{made(current)}, "current"},
		{[]string{made(previous)}, "previous"},
		{[]string{made(elsewhere)}, ""},
		{[]string{made(elsewhere), made(current)}, "current"},
		{[]string{made(previous), made(elsewhere)}, "previous"},
		{[]string{made(previous), made(current)}, "current"},
		{[]string{"v1=00", made(current)}, "current"},
		{[]string{strings.ToUpper(made(current)), made(previous)}, "previous"},
		{[]string{"v0" + made(current)[2:]}, ""},
		{[]string{"v0" + made(elsewhere)[2:], made(current)}, "current"},
		{[]string{"v2" + made(current)[2:]}, ""},
		{[]string{"v2=", made(current)}, "current"},
		{[]string{"V1" + made(current)[2:]}, ""},
	} {
		// The timestamp's place is nobody's promise.
		for at := range len(d.signatures) + 1 {
			value := strings.Join(slices.Insert(slices.Clone(d.signatures), at, "t=1767225600"), ",")
			keyID, err := a.Verify(header(value), []byte(paidBody), now)
			if keyID != d.keyID || (d.keyID == "") != errors.Is(err, payment.ErrSignature) || (err == nil) != (d.keyID != "") {
				t.Errorf("%s: key %q, %v", value, keyID, err)
			}
		}
	}
}

func TestOnePartOutOfFormMakesTheHeaderInvalid(t *testing.T) {
	t.Parallel()
	a := adapter(t, stripe.Config{})
	right := "t=1767225600," + made(current)
	for _, value := range []string{
		right + ",", "," + right, right + ",v1", right + ",v9=a=b", right + ",=", right + "=", right + ", v1",
		right + ",t=1767225600", "t=1767225600," + right, right + ",t=", made(current), "t=," + made(current),
		"t=01767225600," + made(current), "t=+1767225600," + made(current), "t=1767225600.0," + made(current), "t= 1767225600," + made(current),
		"T=1767225600," + made(current), strings.Replace(right, ",", ";", 1), strings.Replace(right, ",", ", ", 1), "t=1767225600",
	} {
		// An empty scheme is as unknown as any other; all else is refused.
		_, err := a.Verify(header(value), []byte(paidBody), now)
		if unknown := value == right+",="; unknown != (err == nil) || err != nil && !errors.Is(err, payment.ErrSignature) {
			t.Errorf("%s: %v", value, err)
		}
	}
}

func TestATimestampAheadIsAsStaleAsAnOldOne(t *testing.T) {
	t.Parallel()
	a := adapter(t, stripe.Config{})
	for off, want := range map[int64]error{-301: payment.ErrStale, -300: nil, 0: nil, 300: nil, 301: payment.ErrStale, 1 << 33: payment.ErrStale} {
		value := stripe.Sign(current, clock+off, []byte(paidBody))
		if _, err := a.Verify(header(value), []byte(paidBody), now); !errors.Is(err, want) {
			t.Errorf("%d s ahead: got %v, want %v", off, err, want)
		}
	}
}

func TestTheSecretIsTakenWithItsPrefix(t *testing.T) {
	t.Parallel()
	a := adapter(t, stripe.Config{Secrets: []signing.Secret{{ID: "bare", Key: strings.TrimPrefix(current, "whsec_")}}})
	if _, err := a.Verify(signed(paidBody), []byte(paidBody), now); !errors.Is(err, payment.ErrSignature) {
		t.Error(err)
	}
}

var signatureForm = regexp.MustCompile(`^[^=,]*=[^=,]*(,[^=,]*=[^=,]*)*$`)

// Verify agrees with the published description, said in another way.
func FuzzVerify(f *testing.F) {
	f.Add(stripe.Sign(current, clock, []byte(paidBody)), []byte(paidBody))
	f.Add("t=1767225600,v0=00,"+made(previous), []byte(paidBody))
	f.Add("t=1767225600,t=1767225600,"+made(current), []byte(paidBody))
	f.Add("t=01767225600,v1", []byte(paidBody))
	f.Add("", []byte(nil))
	a := adapter(f, stripe.Config{})
	f.Fuzz(func(t *testing.T, value string, body []byte) {
		check := func(value string) {
			var times, signatures []string
			for _, part := range strings.Split(value, ",") {
				if text, ok := strings.CutPrefix(part, "t="); ok {
					times = append(times, text)
				}
				if strings.HasPrefix(part, "v1=") {
					signatures = append(signatures, part)
				}
			}
			want, seconds := "", int64(0)
			if signatureForm.MatchString(value) && len(times) == 1 {
				seconds, _ = strconv.ParseInt(times[0], 10, 64)
				for _, s := range []struct{ id, key string }{{"previous", previous}, {"current", current}} {
					right := stripe.Sign(s.key, seconds, body)
					if slices.ContainsFunc(signatures, func(v1 string) bool { return "t="+times[0]+","+v1 == right }) {
						want = s.id
					}
				}
			}
			stale := seconds < clock-300 || seconds > clock+300
			keyID, err := a.Verify(header(value), body, now)
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
			if e := a.Explain(header(value), body, now); e.String() == "" {
				t.Error("nothing explained")
			}
		}
		check(value)
		check(value + "," + strings.SplitN(stripe.Sign(current, clock, body), ",", 2)[1])
		check(stripe.Sign(previous, clock, body) + "," + value)
	})
}

func TestExplanationsSayWhatIsWrong(t *testing.T) {
	t.Parallel()
	a := adapter(t, stripe.Config{Secrets: []signing.Secret{{ID: "current", Key: current}, {ID: "short", Key: "whsec_short"}}})
	right := stripe.Sign(current, clock, []byte(paidBody))
	for name, d := range map[string]struct {
		value, body string
		at          time.Time
		err         error
		note        string
	}{
		"accepted":        {right, paidBody, now, nil, "holds with secret current"},
		"two signatures":  {right + "," + made("whsec_of_another_endpoint_"), paidBody, now, nil, "2 signatures of scheme v1"},
		"ahead":           {right, paidBody, now.Add(-301 * time.Second), payment.ErrStale, "301 s ahead"},
		"no t":            {made(current), paidBody, now, payment.ErrSignature, `isn't parts of one "=" each`},
		"a newline more":  {right, paidBody + "\n", now, payment.ErrSignature, "would match without the last newline"},
		"signed, no JSON": {stripe.Sign(current, clock, []byte("{")), "{", now, payment.ErrMalformed, "holds with secret current"},
		"a weak secret":   {right, paidBody, now, nil, "secret short is shorter than 16 bytes"},
	} {
		e := a.Explain(header(d.value), []byte(d.body), d.at)
		if !errors.Is(e.Err, d.err) || e.Accepted() != (d.err == nil) || !strings.Contains(e.String(), d.note) {
			t.Errorf("%s: want %q in\n%v", name, d.note, e)
		}
		checkQuiet(t, errors.New(e.String()))
	}
}
