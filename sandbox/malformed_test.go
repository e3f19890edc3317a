package sandbox

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"onceshop/payment"
)

func TestAMalformedBodyIsToldInTheCallersWords(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"amount":"abc"}`: "/amount",
		`{"amount":[1]}`:   "/amount",
		`{"x":1}`:          "/x",
		`{"amount":"1"`:    "one valid JSON document",
	} {
		var v struct {
			Amount payment.Amount `json:"amount"`
		}
		err := json.Unmarshal([]byte(body), &v, json.RejectUnknownMembers(true))
		if err == nil {
			t.Errorf("%s is taken", body)
			continue
		}
		if got := malformed(err); !strings.Contains(got, want) || strings.Contains(got, "Go ") || strings.Contains(got, "payment.") {
			t.Errorf("%s: %q, want a word of %q", body, got, want)
		}
	}
}
