package standardwebhooks

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"onceshop/providers/signing"
)

// Explain does what Verify and Parse do and says why it ended so. It takes far
// more time than Verify and tells about secrets which of them nearly matched, so
// it is for whoever holds them and never for a sender.
func (a *Adapter) Explain(header http.Header, raw []byte, now time.Time) signing.Explanation {
	e := signing.Explain(a, header, raw, now)
	e.Headers(header,
		signing.HeaderForm{Name: IDHeader, Form: "an id of 1 to 255 bytes without a dot", OK: isID},
		signing.HeaderForm{Name: TimestampHeader, Form: "seconds since 1970: 1 to 12 digits, no leading zero",
			OK: func(s string) bool { _, ok := signing.Timestamp(s); return ok }},
		signing.HeaderForm{Name: SignatureHeader, Form: `a list of signatures, one blank between them, with at least one of "v1," and 32 bytes in base64`,
			OK: func(s string) bool { _, ok := parseSignature(s); return ok }},
	)
	if h, err := readHeaders(header); err == nil {
		e.Age(h.unix, now)
		e.Guess(raw, a.secrets, now, func(secrets []signing.Secret, body []byte, now time.Time) (string, bool) {
			return match(secrets, h, body, now)
		})
		for _, s := range a.secrets {
			if signedByText(h, s.Key, raw) {
				e.Note("the signature would match if secret %s were the key itself and not base64 of it, as Stripe's are", s.ID)
			}
		}
	}
	e.Strength(a.secrets, CheckSecret)
	return e
}

// signedByText tells whether a sender took the secret's text for the key. Stripe's
// secrets look the same, and there it is.
func signedByText(h headers, secret string, raw []byte) bool {
	return slices.Contains(h.digests, h.digest([]byte(secret), raw)) ||
		slices.Contains(h.digests, h.digest([]byte(strings.TrimPrefix(secret, prefix)), raw))
}
