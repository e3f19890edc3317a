package adyen_test

import (
	"fmt"
	"testing"

	"onceshop/payment"
	"onceshop/providers/adyen"
	"onceshop/providers/vectortest"
)

// What a delivery costs before it is stored: two secrets, one item.
func BenchmarkVerifyAndParse(b *testing.B) {
	for _, e := range vectortest.Read(b, adyen.Name, "testdata").Events.Events {
		if e.ID != "paid" {
			continue
		}
		a, h, raw := adapter(b, config()), e.Header(), []byte(e.Body)
		b.SetBytes(int64(len(raw)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := a.Verify(h, raw, now); err != nil {
				b.Fatal(err)
			}
			if _, err := a.Parse(h, raw); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// What a snapshot costs: a payment with a failed attempt, two refunds and a dispute.
func BenchmarkFold(b *testing.B) {
	a := adapter(b, config())
	events := []payment.Event{
		told("AUTHORISATION", "PSP0", false, 2500), told("AUTHORISATION", "PSP1", true, 2500), told("CAPTURE", "CAP1", true, 2500),
		told("REFUND", "REF1", true, 1000), told("REFUND_FAILED", "REF1", true, 1000), told("REFUND", "REF2", true, 1000),
		told("CHARGEBACK", "DSP1", true, 1500), told("CHARGEBACK_REVERSED", "DSP1", true, 1500),
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := a.Fold(order, events); err != nil {
			b.Fatal(err)
		}
	}
}

// What a payment costs among many under one reference: the same among more.
func BenchmarkFoldOfManyPayments(b *testing.B) {
	a := adapter(b, config())
	for _, n := range []int{250, 1000, 4000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			events := manyPayments(n)
			for b.Loop() {
				if _, err := a.Fold(order, events); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/payment")
		})
	}
}

// manyPayments are captured, all under one reference.
func manyPayments(n int) (events []payment.Event) {
	for i := range n {
		ref := fmt.Sprint("PSP", i)
		events = append(events, told("AUTHORISATION", ref, true, 2500), of(ref, told("CAPTURE", fmt.Sprint("CAP", i), true, 2500)))
	}
	return events
}
