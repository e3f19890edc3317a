package standardwebhooks_test

import (
	"encoding/base64"
	"net/http"
	"strings"
	"testing"
	"time"

	"onceshop/providers/signing"
	"onceshop/providers/standardwebhooks"
)

func TestExplanationsSayWhatIsWrong(t *testing.T) {
	t.Parallel()
	a := adapter(t, standardwebhooks.Config{Secrets: []signing.Secret{
		{ID: "current", Key: current}, {ID: "previous", Key: previous, ValidUntil: now.Add(-time.Second)}, {ID: "typo", Key: "whsec_one-digit-is-wrong"},
	}})
	right := signed(paidID, current, clock, paidBody)
	change := func(name, value string) http.Header {
		h := right.Clone()
		h.Set(name, value)
		return h
	}
	text := signing.Digest([]byte(current), []byte(paidID+".1767229200."+paidBody))
	bare := signing.Digest([]byte(strings.TrimPrefix(current, "whsec_")), []byte(paidID+".1767229200."+paidBody))
	for name, d := range map[string]struct {
		header http.Header
		body   string
		at     time.Time
		notes  []string
	}{
		"accepted":          {right, paidBody, now, []string{"accepted: event " + paidID, "holds with secret current", "timestamp is 0 s old"}},
		"stale":             {right, paidBody, now.Add(301 * time.Second), []string{"301 s old", "1 s more than allowed", "holds with secret current"}},
		"an id with a dot":  {change(standardwebhooks.IDHeader, "a.b"), paidBody, now, []string{"Webhook-Id has 3 bytes and isn't an id of 1 to 255 bytes without a dot"}},
		"only v1a":          {change(standardwebhooks.SignatureHeader, "v1a,AAAA"), paidBody, now, []string{`at least one of "v1,"`}},
		"a newline more":    {right, paidBody + "\n", now, []string{"would match without the last newline"}},
		"an ended secret":   {signed(paidID, previous, clock, paidBody), paidBody, now, []string{"of secret previous, which ended"}},
		"the text as key":   {change(standardwebhooks.SignatureHeader, "v1,"+base64.StdEncoding.EncodeToString(text[:])), paidBody, now, []string{"if secret current were the key itself"}},
		"the bare text":     {change(standardwebhooks.SignatureHeader, "v1,"+base64.StdEncoding.EncodeToString(bare[:])), paidBody, now, []string{"if secret current were the key itself"}},
		"a secret's typo":   {right, paidBody, now, []string{"secret typo isn't base64 after whsec_: the shop wouldn't start with it"}},
		"signed, no object": {signed(paidID, current, clock, "[]"), "[]", now, []string{"refused: not one unambiguous event", "holds with secret current"}},
	} {
		e := a.Explain(d.header, []byte(d.body), d.at)
		for _, note := range d.notes {
			if !strings.Contains(e.String(), note) {
				t.Errorf("%s: %q is missing in\n%s", name, note, e)
			}
		}
		for _, hidden := range []string{current, previous, byCurrent[3:], byPrevious[3:], "ORD-1001"} {
			if strings.Contains(e.String(), hidden) {
				t.Errorf("%s: the explanation says %q", name, hidden)
			}
		}
	}
}
