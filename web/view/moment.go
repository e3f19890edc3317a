package view

import (
	"strconv"
	"time"
)

// Moment is one time as pages show it: a short relative wording that says how
// fresh something is, with the exact time in UTC behind it.
type Moment struct {
	ISO      string // for <time datetime>: 2026-11-30T11:42:07Z
	Full     string // for people: 30 Nov 2026, 11:42:07 UTC
	Relative string // 3 minutes ago
}

// At words t as seen at now. Pages show UTC whatever zone the process runs in,
// so that two people talking about an order read the same clock.
func At(t, now time.Time) Moment {
	if t.IsZero() {
		return Moment{}
	}
	t = t.UTC()
	return Moment{
		ISO:      t.Format(time.RFC3339),
		Full:     t.Format("2 Jan 2006, 15:04:05") + " UTC",
		Relative: relative(now.Sub(t), t),
	}
}

// relative words an age. Beyond a week the date says more than a count of days;
// a time slightly ahead of us is another machine's clock, not the future.
func relative(age time.Duration, t time.Time) string {
	switch {
	case age < -time.Minute:
		return t.Format("2 Jan 2006, 15:04") + " UTC"
	case age < 10*time.Second:
		return "just now"
	case age < time.Minute:
		return strconv.Itoa(int(age/time.Second)) + " seconds ago"
	case age < time.Hour:
		return counted(int(age/time.Minute), "minute") + " ago"
	case age < 24*time.Hour:
		return counted(int(age/time.Hour), "hour") + " ago"
	case age < 7*24*time.Hour:
		return counted(int(age/(24*time.Hour)), "day") + " ago"
	}
	return t.Format("2 Jan 2006")
}

// counted joins a number with its noun: 1 minute, 2 minutes.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
