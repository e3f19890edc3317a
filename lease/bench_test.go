package lease

import "testing"

// The costs of a queue whose table also holds 10,000 rows that are done.
func BenchmarkQueue(b *testing.B) {
	full := func(b *testing.B) fixture {
		f := setup(b)
		f.exec("INSERT INTO jobs (status) VALUES " + list("('done')", 10_000))
		f.exec("ANALYZE TABLE jobs")
		return f
	}
	b.Run("idle claim", func(b *testing.B) {
		f := full(b)
		for b.Loop() {
			f.idle()
		}
	})
	b.Run("claim and finish", func(b *testing.B) {
		f := full(b)
		for b.Loop() {
			b.StopTimer()
			f.add(1)
			b.StartTimer()
			f.must(f.Finish(b.Context(), f.claim(1)[0]))
		}
	})
}
