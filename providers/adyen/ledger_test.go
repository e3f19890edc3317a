package adyen_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"onceshop/payment"
	"onceshop/providers/adyen"
)

func TestSingleRefundsAndDisputesAreListed(t *testing.T) {
	t.Parallel()
	auth, taken := told("AUTHORISATION", "PSP1", true, 2500), told("CAPTURE", "CAP1", true, 2500)
	refund := func(ref string, n int64, s payment.RefundState) payment.Refund {
		return payment.Refund{Ref: ref, Amount: amount(n), Status: s}
	}
	yen := func(e payment.Event) payment.Event {
		e.Currency = "JPY"
		return e
	}
	for name, c := range map[string]struct {
		events []payment.Event
		want   []payment.Refund
	}{
		"done and failed": {
			[]payment.Event{auth, taken, told("REFUND", "REF2", true, 300), told("REFUND", "REF1", true, 200), told("REFUND_FAILED", "REF2", true, 300), told("REFUND", "REF3", false, 100)},
			[]payment.Refund{refund("REF1", 200, payment.RefundDone), refund("REF2", 300, payment.RefundFailed), refund("REF3", 100, payment.RefundFailed)},
		},
		"its money isn't told of yet":  {[]payment.Event{auth, told("REFUND", "REF1", true, 200)}, []payment.Refund{refund("REF1", 200, payment.RefundPending)}},
		"failed before it is told of":  {[]payment.Event{auth, taken, told("REFUND_FAILED", "REF1", true, 200)}, []payment.Refund{refund("REF1", 200, payment.RefundFailed)}},
		"failed in two ways":           {[]payment.Event{auth, taken, told("REFUND", "REF1", false, 200), told("REFUND_FAILED", "REF1", true, 200), told("REFUNDED_REVERSED", "REF1", false, 200)}, []payment.Refund{refund("REF1", 200, payment.RefundFailed)}},
		"refused, and done after all":  {[]payment.Event{auth, taken, told("REFUND", "REF1", false, 200), told("REFUND", "REF1", true, 200)}, []payment.Refund{refund("REF1", 200, payment.RefundDone)}},
		"refused before it is taken":   {[]payment.Event{auth, told("REFUND_WITH_DATA", "REF1", false, 200)}, []payment.Refund{refund("REF1", 200, payment.RefundFailed)}},
		"refused, and names nothing":   {[]payment.Event{auth, taken, of("", told("REFUND", "REF1", false, 200))}, []payment.Refund{refund("REF1", 200, payment.RefundFailed)}},
		"refused to whom isn't known":  {[]payment.Event{auth, taken, of("PSP2", told("REFUND", "REF1", false, 200))}, nil},
		"refused in another currency":  {[]payment.Event{auth, taken, yen(told("REFUND", "REF1", false, 200))}, nil},
		"neither one nor the other":    {[]payment.Event{auth, taken, told("CANCEL_OR_REFUND", "COR1", false, 2500)}, []payment.Refund{refund("COR1", 2500, payment.RefundFailed)}},
		"with nothing taken":           {[]payment.Event{auth, told("CANCEL_OR_REFUND", "COR1", false, 2500)}, nil},
		"named by nobody, and nothing": {[]payment.Event{auth, of("", told("CANCEL_OR_REFUND", "COR1", false, 2500))}, nil},
		"a cancellation is no refund":  {[]payment.Event{auth, told("CANCEL_OR_REFUND", "COR1", true, 2500)}, nil},
		"unless there was money":       {[]payment.Event{auth, taken, told("CANCEL_OR_REFUND", "COR1", true, 2500)}, []payment.Refund{refund("COR1", 2500, payment.RefundDone)}},
		"as long as it didn't fail":    {[]payment.Event{auth, taken, told("CANCEL_OR_REFUND", "COR1", true, 2500), told("REFUND_FAILED", "COR1", true, 2500)}, []payment.Refund{refund("COR1", 2500, payment.RefundFailed)}},
		"too much is listed as it was": {[]payment.Event{auth, taken, told("REFUND", "REF1", true, 9900)}, []payment.Refund{refund("REF1", 9900, payment.RefundDone)}},
	} {
		got, err := folding(t, adyen.Manual).Fold(order, c.events)
		if d := cmp.Diff(c.want, got.Refunds); err != nil || d != "" {
			t.Errorf("%s: %v %s", name, err, d)
		}
	}

	// The later stage counts, in whatever order the stages arrive.
	stages := []string{
		"NOTIFICATION_OF_CHARGEBACK", "DISPUTE_OPENED_WITH_CHARGEBACK", "CHARGEBACK", "CHARGEBACK_REVERSED", "SECOND_CHARGEBACK", "PREARBITRATION_WON", "PREARBITRATION_LOST",
	}
	status := []payment.DisputeStatus{
		payment.DisputeOpen, payment.DisputeOpen, payment.DisputeOpen, payment.DisputeWon, payment.DisputeLost, payment.DisputeWon, payment.DisputeLost,
	}
	for i := range stages {
		events := []payment.Event{auth, taken, told("REQUEST_FOR_INFORMATION", "DSP0", true, 2500), told("NOTIFICATION_OF_FRAUD", "DSP1", true, 2500), told("DISPUTE_DEFENSE_PERIOD_ENDED", "DSP1", true, 0)}
		for _, stage := range stages[:i+1] {
			events = append(events, of("", told(stage, "DSP1", true, 2400)))
		}
		slices.Reverse(events)
		got, err := folding(t, adyen.Manual).Fold(order, events)
		if d := cmp.Diff([]payment.Dispute{{Ref: "DSP1", Amount: amount(2400), Status: status[i]}}, got.Disputes); err != nil || d != "" || got.Status != payment.Paid {
			t.Errorf("%s: %v %s", stages[i], err, d)
		}
	}
}

// Not in parallel: what other tests allocate would count.
func TestTwiceAsManyPaymentsUnderOneReferenceAreTwiceTheWork(t *testing.T) {
	a := folding(t, adyen.Manual)
	work := func(payments int) float64 {
		events := manyPayments(payments)
		return testing.AllocsPerRun(3, func() {
			if _, err := a.Fold(order, events); err != nil {
				t.Fatal(err)
			}
		})
	}
	if few, many := work(200), work(400); many > 2.5*few {
		t.Errorf("%.0f allocations for 400 payments, %.0f for 200", many, few)
	}
}
