package stablein_test

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"onceshop/payment"
	"onceshop/providers/signing"
	"onceshop/providers/stablein"
)

func TestExplanationsSayWhatIsWrong(t *testing.T) {
	t.Parallel()
	secrets := []signing.Secret{{ID: "current", Key: current}, {ID: "previous", Key: previous, ValidUntil: now.Add(-time.Second)}}
	a := adapter(t, stablein.Config{Secrets: secrets})
	right := headers(paidID, clock, paidByCurrent)
	change := func(name, value string) http.Header {
		h := right.Clone()
		h.Set(name, value)
		return h
	}
	missing, twice := right.Clone(), right.Clone()
	missing.Del(stablein.TimestampHeader)
	missing.Set(stablein.EventIDHeader, " ")
	twice.Add(stablein.SignatureHeader, paidByCurrent)
	blanks := strings.NewReplacer(`,`, `, `).Replace(paidBody)
	const escapedID = "e0000000-0000-4000-8000-000000000028"
	for name, d := range map[string]struct {
		header http.Header
		body   string
		at     time.Time
		err    error
		notes  []string
	}{
		"accepted":                 {right, paidBody, now, nil, []string{"signature holds with secret current", "339 bytes, SHA-256 ", "timestamp is 0 s old"}},
		"stale":                    {right, paidBody, now.Add(301 * time.Second), payment.ErrStale, []string{"301 s old at 2026-01-01T00:05:01Z, 1 s more than allowed", "holds with secret current"}},
		"ahead":                    {right, paidBody, now.Add(-400 * time.Second), payment.ErrStale, []string{"400 s ahead", "100 s more than allowed"}},
		"two headers wrong":        {missing, paidBody, now, payment.ErrSignature, []string{"header StableIn-Timestamp is missing", "header StableIn-Event-Id has 1 bytes and isn't an id"}},
		"header twice":             {twice, paidBody, now, payment.ErrSignature, []string{"header StableIn-Signature occurs 2 times"}},
		"capital hex":              {change(stablein.SignatureHeader, strings.ToUpper(paidByCurrent)), paidBody, now, payment.ErrSignature, []string{"hex digits in lower case"}},
		"another id":               {change(stablein.EventIDHeader, "other"), paidBody, now, payment.ErrSignature, []string{"holds with secret current"}},
		"last newline":             {right, paidBody + "\n", now, payment.ErrSignature, []string{"would match without the last newline"}},
		"last CRLF":                {right, paidBody + "\r\n", now, payment.ErrSignature, []string{"would match without the last carriage return and newline"}},
		"byte order mark":          {right, "\ufeff" + paidBody, now, payment.ErrSignature, []string{"would match without the byte order mark"}},
		"newline lost":             {headers(paidID, clock, "v1=e231d1fc3812b952bad4b3f218a9ba03dee09df934c66fc237625d07223ecc94"), paidBody, now, payment.ErrSignature, []string{"would match with a newline at the end"}},
		"blanks added":             {right, blanks, now, payment.ErrSignature, []string{"would match without white space between the parts"}},
		"blanks lost":              {signed(paidID, blanks), paidBody, now, payment.ErrSignature, []string{"would match with a blank after each comma of"}},
		"escaped":                  {signed(escapedID, `{"id":"`+escapedID+`","note":"é"}`), `{"id":"` + escapedID + `","note":"\u00e9"}`, now, payment.ErrSignature, []string{"would match with the characters themselves"}},
		"secret over":              {headers(paidID, clock, paidByPrevious), paidBody, now, payment.ErrSignature, []string{"is of secret previous, which ended at 2025-12-31T23:59:59Z"}},
		"another body":             {right, `{"id":"` + paidID + `"}`, now, payment.ErrSignature, []string{"none of the 2 secrets"}},
		"signed and not JSON":      {signed(paidID, "{"), "{", now, payment.ErrMalformed, []string{"holds with secret current"}},
		"signed, the wrong second": {change(stablein.TimestampHeader, "1767225601"), paidBody, now, payment.ErrSignature, []string{"none of the 2 secrets"}},
	} {
		e := a.Explain(d.header, []byte(d.body), d.at)
		text := e.String()
		if !errors.Is(e.Err, d.err) || e.Accepted() != (d.err == nil) || e.Accepted() != slices.Equal(e.EventIDs, []string{paidID}) {
			t.Errorf("%s: %v", name, text)
		}
		for _, note := range d.notes {
			if !strings.Contains(text, note) {
				t.Errorf("%s: %q is missing in\n%s", name, note, text)
			}
		}
		for _, hidden := range []string{current, previous, paidByCurrent[3:], paidByPrevious[3:], "50000", "é"} {
			if strings.Contains(text, hidden) {
				t.Errorf("%s: the explanation says %q", name, hidden)
			}
		}
		// What it says has to be what the shop does.
		if _, err := receive(adapter(t, stablein.Config{Secrets: secrets}), d.header, d.body, d.at); (err == nil) != e.Accepted() {
			t.Errorf("%s: the shop says %v", name, err)
		}
	}
}

func TestExplanationsSpeakOfWeakSecrets(t *testing.T) {
	t.Parallel()
	a := adapter(t, stablein.Config{Secrets: []signing.Secret{{ID: "a", Key: current + "\n"}, {ID: "b", Key: "changeme"}}})
	e := a.Explain(headers(paidID, clock, paidByCurrent), []byte(paidBody), now)
	for _, note := range []string{
		"would match secret a without the white space around it", "secret a has white space around it", "secret b is a placeholder",
	} {
		if !strings.Contains(e.String(), note) {
			t.Errorf("%q is missing in\n%v", note, e)
		}
	}
	if strings.Contains(e.String(), current) {
		t.Error("the secret is in it")
	}
}
