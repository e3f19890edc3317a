package adyen

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"onceshop/payment"
	"onceshop/providers/signing"
)

// Explain does what Verify and Parse do and says why it ended so, item by item. It
// takes far more time than Verify and tells about secrets which of them matched or
// nearly did, so it is for whoever holds them and never for a sender.
func (a *Adapter) Explain(header http.Header, raw []byte, now time.Time) signing.Explanation {
	e := signing.Explain(a, header, raw, now)
	if err := a.basic.check(header); err != nil {
		e.Note("%s", strings.TrimPrefix(err.Error(), payment.ErrSignature.Error()+": "))
	}
	e.Guess(raw, a.secrets, now, func(secrets []signing.Secret, body []byte, now time.Time) (string, bool) {
		items, err := readItems(body)
		if err != nil {
			return "", false
		}
		return match(secrets, items, now)
	})
	if items, err := readItems(raw); err == nil {
		for n, i := range items {
			a.explain(&e, "item "+strconv.Itoa(n+1), i, e.KeyID != "")
		}
	}
	e.Strength(a.secrets, CheckSecret)
	return e
}

// explain names an item's fields by their lengths: what they say is the body's.
func (a *Adapter) explain(e *signing.Explanation, name string, i item, signed bool) {
	if !a.isOurs(i) {
		e.Note("%s: merchantAccountCode is none of our %d merchant accounts", name, len(a.accounts))
	}
	if signed {
		return
	}
	if _, ok := i.digest(); !ok {
		e.Note("%s: additionalData.hmacSignature has %d bytes and isn't the base64 of 32 bytes", name, len(i.signature.S))
		return
	}
	found := false
	for _, s := range a.secrets {
		if Sign(s.Key, i.Signed) == i.signature.S {
			found = true
			e.Note("%s: signed with secret %s", name, s.ID)
			continue
		}
		for _, g := range guesses(s.Key, i) {
			if g.signature == i.signature.S {
				e.Note("%s: the signature would match secret %s %s", name, s.ID, g.name)
			}
		}
	}
	if !found {
		e.Note("%s: no secret made this signature over %s", name, i.lengths())
	}
}

// lengths describes what was signed, for whoever has to find the field that was
// changed.
func (i item) lengths() string {
	var all []string
	for _, f := range []struct{ name, value string }{
		{"pspReference", i.PSPReference}, {"originalReference", i.OriginalReference}, {"merchantAccountCode", i.MerchantAccountCode},
		{"merchantReference", i.MerchantReference}, {"amount.value", i.Value}, {"amount.currency", i.Currency},
		{"eventCode", i.EventCode}, {"success", i.Success},
	} {
		length := strconv.Itoa(len(f.value)) + " bytes"
		if f.value == "" {
			length = "empty"
		}
		all = append(all, f.name+" ("+length+")")
	}
	return strings.Join(all, ", ")
}

// guess is a signature that a common mistake would make.
type guess struct{ name, signature string }

func guesses(secret string, i item) []guess {
	change := func(f func(*Signed)) string {
		s := i.Signed
		f(&s)
		if s == i.Signed {
			return ""
		}
		return Sign(secret, s)
	}
	escape := strings.NewReplacer(`\`, `\\`, `:`, `\:`).Replace
	return []guess{
		{"with success turned around", change(func(s *Signed) { s.Success = strconv.FormatBool(s.Success != "true") })},
		{"with colons and backslashes escaped", change(func(s *Signed) { s.MerchantReference = escape(s.MerchantReference) })},
		{"without originalReference", change(func(s *Signed) { s.OriginalReference = "" })},
		{"with the white space around merchantReference removed", change(func(s *Signed) { s.MerchantReference = strings.TrimSpace(s.MerchantReference) })},
		{"taken as a text and not as hexadecimal digits", encode(signing.Digest([]byte(secret), []byte(i.text())))},
	}
}
