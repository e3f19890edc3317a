package payflow

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
	e.Headers(header, signing.HeaderForm{Name: SignatureHeader, Form: "64 hex digits in lower case",
		OK: func(s string) bool { _, ok := signing.LowerHex(s); return ok }})
	if sent, err := readTimestamp(raw); err == nil {
		e.Age(sent.Unix(), now)
	}
	if digest, err := signing.HexHeader(header, SignatureHeader); err == nil {
		e.Guess(raw, a.secrets, now, func(secrets []signing.Secret, body []byte, now time.Time) (string, bool) {
			return signing.MatchBody(secrets, digest, body, now)
		})
	}
	e.Strength(a.secrets, signing.CheckSecret)
	return e
}
