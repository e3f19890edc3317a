package checkoutcom_test

import (
	"strings"
	"testing"
)

// What a delivery costs before it is stored.
func BenchmarkVerifyAndParse(b *testing.B) {
	paid := sample(b, "paid").Body
	for name, body := range map[string]string{
		"paid":  paid,
		"300kB": strings.Replace(paid, `"metadata":{`, `"metadata":{"note":"`+strings.Repeat("long ", 60_000)+`",`, 1),
	} {
		b.Run(name, func(b *testing.B) {
			a, h, raw := adapter(b, config()), signed(body), []byte(body)
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
