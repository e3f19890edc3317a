package standardwebhooks_test

import (
	"strings"
	"testing"
)

// What a delivery costs before it is stored: two secrets, one event.
func BenchmarkVerifyAndParse(b *testing.B) {
	for name, body := range map[string]string{
		"0.2kB": paidBody,
		"300kB": strings.Replace(paidBody, `"type"`, `"metadata":"`+strings.Repeat("long ", 60_000)+`","type"`, 1),
	} {
		b.Run(name, func(b *testing.B) {
			a, h, raw := rotating(b), signed(paidID, current, clock, body), []byte(body)
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
		})
	}
}
