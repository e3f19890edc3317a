package adyen_test

import (
	"slices"
	"testing"

	"onceshop/payment"
	"onceshop/providers/adyen"
)

// TestAnAuthorisationWhoseCaptureWasRefusedIsNoMoney: where the account captures by
// itself, it counts as money until then.
func TestAnAuthorisationWhoseCaptureWasRefusedIsNoMoney(t *testing.T) {
	t.Parallel()
	a := folding(t, adyen.Automatic)
	auth, refused := told("AUTHORISATION", "PSP1", true, 2500), told("CAPTURE", "CAP0", false, 2500)
	taken, gone := told("CAPTURE", "CAP1", true, 2500), told("CAPTURE_FAILED", "CAP1", true, 2500)
	type sums struct{ received, refunded, takenBack int64 }
	for name, c := range map[string]struct {
		further []payment.Event
		status  payment.Status
		sums
	}{
		"and that is all":               {nil, payment.Authorised, sums{}},
		"captured":                      {[]payment.Event{taken}, payment.Paid, sums{received: 2500}},
		"captured, which failed":        {[]payment.Event{taken, gone}, payment.Failed, sums{takenBack: 2500}},
		"failed, as far as is told":     {[]payment.Event{gone}, payment.Failed, sums{takenBack: 2500}},
		"cancelled":                     {[]payment.Event{told("CANCELLATION", "CAN1", true, 2500)}, payment.Failed, sums{takenBack: 2500}},
		"expired":                       {[]payment.Event{told("EXPIRE", "EXP1", true, 2500)}, payment.Failed, sums{takenBack: 2500}},
		"given back":                    {[]payment.Event{told("REFUND", "REF1", true, 1000)}, payment.Paid, sums{received: 2500, refunded: 1000}},
		"cancelled or given back":       {[]payment.Event{told("CANCEL_OR_REFUND", "COR1", true, 2500)}, payment.Paid, sums{received: 2500, refunded: 2500}},
		"disputed":                      {[]payment.Event{told("CHARGEBACK", "DSP1", true, 2500)}, payment.Paid, sums{received: 2500}},
		"refused once more":             {[]payment.Event{told("CAPTURE", "CAP2", false, 2500)}, payment.Authorised, sums{}},
		"asked about":                   {[]payment.Event{told("REQUEST_FOR_INFORMATION", "DSP1", true, 2500)}, payment.Authorised, sums{}},
		"not cancelled, not given back": {[]payment.Event{told("CANCELLATION", "CAN1", false, 2500), told("REFUND", "REF1", false, 2500)}, payment.Authorised, sums{}},
		"paid with another":             {[]payment.Event{told("AUTHORISATION", "PSP2", true, 2500)}, payment.Paid, sums{received: 2500}},
	} {
		all := append([]payment.Event{auth, refused}, c.further...)
		s, err := a.Fold(order, all)
		if err != nil || s.Status != c.status || !s.Received.Equal(amount(c.received)) || !s.Refunded.Equal(amount(c.refunded)) || !s.TakenBack.Equal(amount(c.takenBack)) {
			t.Errorf("%s: %s, received %s, refunded %s, taken back %s, %v", name, s.Status, s.Received, s.Refunded, s.TakenBack, err)
		}
		// Whatever comes first, what follows leads there. Where the money had counted, a
		// person is asked until an event says more: none has said that it is gone.
		for first := range all {
			r, stored, asks := asked(), []payment.Event(nil), false
			for _, e := range slices.Concat(all[first:], all[:first]) {
				stored = append(stored, e)
				s, err := a.Fold(order, stored)
				if err != nil {
					continue
				}
				d := payment.Next(r, s)
				asks = r.Received.Add(r.TakenBack).Cmp(s.Received.Add(s.TakenBack)) > 0
				if (d.Verdict == payment.NeedsReview) != asks {
					t.Errorf("%s, after %s: %s %s", name, e.Type, d.Verdict, d.Reason)
				}
				r = d.Record
			}
			if !asks && (r.Status != c.status || !r.Received.Equal(amount(c.received))) {
				t.Errorf("%s, %s first: it came to %s %s", name, all[first].Type, r.Status, r.Received)
			}
		}
	}
}
