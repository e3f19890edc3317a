package stablein

import (
	"net/http"
	"time"

	"onceshop/providers/signing"
	"onceshop/providers/wire"
)

// Explain does what Verify and Parse do and says why it ended so. It takes far
// more time than Verify and tells about secrets which of them nearly matched, so
// it is for whoever holds them and never for a sender.
func (a *Adapter) Explain(header http.Header, raw []byte, now time.Time) signing.Explanation {
	e := signing.Explain(a, header, raw, now)
	e.Headers(header,
		signing.HeaderForm{Name: EventIDHeader, Form: "an id of 1 to 255 bytes", OK: wire.IsRef},
		signing.HeaderForm{Name: TimestampHeader, Form: "seconds since 1970: 1 to 12 digits, no leading zero",
			OK: func(s string) bool { _, ok := signing.Timestamp(s); return ok }},
		signing.HeaderForm{Name: SignatureHeader, Form: `"v1=" and 64 hex digits in lower case`,
			OK: func(s string) bool { _, ok := parseSignature(s); return ok }},
	)
	if h, err := readHeaders(header); err == nil {
		e.Age(h.unix, now)
		e.Guess(raw, a.secrets, now, func(secrets []signing.Secret, body []byte, now time.Time) (string, bool) {
			return match(secrets, h, body, now)
		})
	}
	e.Strength(a.secrets, signing.CheckSecret)
	return e
}
