package payment_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"onceshop/payment"
)

func TestARiskAssessmentMayBeRenewedWithinARevision(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	allowed := report(2, payment.Paid, decided("allow", noon))
	denied := report(2, payment.Paid, decided("deny", noon.Add(time.Hour)))
	again := report(2, payment.Paid, decided("allow", noon.Add(2*time.Hour)))

	r := after(t, allowed)
	d := payment.Next(r, denied)
	want := []payment.Change{
		{"fulfillment_decision", "allow", "deny"},
		{"risk_assessed_at", "2026-01-01T12:00:00Z", "2026-01-01T13:00:00Z"},
	}
	if diff := cmp.Diff(want, d.Changes); diff != "" || d.Verdict != payment.Applied {
		t.Errorf("%s:\n%s", d.Verdict, diff)
	}

	// Whatever order they are fetched in, the newest assessment holds.
	for _, order := range [][]payment.Snapshot{
		{allowed, denied, again}, {allowed, again, denied}, {denied, allowed, again},
		{denied, again, allowed}, {again, allowed, denied}, {again, denied, allowed},
	} {
		r := asked()
		for _, s := range order {
			r = payment.Next(r, s).Record
		}
		if r.Risk.Decision != "allow" || !r.Risk.AssessedAt.Equal(*again.Risk.AssessedAt) {
			t.Errorf("ends with %s of %s", r.Risk.Decision, r.Risk.AssessedAt)
		}
	}
}

func TestANewerRevisionBringsItsOwnAssessment(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	r := after(t, report(2, payment.Paid, decided("allow", noon)), report(3, payment.Paid, decided("deny", noon.Add(-time.Hour))))
	if r.Risk.Decision != "deny" || !r.Risk.AssessedAt.Equal(noon.Add(-time.Hour)) {
		t.Errorf("%s of %s", r.Risk.Decision, r.Risk.AssessedAt)
	}
}

// A shop that keeps no time of assessment must not see a change in every repeat.
func TestAFirstTimeOfAssessmentIsNoChangeByItself(t *testing.T) {
	t.Parallel()
	r := after(t, report(2, payment.Paid))
	d := payment.Next(r, report(2, payment.Paid, decided("allow", time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC))))
	if d.Verdict != payment.Unchanged {
		t.Errorf("%s %v", d.Verdict, d.Changes)
	}
}

func TestRiskWithoutATimeIsTheLastFetched(t *testing.T) {
	t.Parallel()
	r := after(t, report(2, payment.Paid))
	d := payment.Next(r, report(2, payment.Paid, func(s *payment.Snapshot) { s.Risk.ServiceStatus = "suspended" }))
	if d.Verdict != payment.Applied || d.Record.Risk.ServiceStatus != "suspended" {
		t.Errorf("%s, service %s", d.Verdict, d.Record.Risk.ServiceStatus)
	}
}

func TestUnknownRiskWordsAreKeptAsTheyCame(t *testing.T) {
	t.Parallel()
	d := payment.Next(asked(), report(1, payment.Paid, func(s *payment.Snapshot) { s.Risk.Decision = "Hold ?" }))
	if d.Verdict != payment.Applied || d.Record.Risk.Decision != "Hold ?" {
		t.Errorf("%s, decision %q", d.Verdict, d.Record.Risk.Decision)
	}
}

// A database that keeps microseconds must not make every repeat a change.
func TestTimesFinerThanTheDatabaseKeepsAreNoChange(t *testing.T) {
	t.Parallel()
	fine := time.Date(2026, 1, 1, 12, 0, 0, 123456789, time.FixedZone("", 9*3600))
	s := report(2, payment.Paid, decided("allow", fine), func(s *payment.Snapshot) { s.Risk.ValidUntil = &fine })
	r := after(t, s)
	kept := time.Date(2026, 1, 1, 3, 0, 0, 123456000, time.UTC)
	if !r.Risk.AssessedAt.Equal(kept) || !r.Risk.ValidUntil.Equal(kept) {
		t.Errorf("kept %s and %s", r.Risk.AssessedAt, r.Risk.ValidUntil)
	}
	if d := payment.Next(r, s); d.Verdict != payment.Unchanged {
		t.Errorf("the same again: %s %v", d.Verdict, d.Changes)
	}
	if *s.Risk.AssessedAt != fine {
		t.Error("the snapshot itself was changed")
	}
}
