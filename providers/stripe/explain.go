package stripe

import (
	"net/http"
	"time"

	"onceshop/providers/signing"
)

// Explain does what Verify and Parse do and says why it ended so. It takes far
// more time than Verify and tells about secrets which of them nearly matched, so
// it is for whoever holds them and never for a sender.
func (a *Adapter) Explain(header http.Header, raw []byte, now time.Time) signing.Explanation {
	e := signing.Explain(a, header, raw, now)
	e.Headers(header, signing.HeaderForm{
		Name: SignatureHeader,
		Form: `parts of one "=" each between commas: one t with seconds since 1970, and v1 with 64 hex digits in lower case`,
		OK:   func(s string) bool { _, ok := parseSignature(s); return ok },
	})
	if s, err := readSignature(header); err == nil {
		e.Age(s.unix, now)
		if n := len(s.digests); n > 1 {
			e.Note("the header has %d signatures of scheme v1, as while a secret is rolled", n)
		}
		e.Guess(raw, a.secrets, now, func(secrets []signing.Secret, body []byte, now time.Time) (string, bool) {
			return match(secrets, s, body, now)
		})
	}
	e.Strength(a.secrets, CheckSecret)
	return e
}
