package adyen_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"onceshop/payment"
	"onceshop/providers/adyen"
)

// under is the event with another merchantReference.
func under(ref string, e payment.Event) payment.Event {
	e.OrderRef = ref
	return e
}

func TestAPaymentIsOfTheReferenceUnderWhichItBegan(t *testing.T) {
	t.Parallel()
	auth, failed, taken := told("AUTHORISATION", "PSP1", true, 2500), told("AUTHORISATION", "PSP1", false, 2500), told("CAPTURE", "CAP1", true, 2500)
	for name, c := range map[string]struct {
		events []payment.Event
		want   string
		told   bool
	}{
		"nothing told":                          {nil, "", false},
		"its end":                               {[]payment.Event{told("CANCELLATION", "CAN1", true, 2500), told("EXPIRE", "EXP1", true, 2500)}, "", false},
		"a refund":                              {[]payment.Event{told("REFUND", "REF1", true, 2500), told("REFUND_FAILED", "REF1", true, 2500)}, "", false},
		"a dispute":                             {[]payment.Event{told("CHARGEBACK", "DSP1", true, 2500)}, "", false},
		"a capture that was refused":            {[]payment.Event{told("CAPTURE", "CAP1", false, 2500)}, "", false},
		"another payment's beginning":           {[]payment.Event{told("AUTHORISATION", "PSP2", true, 2500)}, "", false},
		"authorised":                            {[]payment.Event{auth}, order, true},
		"refused":                               {[]payment.Event{failed}, order, true},
		"an offer that nobody took":             {[]payment.Event{told("OFFER_CLOSED", "PSP1", true, 2500)}, order, true},
		"captured, as far as is told":           {[]payment.Event{taken}, order, true},
		"captured under another reference":      {[]payment.Event{under("other", taken), auth}, order, true},
		"given back under another":              {[]payment.Event{auth, under("other", told("REFUND", "REF1", true, 2500))}, order, true},
		"authorised under none":                 {[]payment.Event{under("", auth), taken}, "", true},
		"captured in parts under two":           {[]payment.Event{taken, under("other", told("CAPTURE", "CAP2", true, 1)), told("CAPTURE", "CAP3", true, 1)}, "", true},
		"captured in parts under two, and more": {[]payment.Event{taken, under("other", told("CAPTURE", "CAP2", true, 1)), auth}, order, true},
		"refused under one, taken under two":    {[]payment.Event{auth, under("other", failed)}, "", true},
	} {
		for range 2 {
			slices.Reverse(c.events)
			if got, told, err := folding(t, adyen.Manual).Began("PSP1", c.events); got != c.want || told != c.told || err != nil {
				t.Errorf("%s: %q, told %t, %v", name, got, told, err)
			}
		}
	}
}

// TestWhatIsNotKnownToBeOursWaits: the payment that these name may be another order's.
func TestWhatIsNotKnownToBeOursWaits(t *testing.T) {
	t.Parallel()
	ours := []payment.Event{told("AUTHORISATION", "PSP1", true, 2500), told("CAPTURE", "CAP1", true, 2500)}
	for _, mode := range []adyen.CaptureMode{adyen.Manual, adyen.Automatic} {
		a := folding(t, mode)
		want, err := a.Fold(order, ours)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range []payment.Event{
			told("REFUND", "MOD1", true, 9900), told("REFUND_WITH_DATA", "MOD1", true, 100), told("CANCEL_OR_REFUND", "MOD1", true, 2500),
			told("CAPTURE_FAILED", "MOD1", true, 2500), told("CHARGEBACK", "MOD1", true, 2500), told("CANCELLATION", "MOD1", true, 2500),
			told("EXPIRE", "MOD1", true, 2500),
		} {
			e := of("PSP9", e)
			for name, events := range map[string][]payment.Event{
				"its beginning isn't told": append(slices.Clone(ours), e),
				"it began as another's":    append(slices.Clone(ours), e, under("other", told("AUTHORISATION", "PSP9", true, 9900))),
				"and was captured as ours": append(slices.Clone(ours), e, under("other", told("AUTHORISATION", "PSP9", true, 9900)), of("PSP9", told("CAPTURE", "CAP9", true, 9900))),
			} {
				got, err := a.Fold(order, events)
				if d := cmp.Diff(want, got, cmpopts.IgnoreFields(payment.Snapshot{}, "Revision")); err != nil || d != "" {
					t.Errorf("%s of a payment, %s: %v %s", e.Type, name, err, d)
				}
			}
			if s, err := a.Fold(order, []payment.Event{e, under("other", told("AUTHORISATION", "PSP9", true, 2500))}); err == nil {
				t.Errorf("%s of another's payment makes %+v", e.Type, s)
			}
		}
	}
}

func TestAPaymentThatIsNotOursIsFoldedByItself(t *testing.T) {
	t.Parallel()
	for _, ref := range []string{"donation", ""} {
		s, err := folding(t, adyen.Manual).Fold("PSP1", []payment.Event{
			under(ref, told("AUTHORISATION", "PSP1", true, 500)), under(order, told("CAPTURE", "CAP1", true, 500)), under("typed", told("REFUND", "REF1", true, 200)),
		})
		if err != nil || s.Ref != "PSP1" || s.Status != payment.Paid || !s.Received.Equal(amount(500)) || !s.Refunded.Equal(amount(200)) {
			t.Errorf("under %q: %+v, %v", ref, s, err)
		}
	}
}

// TestWhateverIsTypedOnOneOrderLeavesTheOtherAsItIs mixes what two payments may live
// through, with references of the modifications as people type them.
func TestWhateverIsTypedOnOneOrderLeavesTheOtherAsItIs(t *testing.T) {
	t.Parallel()
	modes := map[adyen.CaptureMode]*adyen.Adapter{adyen.Manual: folding(t, adyen.Manual), adyen.Automatic: folding(t, adyen.Automatic)}
	rapid.Check(t, func(t *rapid.T) {
		ours, theirs := draw(t), draw(t)
		a := modes[ours.mode]
		want, wantErr := a.Fold(order, ours.events)
		begun := map[string]bool{}
		for _, e := range theirs.events {
			begun[e.PaymentRef] = begun[e.PaymentRef] || e.Type == "AUTHORISATION"
		}
		events := slices.Clone(ours.events)
		for _, e := range theirs.events {
			e.ID = strings.Replace(e.ID, "|", "|THEIR", 1)
			e.OrderRef = "other"
			if begun[e.PaymentRef] && e.Type != "AUTHORISATION" {
				e.OrderRef = rapid.SampledFrom([]string{order, "other", "typed", ""}).Draw(t, "reference")
			}
			if e.PaymentRef != "" {
				e.PaymentRef = "THEIR" + e.PaymentRef
			}
			events = append(events, e)
		}
		got, err := a.Fold(order, rapid.Permutation(events).Draw(t, "order"))
		if d := cmp.Diff(want, got, cmpopts.IgnoreFields(payment.Snapshot{}, "Revision")); d != "" || fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Fatalf("%v, %v: %s", wantErr, err, d)
		}
	})
}
