package lease

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestClaimTakesWhatIsDueAndNothingElse(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.add(3)
	f.exec("INSERT INTO jobs (next_attempt_at) VALUES (NOW(6) + INTERVAL 1 HOUR)")
	for _, status := range []string{"done", "dead", "blocked", "cancelled"} {
		f.exec("INSERT INTO jobs (status) VALUES (?)", status)
	}

	var seqs []uint64
	for _, l := range append(f.claim(2), f.claim(1)...) {
		seqs = append(seqs, l.Seq)
		if l.Version != 1 || l.Attempts != 1 {
			t.Errorf("lease %+v, want version 1 and attempts 1", l)
		}
	}
	if diff := cmp.Diff([]uint64{1, 2, 3}, seqs); diff != "" {
		t.Error(diff)
	}
	f.idle()
	f.is(1, "leased attempts=1 version=1")
	f.is(4, "pending attempts=0 version=0")
}

func TestClaimOfNothingIsNothing(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.add(1)
	f.claim(0)
	f.is(1, "pending attempts=0 version=0")
}

func TestClaimKeepsToItsKinds(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.exec("INSERT INTO jobs (kind) VALUES ('mail'), ('license'), ('mail'), ('webhook')")
	f.Kinds = []string{"license", "webhook"}
	if won := f.claim(2); won[0].Seq != 2 || won[1].Seq != 4 {
		t.Errorf("claimed %v, want rows 2 and 4", won)
	}
	f.idle()
	f.expire()
	f.Kinds = []string{"mail"}
	if won := f.claim(2); won[0].Seq != 1 || won[1].Seq != 3 {
		t.Errorf("claimed %v, want rows 1 and 3: an expired license is not mail", won)
	}
	f.Kinds = []string{"license"}
	f.claim(1)
}

func TestLeaseLastsAsLongAsConfigured(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.add(2)
	for _, length := range []time.Duration{0, 7 * time.Minute} {
		f.For = length
		want := length
		if want == 0 {
			want = 30 * time.Second
		}
		got := f.row(f.claim(1)[0].Seq).Left
		if got > want || got < want-5*time.Second {
			t.Errorf("For %v: %v left, want %v", length, got, want)
		}
	}
}

func TestExpiredLeaseIsClaimedAgainAtOnceAndFirst(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.add(1)
	f.claim(1)
	f.expire()
	f.add(1)
	if again := f.claim(1)[0]; again.Seq != 1 || again.Version != 2 || again.Attempts != 2 {
		t.Errorf("claimed %+v, want row 1 with version 2 and attempts 2", again)
	}
	f.claim(1)
	f.idle()
}

func TestRowThatKillsItsWorkersDiesAfterEightClaims(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.add(1)
	for n := 1; n <= 8; n++ {
		if l := f.claim(1)[0]; l.Attempts != n {
			t.Fatalf("claim %d counted as attempt %d", n, l.Attempts)
		}
		f.expire() // the worker is gone
	}
	f.add(1)
	if other := f.claim(1)[0]; other.Seq != 2 {
		t.Errorf("claimed %+v, want the other row", other)
	}
	f.is(1, "dead attempts=8 version=9")
	if r := f.row(1); r.Reason != "lease expired" || r.Owner != "" {
		t.Errorf("dead row says %q, owner %q", r.Reason, r.Owner)
	}
	f.idle()
}

func TestLastHolderOfABuriedRowCanFinishNothing(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.Schedule = []time.Duration{}
	f.add(1)
	slow := f.claim(1)[0]
	f.expire()
	f.idle() // buries it
	f.refused(f.Finish(t.Context(), slow))
	f.revive(1)
	f.claim(1)
	f.refused(f.Finish(t.Context(), slow))
	f.is(1, "leased attempts=1 version=3")
}

func TestOwnerFitsTheColumnAndStaysReadable(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.add(2)
	f.Owner = "größe-" + strings.Repeat("x", 100)
	if got := f.row(f.claim(1)[0].Seq).Owner; len(got) != 64 || !strings.HasPrefix(got, "gr??e-xxx") {
		t.Errorf("owner %q", got)
	}
	f.Owner = ""
	if got := f.row(f.claim(1)[0].Seq).Owner; !strings.HasPrefix(got, "worker/") {
		t.Errorf("owner %q", got)
	}
}

// The costs that doc.go names, in statements sent and rows read.
func TestClaimAndFinishCostWhatTheDocumentationSays(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.DB.SetMaxOpenConns(1) // so that the session's counters see everything
	f.exec("INSERT INTO jobs (next_attempt_at) VALUES " + list("(NOW(6) + INTERVAL 1 HOUR)", 1500))
	f.exec("INSERT INTO jobs (status) VALUES " + list("('done')", 3000))
	f.exec("ANALYZE TABLE jobs")

	var won []Lease
	for _, step := range []struct {
		name       string
		statements int
		rows       int // at most
		do         func()
	}{
		{"idle claim", 1, 4, func() { f.idle() }},
		{"insert", 1, 1, func() { f.add(1) }},
		{"busy claim", 6, 16, func() { won = f.claim(1) }},
		{"idle claim beside a lease", 1, 4, func() { f.idle() }},
		{"finish", 3, 3, func() { f.must(f.Finish(t.Context(), won[0])) }},
		{"insert many", 2, 9000, func() {
			f.exec("INSERT INTO jobs () VALUES " + list("()", 3000))
			f.exec("ANALYZE TABLE jobs")
		}},
		{"busy claim of a full queue", 6, 16, func() { f.claim(1) }},
	} {
		statements, rows := f.counters()
		step.do()
		statementsAfter, rowsAfter := f.counters()
		if got := statementsAfter - statements - 1; got != step.statements { // one asked for the counters
			t.Errorf("%s: %d statements, want %d", step.name, got, step.statements)
		}
		if got := rowsAfter - rows; got > step.rows {
			t.Errorf("%s: %d rows read, want at most %d", step.name, got, step.rows)
		}
	}
}

// counters returns the session's statements so far and the rows it has read.
func (f fixture) counters() (statements, reads int) {
	f.t.Helper()
	rows, err := f.DB.QueryContext(context.Background(),
		"SHOW SESSION STATUS WHERE Variable_name = 'Questions' OR Variable_name IN "+
			"('Handler_read_first', 'Handler_read_key', 'Handler_read_next', 'Handler_read_prev', 'Handler_read_rnd')")
	if err != nil {
		f.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		var n int
		if err := rows.Scan(&name, &n); err != nil {
			f.t.Fatal(err)
		}
		if name == "Questions" {
			statements = n
		} else {
			reads += n
		}
	}
	return statements, reads
}
