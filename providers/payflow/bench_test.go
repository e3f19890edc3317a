package payflow_test

import (
	"testing"

	"onceshop/providers/payflow"
	"onceshop/providers/vectortest"
)

// What a delivery costs before it is stored.
func BenchmarkVerifyAndParse(b *testing.B) {
	set := vectortest.Read(b, payflow.Name, "testdata")
	for _, e := range set.Events.Events {
		if e.ID != "paid" {
			continue
		}
		a, h, raw, at := adapter(b, payflow.Config{}), e.Header(), []byte(e.Body), set.Events.Time()
		b.SetBytes(int64(len(raw)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := a.Verify(h, raw, at); err != nil {
				b.Fatal(err)
			}
			if _, err := a.Parse(h, raw); err != nil {
				b.Fatal(err)
			}
		}
	}
}
