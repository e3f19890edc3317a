package operations

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"sync/atomic"
	"time"

	"onceshop/database"
	"onceshop/migrations"
	"onceshop/store"
)

// askWithin bounds a report: probes have seconds, not minutes.
const askWithin = 2 * time.Second

// MaxSkew is how far the host's clock may be from the database's.
const MaxSkew = 5 * time.Second

// Readiness tells whether this instance may be sent work.
type Readiness struct {
	db       *store.DB
	now      func() time.Time
	warnings []Warning
	stopping atomic.Bool
	migrated atomic.Bool // migrations only go forward: once current, always current
}

// Warning says what somebody should look at, or "".
type Warning func(now time.Time) string

// NewReadiness returns the readiness of an instance on db, by the host's clock now.
// The warnings are asked for each report.
func NewReadiness(db *store.DB, now func() time.Time, warnings ...Warning) *Readiness {
	return &Readiness{db: db, now: now, warnings: warnings}
}

// Stop makes the instance unready for good, at once.
func (r *Readiness) Stop() { r.stopping.Store(true) }

// Report is the answer of readyz.
type Report struct {
	Ready       bool     `json:"ready"`
	Reasons     []string `json:"reasons"`  // why not
	Warnings    []string `json:"warnings"` // what else somebody should look at
	SkewSeconds *float64 `json:"clock_skew_seconds"`
}

// Report asks the database, for two seconds at most.
func (r *Readiness) Report(ctx context.Context) Report {
	ctx, cancel := context.WithTimeout(ctx, askWithin)
	defer cancel()
	report := Report{Reasons: []string{}, Warnings: []string{}}
	if r.stopping.Load() {
		report.Reasons = append(report.Reasons, "shutting down")
	}
	for _, warning := range r.warnings {
		if text := warning(r.now()); text != "" {
			report.Warnings = append(report.Warnings, text)
		}
	}
	skew, err := Skew(ctx, r.db, r.now)
	if err != nil {
		report.Reasons = append(report.Reasons, "database not reachable") // the error may name hosts and users
		return report
	}
	seconds := math.Round(skew.Seconds()*1000) / 1000
	report.SkewSeconds = &seconds
	if skew.Abs() > MaxSkew {
		report.Warnings = append(report.Warnings, fmt.Sprintf("this host's clock is %.1f s away from the database's", skew.Seconds()))
	}
	if reason := r.behind(ctx); reason != "" {
		report.Reasons = append(report.Reasons, reason)
	}
	report.Ready = len(report.Reasons) == 0
	return report
}

func (r *Readiness) behind(ctx context.Context) string {
	if r.migrated.Load() {
		return ""
	}
	current, latest, err := database.Version(ctx, r.db.Pool(), migrations.FS)
	switch {
	case err != nil:
		return "migrations not readable"
	case current < latest:
		return fmt.Sprintf("database at migration %d of %d", current, latest)
	}
	r.migrated.Store(true)
	return ""
}

// Skew returns how far the host's clock is ahead of the database's, taking half of
// the question's way for the answer's.
func Skew(ctx context.Context, db *store.DB, now func() time.Time) (time.Duration, error) {
	asked := now()
	theirs, err := db.Now(ctx)
	if err != nil {
		return 0, err
	}
	answered := now()
	return asked.Add(answered.Sub(asked) / 2).Sub(theirs), nil
}

// ServeHTTP answers 200 or 503, with the reasons.
func (r *Readiness) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	report := r.Report(req.Context())
	status := http.StatusOK
	if !report.Ready {
		status = http.StatusServiceUnavailable
	}
	writeJSON(w, status, report)
}
