package lease

import (
	"testing"
	"time"
)

func TestWaitsAreSpreadAroundTheSchedule(t *testing.T) {
	t.Parallel()
	q := &Queue{Schedule: []time.Duration{time.Hour}}
	low, high := time.Hour, time.Hour
	for range 2000 {
		d := q.wait(1)
		low, high = min(low, d), max(high, d)
	}
	if low < 54*time.Minute || high > 66*time.Minute {
		t.Errorf("waits from %v to %v, want within 10 %% of an hour", low, high)
	}
	if low > 55*time.Minute || high < 65*time.Minute {
		t.Errorf("waits from %v to %v: hardly spread", low, high)
	}
}

func TestTimeScaleShortensTheWaits(t *testing.T) {
	t.Parallel()
	q := &Queue{TimeScale: 0.01}
	if d := q.wait(7); d < 777*time.Second || d > 951*time.Second {
		t.Errorf("a hundredth of a day became %v", d)
	}
}

func TestScheduleCannotBeChangedByItsReader(t *testing.T) {
	t.Parallel()
	Backoff()[0] = 0
	if Backoff()[0] != time.Minute {
		t.Error("the schedule is shared")
	}
}
