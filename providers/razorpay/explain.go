package razorpay

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
	if digest, err := signing.HexHeader(header, SignatureHeader); err == nil {
		e.Guess(raw, a.secrets, now, func(secrets []signing.Secret, body []byte, now time.Time) (string, bool) {
			return signing.MatchBody(secrets, digest, body, now)
		})
		if key := (signing.Secret{ID: "key", Key: a.keySecret}); e.KeyID == "" {
			if _, ok := signing.MatchBody([]signing.Secret{key}, digest, raw, now); ok {
				e.Note("the signature is of the API key's secret: the webhook was set up with that one")
			}
		}
	}
	if e.Accepted() && alias(header) == "" {
		e.Note("header %s is missing or no id: the body alone tells which event it is", EventIDHeader)
	}
	e.Strength(a.secrets, CheckSecret)
	return e
}
