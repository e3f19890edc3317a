package adyen_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"onceshop/payment"
)

func TestTheEndpointsPasswordIsAskedForBesidesTheSignature(t *testing.T) {
	t.Parallel()
	c := config()
	c.BasicUser, c.BasicPassword = "adyen", "päss:word"
	a := adapter(t, c)
	basic := func(user, password string) []string {
		r := http.Request{Header: http.Header{}}
		r.SetBasicAuth(user, password)
		return r.Header["Authorization"]
	}
	right := basic("adyen", "päss:word")
	for name, h := range map[string]http.Header{
		"none":                    {},
		"no map":                  nil,
		"another user":            {"Authorization": basic("adyem", "päss:word")},
		"another password":        {"Authorization": basic("adyen", "päss:wore")},
		"a longer password":       {"Authorization": basic("adyen", "päss:word2")},
		"no password":             {"Authorization": basic("adyen", "")},
		"twice":                   {"Authorization": {right[0], right[0]}},
		"twice, in another case":  {"Authorization": right, "authorization": right},
		"a bearer":                {"Authorization": {strings.Replace(right[0], "Basic", "Bearer", 1)}},
		"not base64":              {"Authorization": {"Basic adyen:secret"}},
		"nothing behind the word": {"Authorization": {"Basic "}},
	} {
		if _, err := receive(a, h, fixture, now); !errors.Is(err, payment.ErrSignature) {
			t.Errorf("%s: %v", name, err)
		}
		e := a.Explain(h, []byte(fixture), now)
		if !errors.Is(e.Err, payment.ErrSignature) || e.KeyID != "previous" || !strings.Contains(e.String(), "Authorization") || strings.Contains(e.String(), "päss") {
			t.Errorf("%s: explained as %v", name, e)
		}
	}
	for name, h := range map[string]http.Header{
		"right":           {"Authorization": right},
		"in another case": {"authorization": {strings.Replace(right[0], "Basic", "basic", 1)}},
	} {
		if _, err := receive(a, h, fixture, now); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := receive(a, h, strings.Replace(fixture, "4900", "4901", 1), now); !errors.Is(err, payment.ErrSignature) {
			t.Errorf("%s, forged: %v", name, err)
		}
	}
	// Whoever isn't asked for a password may send one.
	if _, err := receive(adapter(t, config()), http.Header{"Authorization": {"Basic x"}}, fixture, now); err != nil {
		t.Error(err)
	}
}
