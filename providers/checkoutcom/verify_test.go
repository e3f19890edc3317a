package checkoutcom_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"onceshop/payment"
	"onceshop/providers/checkoutcom"
)

func TestHexCountsInEitherCase(t *testing.T) {
	t.Parallel()
	a, body := adapter(t, config()), []byte(sample(t, "paid").Body)
	right := checkoutcom.Sign(secret, body)
	for _, signature := range []string{right, strings.ToUpper(right), strings.ToUpper(right[:32]) + right[32:]} {
		if keyID, err := a.Verify(http.Header{"Cko-Signature": {signature}}, body, now); err != nil || keyID != "current" {
			t.Errorf("%s: %q, %v", signature, keyID, err)
		}
	}
}

func TestTheFixedHeaderIsNeededWhereItWasAgreedOn(t *testing.T) {
	t.Parallel()
	const agreed = "Basic canary-agreed=="
	c := config()
	c.AuthorizationHeader = agreed
	a, body := adapter(t, c), sample(t, "paid").Body
	with := func(values ...string) http.Header {
		h := signed(body)
		h["authorization"] = values
		return h
	}
	for name, d := range map[string]struct {
		header http.Header
		note   string
	}{
		"missing":    {signed(body), "header Authorization is missing"},
		"empty":      {with(""), "isn't the value that was agreed on"},
		"another":    {with(agreed + "x"), "isn't the value that was agreed on"},
		"other case": {with(strings.ToUpper(agreed)), "isn't the value that was agreed on"},
		"twice":      {with(agreed, agreed), "occurs 2 times"},
	} {
		_, err := a.Verify(d.header, []byte(body), now)
		if !errors.Is(err, payment.ErrSignature) {
			t.Errorf("%s: %v", name, err)
		}
		checkQuiet(t, err)
		e := a.Explain(d.header, []byte(body), now)
		if e.Accepted() || !strings.Contains(e.String(), d.note) || !strings.Contains(e.String(), "holds with secret current") || strings.Contains(e.String(), "canary") {
			t.Errorf("%s: explained as\n%v", name, e)
		}
	}
	if _, err := a.Verify(with(agreed), []byte(body), now); err != nil {
		t.Error(err)
	}
	// It stands beside the signature, never in its place.
	h := with(agreed)
	h.Del(checkoutcom.SignatureHeader)
	if _, err := a.Verify(h, []byte(body), now); !errors.Is(err, payment.ErrSignature) {
		t.Error(err)
	}
}

func TestAFixedHeaderThatWasNotAgreedOnIsNotLookedAt(t *testing.T) {
	t.Parallel()
	a, body := adapter(t, config()), sample(t, "paid").Body
	h := signed(body)
	h["Authorization"] = []string{"Bearer a", "Bearer b"}
	if _, err := a.Verify(h, []byte(body), now); err != nil {
		t.Error(err)
	}
}

func TestAnExplanationFindsWhatABodyWentThrough(t *testing.T) {
	t.Parallel()
	a := adapter(t, config())
	const body = `{"id":"evt_1","data":{"rate":1.10,"note":"©"}}`
	for name, d := range map[string]struct{ arrived, note string }{
		"written again": {strings.ReplaceAll(body, ",", ", "), "would match without white space"},
		"a newline":     {body + "\n", "would match without the last newline"},
		"a number cut":  {strings.Replace(body, "1.10", "1.1", 1), "none of the 1 secrets"},
		"escaped":       {strings.Replace(body, "©", `\u00a9`, 1), "with the characters themselves"},
	} {
		if e := a.Explain(signed(body), []byte(d.arrived), now); e.Accepted() || !strings.Contains(e.String(), d.note) {
			t.Errorf("%s:\n%v", name, e)
		}
	}
	if e := a.Explain(signed(body), []byte(body), now); !e.Accepted() || e.KeyID != "current" {
		t.Errorf("untouched:\n%v", e)
	}
}
