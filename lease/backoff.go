package lease

import (
	"cmp"
	"math/rand/v2"
	"time"
)

// Backoff returns the house's schedule: how long a row rests after its first,
// second … seventh failure. With the first try that makes eight claims over
// some 44 hours: long enough to outlast an incident at a provider over a night,
// short enough that a person hears of the dead row within two days.
func Backoff() []time.Duration {
	return []time.Duration{
		1 * time.Minute,
		5 * time.Minute,
		30 * time.Minute,
		2 * time.Hour,
		6 * time.Hour,
		12 * time.Hour,
		24 * time.Hour,
	}
}

// jitter is the share by which a wait may be shorter or longer, so that rows
// that failed together don't come back together.
const jitter = 0.1

func (q *Queue) schedule() []time.Duration {
	if q.Schedule == nil {
		return Backoff()
	}
	return q.Schedule
}

// spent reports whether a row that was claimed so often has no claim left.
func (q *Queue) spent(attempts int) bool { return attempts > len(q.schedule()) }

// wait is the rest a row takes after its attempt number attempts, which isn't
// its last, has failed.
func (q *Queue) wait(attempts int) time.Duration {
	base := q.schedule()[max(attempts, 1)-1]
	scale := cmp.Or(q.TimeScale, 1) * (1 - jitter + 2*jitter*rand.Float64())
	return time.Duration(float64(base) * scale)
}
