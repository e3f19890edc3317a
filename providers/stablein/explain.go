package stablein

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"time"

	"onceshop/payment"
)

// Explanation is what a person wants to know about one delivery. It never
// holds a secret, a signature that would be right, or a part of the body.
type Explanation struct {
	Err     error    // nil if the delivery is accepted, else what Verify or Parse said
	EventID string   // of an accepted delivery
	KeyID   string   // of the secret that signed it, also if it is stale or malformed
	Notes   []string // facts and guesses, one sentence each
}

// Accepted tells whether the shop would take the delivery.
func (e Explanation) Accepted() bool { return e.Err == nil }

// String is the explanation in lines.
func (e Explanation) String() string {
	first := "accepted: event " + e.EventID + ", signed with secret " + e.KeyID
	if e.Err != nil {
		first = "refused: " + e.Err.Error()
	}
	return strings.Join(append([]string{first}, e.Notes...), "\n")
}

func (e *Explanation) note(format string, args ...any) {
	e.Notes = append(e.Notes, fmt.Sprintf(format, args...))
}

// Explain does what Verify and Parse do and says why it ended so. The secrets
// may be weak, or out of date: it says that too. It takes far more time than
// Verify and tells about secrets which of them nearly matched, so it is for
// whoever holds them and never for a sender.
func Explain(header http.Header, raw []byte, now time.Time, secrets []Secret) Explanation {
	var e Explanation
	a := Adapter{secrets: secrets}
	var events []payment.Event
	if e.KeyID, e.Err = a.Verify(header, raw, now); e.Err == nil {
		if events, e.Err = a.Parse(header, raw); e.Err == nil {
			e.EventID = events[0].ID
		}
	}
	sum := sha256.Sum256(raw)
	e.note("the body has %d bytes, SHA-256 %s", len(raw), hex.EncodeToString(sum[:]))
	e.headers(header)
	if h, err := readHeaders(header); err == nil {
		e.age(h, now)
		e.KeyID, _ = match(secrets, h, raw, now)
		if e.KeyID != "" {
			e.note("the signature holds with secret %s", e.KeyID)
		} else {
			e.guess(h, raw, now, secrets)
		}
	}
	for _, s := range secrets {
		if err := CheckSecret(s.Key); err != nil {
			e.note("secret %s %v: the shop wouldn't start with it", s.ID, err)
		}
	}
	return e
}

// headers names everything that is wrong, where Verify stops at the first.
func (e *Explanation) headers(header http.Header) {
	for _, h := range []struct {
		name, form string
		ok         func(string) bool
	}{
		{EventIDHeader, "an id of 1 to 255 bytes", isRef},
		{TimestampHeader, "seconds since 1970: 1 to 12 digits, no leading zero", func(s string) bool { _, ok := parseTimestamp(s); return ok }},
		{SignatureHeader, `"v1=" and 64 hex digits in lower case`, func(s string) bool { _, ok := parseSignature(s); return ok }},
	} {
		value, err := single(header, h.name)
		switch {
		case err != nil:
			e.note("%s", strings.TrimPrefix(err.Error(), payment.ErrSignature.Error()+": "))
		case !h.ok(value):
			e.note("header %s has %d bytes and isn't %s", h.name, len(value), h.form)
		}
	}
}

func (e *Explanation) age(h headers, now time.Time) {
	seconds, direction := now.Unix()-h.unix, "old"
	if seconds < 0 {
		seconds, direction = -seconds, "ahead"
	}
	text := fmt.Sprintf("the timestamp is %d s %s at %s", seconds, direction, now.UTC().Format(time.RFC3339))
	if seconds > tolerance {
		text += fmt.Sprintf(", %d s more than allowed", seconds-tolerance)
	}
	e.note("%s", text)
}

// guess looks for what may have happened to a delivery on its way.
func (e *Explanation) guess(h headers, raw []byte, now time.Time, secrets []Secret) {
	found := len(e.Notes)
	for _, v := range variants(raw) {
		if _, ok := match(secrets, h, v.body, now); ok {
			e.note("the signature would match %s", v.name)
			break
		}
	}
	for _, s := range secrets {
		if _, ok := match([]Secret{{ID: s.ID, Key: s.Key}}, h, raw, now); ok {
			e.note("the signature is of secret %s, which ended at %s", s.ID, s.ValidUntil.UTC().Format(time.RFC3339))
		}
		if trimmed := strings.TrimSpace(s.Key); trimmed != s.Key {
			if _, ok := match([]Secret{{ID: s.ID, Key: trimmed}}, h, raw, now); ok {
				e.note("the signature would match secret %s without the white space around it", s.ID)
			}
		}
	}
	if len(e.Notes) == found {
		e.note("none of the %d secrets made this signature over these bytes and this timestamp, nor over the usual changes of them", len(secrets))
	}
}
