package signing_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"onceshop/payment"
	"onceshop/providers/signing"
)

// parsing is an adapter that lets everything in and reads what the test says.
type parsing []payment.Event

func (parsing) Verify(http.Header, []byte, time.Time) (string, error) { return "current", nil }

func (p parsing) Parse(http.Header, []byte) ([]payment.Event, error) { return p, nil }

func TestAnExplanationTellsWhatEachEventMeans(t *testing.T) {
	t.Parallel()
	e := signing.Explain(parsing{
		{ID: "1", Type: "payment.captured", Effect: payment.EffectAdvance, Status: payment.Paid},
		{ID: "2", Type: "charge.refunded", Effect: payment.EffectRefund},
		{ID: "3", Type: "customer.created", Effect: payment.EffectNone, Verdict: payment.Ignored, Reason: "not a type we act on"},
	}, nil, []byte("{}"), time.Now())
	for _, want := range []string{
		"accepted: event 1, 2, 3, signed with secret current",
		"payment.captured means advance to paid; the provider's record decides",
		"charge.refunded means refund; the provider's record decides",
		"customer.created is ignored: not a type we act on",
	} {
		if !strings.Contains(e.String(), want) {
			t.Errorf("%q is missing in\n%s", want, e)
		}
	}
}
