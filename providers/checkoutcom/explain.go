package checkoutcom

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
	forms := []signing.HeaderForm{{Name: SignatureHeader, Form: "64 hex digits",
		OK: func(s string) bool { _, ok := signing.Hex(s); return ok }}}
	if a.authorization != "" {
		forms = append(forms, signing.HeaderForm{Name: AuthorizationHeader, Form: "the value that was agreed on", OK: a.isAuthorization})
	}
	e.Headers(header, forms...)
	if value, err := signing.Header(header, SignatureHeader); err == nil {
		if given, ok := signing.Hex(value); ok {
			e.Guess(raw, a.secrets, now, func(secrets []signing.Secret, body []byte, now time.Time) (string, bool) {
				return signing.MatchBody(secrets, given, body, now)
			})
		}
	}
	e.Strength(a.secrets, signing.CheckSecret)
	return e
}
