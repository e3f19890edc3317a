package signing

import (
	"cmp"
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
	Err      error    // nil if the delivery is accepted, else what Verify or Parse said
	EventIDs []string // of an accepted delivery
	KeyID    string   // of the secret that signed it, also if it is stale or malformed
	Notes    []string // facts and guesses, one sentence each
}

// Accepted tells whether the shop would take the delivery.
func (e Explanation) Accepted() bool { return e.Err == nil }

// String is the explanation in lines.
func (e Explanation) String() string {
	first := "accepted: event " + strings.Join(e.EventIDs, ", ") + ", signed with secret " + e.KeyID
	if e.Err != nil {
		first = "refused: " + e.Err.Error()
	}
	return strings.Join(append([]string{first}, e.Notes...), "\n")
}

// Note adds a sentence.
func (e *Explanation) Note(format string, args ...any) {
	e.Notes = append(e.Notes, fmt.Sprintf(format, args...))
}

// Explain begins an explanation with what v's Verify and Parse say and the facts
// about the body: the adapter adds what it knows of the scheme.
func Explain(v payment.Verifier, header http.Header, raw []byte, now time.Time) Explanation {
	var e Explanation
	var events []payment.Event
	if e.KeyID, e.Err = v.Verify(header, raw, now); e.Err == nil {
		if events, e.Err = v.Parse(header, raw); e.Err == nil {
			for _, event := range events {
				e.EventIDs = append(e.EventIDs, event.ID)
				e.Note("%s", meaning(event))
			}
		}
	}
	sum := sha256.Sum256(raw)
	e.Note("the body has %d bytes, SHA-256 %s", len(raw), hex.EncodeToString(sum[:]))
	return e
}

// meaning is what the shop makes of an event before it has asked anybody.
func meaning(e payment.Event) string {
	if e.Verdict != "" {
		return fmt.Sprintf("%s is %s: %s", cmp.Or(e.Type, "an event without a type"), e.Verdict, e.Reason)
	}
	what := string(e.Effect)
	if e.Status != "" {
		what += " to " + string(e.Status)
	}
	return fmt.Sprintf("%s means %s; the provider's record decides", cmp.Or(e.Type, "an event without a type"), what)
}

// Headers names everything that is wrong with headers, where Verify stops at the
// first.
func (e *Explanation) Headers(header http.Header, forms ...HeaderForm) {
	for _, h := range forms {
		value, err := Header(header, h.Name)
		switch {
		case err != nil:
			e.Note("%s", strings.TrimPrefix(err.Error(), payment.ErrSignature.Error()+": "))
		case !h.OK(value):
			e.Note("header %s has %d bytes and isn't %s", h.Name, len(value), h.Form)
		}
	}
}

// HeaderForm is a header that a delivery needs, and its form in words.
type HeaderForm struct {
	Name, Form string
	OK         func(string) bool
}

// Age tells how far a signed timestamp is off.
func (e *Explanation) Age(unix int64, now time.Time) {
	seconds, direction := now.Unix()-unix, "old"
	if seconds < 0 {
		seconds, direction = -seconds, "ahead"
	}
	text := fmt.Sprintf("the timestamp is %d s %s at %s", seconds, direction, now.UTC().Format(time.RFC3339))
	if seconds > Tolerance {
		text += fmt.Sprintf(", %d s more than allowed", seconds-Tolerance)
	}
	e.Note("%s", text)
}

// Guess looks for what may have happened to a delivery on its way, and tells
// which secret signed it if one did. match says which secret's signature holds
// over a body.
func (e *Explanation) Guess(raw []byte, secrets []Secret, now time.Time, match func(secrets []Secret, body []byte, now time.Time) (keyID string, ok bool)) {
	if e.KeyID, _ = match(secrets, raw, now); e.KeyID != "" {
		e.Note("the signature holds with secret %s", e.KeyID)
		return
	}
	found := len(e.Notes)
	for _, v := range variants(raw) {
		if _, ok := match(secrets, v.body, now); ok {
			e.Note("the signature would match %s", v.name)
			break
		}
	}
	for _, s := range secrets {
		if _, ok := match([]Secret{{ID: s.ID, Key: s.Key}}, raw, now); ok {
			e.Note("the signature is of secret %s, which ended at %s", s.ID, s.ValidUntil.UTC().Format(time.RFC3339))
		}
		if trimmed := strings.TrimSpace(s.Key); trimmed != s.Key {
			if _, ok := match([]Secret{{ID: s.ID, Key: trimmed}}, raw, now); ok {
				e.Note("the signature would match secret %s without the white space around it", s.ID)
			}
		}
	}
	if len(e.Notes) == found {
		e.Note("none of the %d secrets made this signature over these bytes, nor over the usual changes of them", len(secrets))
	}
}

// Strength tells which secrets the shop wouldn't start with.
func (e *Explanation) Strength(secrets []Secret, check func(key string) error) {
	for _, s := range secrets {
		if err := check(s.Key); err != nil {
			e.Note("secret %s %v: the shop wouldn't start with it", s.ID, err)
		}
	}
}
