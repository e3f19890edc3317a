package lease

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// model says in a few lines what a row does; the database must agree after
// every step of any sequence of claims, expiries and settlements, whoever makes
// them with whatever lease.
type model struct {
	status   string
	attempts int
	version  uint64
	later    bool // pending, but not due yet
	overdue  bool // leased, but expired
	leases   []Lease
}

func (m *model) claimed(spent bool) (wins bool) {
	switch {
	case m.status == "leased" && m.overdue && spent:
		m.status, m.version = "dead", m.version+1
	case m.status == "leased" && m.overdue, m.status == "pending" && !m.later:
		m.status, m.attempts, m.version = "leased", m.attempts+1, m.version+1
		m.overdue = false
		return true
	}
	return false
}

func TestOnlyTheNewestHolderEverChangesARow(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.Schedule = []time.Duration{time.Hour, time.Hour} // three attempts
	f.Kinds = []string{"model"}
	ctx := context.Background()
	cause := errors.New("cause")

	rapid.Check(t, func(t *rapid.T) {
		f.exec("DELETE FROM jobs")
		f.exec("INSERT INTO jobs (kind) VALUES ('model')")
		var seq uint64
		if err := f.DB.QueryRowContext(ctx, "SELECT seq FROM jobs").Scan(&seq); err != nil {
			t.Fatal(err)
		}
		m := &model{status: "pending"}

		// settle tries to change the row with any lease ever won.
		settle := func(change func(Lease) error, expect func()) func(*rapid.T) {
			return func(t *rapid.T) {
				if len(m.leases) == 0 {
					return // nothing was claimed yet
				}
				l := rapid.SampledFrom(m.leases).Draw(t, "lease")
				err := change(l)
				if m.status == "leased" && l.Version == m.version {
					if err != nil {
						t.Fatalf("the holder was refused: %v", err)
					}
					m.overdue = false
					expect()
				} else if !errors.Is(err, ErrLost) {
					t.Fatalf("got %v from a lease of version %d, want %v", err, l.Version, ErrLost)
				}
			}
		}
		failed := func() {
			m.status, m.later = "pending", true
			if m.attempts == 3 {
				m.status, m.later = "dead", false
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"claim": func(t *rapid.T) {
				won, err := f.Claim(ctx, 2)
				if err != nil {
					t.Fatal(err)
				}
				if wins := m.claimed(m.attempts == 3); wins != (len(won) == 1) {
					t.Fatalf("won %v, want a row: %t", won, wins)
				}
				m.leases = append(m.leases, won...)
			},
			"time passes": func(*rapid.T) {
				f.exec("UPDATE jobs SET next_attempt_at = NOW(6) - INTERVAL 1 SECOND")
				f.exec("UPDATE jobs SET lease_until = NOW(6) - INTERVAL 1 SECOND WHERE status = 'leased'")
				m.later, m.overdue = false, m.status == "leased"
			},
			"extend": settle(func(l Lease) error { return f.Extend(ctx, l) }, func() {}),
			"finish": settle(func(l Lease) error { return f.Finish(ctx, l) }, func() { m.status = "done" }),
			"retry":  settle(func(l Lease) error { return f.Retry(ctx, l, cause) }, failed),
			"bury":   settle(func(l Lease) error { return f.Retry(ctx, l, Permanent(cause)) }, func() { m.status = "dead" }),
			"postpone": settle(func(l Lease) error { return f.postpone(l, time.Hour, "waits") },
				func() { m.status, m.attempts, m.later = "pending", m.attempts-1, true }),
			"release": settle(func(l Lease) error { return f.Release(ctx, l) },
				func() { m.status, m.attempts, m.later = "pending", m.attempts-1, false }),
			"revive": func(*rapid.T) {
				f.revive(seq)
				if m.status == "dead" {
					m.status, m.attempts, m.later = "pending", 0, false
				}
			},
			"": func(t *rapid.T) { // after every step
				r := f.row(seq)
				got := model{status: r.Status, attempts: r.Attempts, version: r.Version}
				want := model{status: m.status, attempts: m.attempts, version: m.version}
				if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
					t.Fatalf("the row is %s, want %s", g, w)
				}
			},
		})
	})
}
