package stripe_test

import (
	"testing"

	"onceshop/providers/signing"
	"onceshop/providers/stripe"
	"onceshop/providers/vectortest"
)

// What a delivery costs before it is stored: two secrets, one event.
func BenchmarkVerifyAndParse(b *testing.B) {
	samples := vectortest.Read(b, stripe.Name, "testdata").Events
	a := adapter(b, stripe.Config{Secrets: []signing.Secret{{ID: "current", Key: samples.Secret}, {ID: "previous", Key: previous}}})
	for _, s := range samples.Events {
		if s.ID != "paid-session" {
			continue
		}
		h, raw := s.Header(), []byte(s.Body)
		b.SetBytes(int64(len(raw)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := a.Verify(h, raw, samples.Time()); err != nil {
				b.Fatal(err)
			}
			if _, err := a.Parse(h, raw); err != nil {
				b.Fatal(err)
			}
		}
	}
}
