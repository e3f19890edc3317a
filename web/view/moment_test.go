package view_test

import (
	"testing"
	"time"

	"onceshop/web/view"
)

func TestAgesAreWordedCoarserTheOlderTheyAre(t *testing.T) {
	t.Parallel()
	for age, want := range map[time.Duration]string{
		-5 * time.Minute:   "30 Nov 2026, 11:47 UTC",
		-time.Second:       "just now",
		0:                  "just now",
		42 * time.Second:   "42 seconds ago",
		time.Minute:        "1 minute ago",
		59 * time.Minute:   "59 minutes ago",
		time.Hour:          "1 hour ago",
		47 * time.Hour:     "1 day ago",
		8 * 24 * time.Hour: "22 Nov 2026",
	} {
		if got := ago(age).Relative; got != want {
			t.Errorf("%s: %q, want %q", age, got, want)
		}
	}
}

func TestTimesAreShownInUTCWhateverTheZone(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 12, 31, 18, 50, 0, 0, time.FixedZone("Chicago", -6*3600))
	got := view.At(at, now())
	if got.Full != "1 Jan 2027, 00:50:00 UTC" || got.ISO != "2027-01-01T00:50:00Z" {
		t.Errorf("%+v", got)
	}
}

func TestMissingTimeIsLeftOut(t *testing.T) {
	t.Parallel()
	if got := view.At(time.Time{}, now()); got != (view.Moment{}) {
		t.Errorf("%+v", got)
	}
}
