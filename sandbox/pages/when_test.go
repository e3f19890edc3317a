package pages

import (
	"testing"
	"time"
)

func TestTimesAreWordedByHowFarTheyAre(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 10, 25, 1, 30, 0, 0, time.FixedZone("CET", 3600))
	for d, want := range map[time.Duration]string{
		0: "just now", -time.Millisecond: "just now", -5 * time.Second: "5 s ago", 30 * time.Second: "in 30 s",
		-90 * time.Second: "1 min ago", 3 * time.Hour: "in 3 h", -47 * time.Hour: "47 h ago", -50 * time.Hour: "2 days ago",
	} {
		if got := At(now.Add(d), now).Near; got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
	if got := At(now, now); got.Full != "25 Oct 2026, 00:30:00 UTC" || got.ISO != "2026-10-25T00:30:00Z" {
		t.Errorf("in full %q, %q", got.Full, got.ISO)
	}
}
