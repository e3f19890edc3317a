package adyen_test

import (
	"slices"
	"testing"

	"onceshop/payment"
	"onceshop/providers/adyen"
	"onceshop/providers/vectortest"
)

// state names a record's state as the samples do.
func state(r payment.Record) string {
	switch {
	case r.DisputeStatus == payment.DisputeOpen || r.DisputeStatus == payment.DisputeLost:
		return "disputed"
	case r.RefundStatus == payment.FullyRefunded:
		return "refunded"
	case r.RefundStatus == payment.PartiallyRefunded:
		return "partially_refunded"
	}
	return string(r.Status)
}

func TestScenariosEndAsTheySay(t *testing.T) {
	t.Parallel()
	samples := vectortest.Read(t, adyen.Name, "testdata").Events
	a := folding(t, adyen.Manual)
	for _, scenario := range samples.Scenarios {
		t.Run(scenario.Name, func(t *testing.T) {
			t.Parallel()
			var stored []payment.Event
			r := payment.Record{Ref: "ORD-1001", Amount: amount(2500), Currency: "EUR"}
			paid := 0
			for _, id := range scenario.Deliver {
				at := slices.IndexFunc(samples.Events, func(e vectortest.Event) bool { return e.ID == id })
				events, err := receive(a, nil, samples.Events[at].Body, samples.Time())
				if err != nil {
					t.Fatal(err)
				}
				stored = append(stored, events...)
				s, err := a.Fold("ORD-1001", stored)
				if err != nil {
					t.Fatal(err)
				}
				d := payment.Next(r, s)
				if d.Verdict != payment.Applied && d.Verdict != payment.Unchanged {
					t.Fatalf("%s: %s %s", id, d.Verdict, d.Reason)
				}
				if d.Record.Status == payment.Paid && r.Status != payment.Paid {
					paid++
				}
				r = d.Record
			}
			if state(r) != scenario.FinalState || paid != scenario.Fulfilments {
				t.Errorf("%s, paid %d times; want %s and %d", state(r), paid, scenario.FinalState, scenario.Fulfilments)
			}
			if scenario.RefundedTotalMinor != nil && !r.Refunded.Equal(amount(*scenario.RefundedTotalMinor)) {
				t.Errorf("refunded %s, want %d", r.Refunded, *scenario.RefundedTotalMinor)
			}
		})
	}
}
