package pages

import (
	"strconv"
	"time"
)

// When is a time in words: how far away, and in full behind it.
type When struct {
	ISO, Full, Near string
}

// At words t as seen at now, in UTC like everything the sandbox says.
func At(t, now time.Time) When {
	t = t.UTC()
	return When{
		ISO:  t.Format(time.RFC3339),
		Full: t.Format("2 Jan 2006, 15:04:05") + " UTC",
		Near: near(t.Sub(now)),
	}
}

func near(d time.Duration) string {
	if d > 0 {
		return "in " + span(d)
	}
	if d > -time.Second {
		return "just now"
	}
	return span(-d) + " ago"
}

// span rounds down to the largest unit that says enough.
func span(d time.Duration) string {
	switch {
	case d < time.Minute:
		return strconv.Itoa(max(1, int(d/time.Second))) + " s"
	case d < time.Hour:
		return strconv.Itoa(int(d/time.Minute)) + " min"
	case d < 48*time.Hour:
		return strconv.Itoa(int(d/time.Hour)) + " h"
	}
	return strconv.Itoa(int(d/(24*time.Hour))) + " days"
}
