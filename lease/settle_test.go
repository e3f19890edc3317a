package lease

import (
	"database/sql"
	"errors"
	"strings"
	"testing"
	"time"

	"onceshop/database"
)

// refused expects ErrLost.
func (f fixture) refused(err error) {
	f.t.Helper()
	if !errors.Is(err, ErrLost) {
		f.t.Errorf("got %v, want %v", err, ErrLost)
	}
}

func TestWorkerThatLostItsLeaseCanFinishNothing(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.add(1)
	ctx := t.Context()
	stale := f.claim(1)[0]
	f.expire()
	holder := f.claim(1)[0]

	f.refused(f.Finish(ctx, stale))
	f.refused(f.Extend(ctx, stale))
	f.refused(f.Retry(ctx, stale, errors.New("late")))
	f.refused(f.Retry(ctx, stale, Permanent(errors.New("late"))))
	f.refused(f.postpone(stale, time.Hour, "late"))
	f.refused(f.Release(ctx, stale))
	f.is(1, "leased attempts=2 version=2")

	f.must(f.Finish(ctx, holder))
	f.is(1, "done attempts=2 version=2")
	f.refused(f.Finish(ctx, holder)) // once
	f.refused(f.Finish(ctx, stale))
	f.expire()
	f.idle()
}

func TestExpiredLeaseThatNobodyTookIsStillHeld(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.add(1)
	l := f.claim(1)[0]
	f.expire()
	f.must(f.Extend(t.Context(), l))
	f.idle()
	f.must(f.Finish(t.Context(), l))
}

func TestExtendNeverShortensAndIsNeverMistakenForLost(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.add(1)
	l := f.claim(1)[0]
	// As after a step of the database's clock: the deadline lies later than a
	// fresh lease's would, so that the UPDATE might change nothing.
	f.exec("UPDATE jobs SET lease_until = NOW(6) + INTERVAL 1 HOUR")
	for range 3 {
		f.must(f.Extend(t.Context(), l))
	}
	if left := f.row(1).Left; left < 59*time.Minute {
		t.Errorf("%v left of an hour", left)
	}
}

func TestFinishIsKeptOnlyTogetherWithTheWork(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.add(1)
	ctx := t.Context()
	l := f.claim(1)[0]
	work := func(l Lease, then error) error {
		return database.InTx(ctx, f.DB, func(tx *sql.Tx) error {
			if _, err := tx.ExecContext(ctx, "INSERT INTO effects VALUES (?)", l.Seq); err != nil {
				return err
			}
			return errors.Join(f.FinishTx(ctx, tx, l), then)
		})
	}

	if err := work(l, errors.New("second thoughts")); err == nil {
		t.Fatal("want an error")
	}
	f.is(1, "leased attempts=1 version=1")
	stale := l
	stale.Version--
	f.refused(work(stale, nil))
	if n := f.count("effects"); n != 0 {
		t.Fatalf("%d effects of work that was refused", n)
	}
	f.must(work(l, nil))
	if n := f.count("effects"); n != 1 {
		t.Errorf("%d effects, want 1", n)
	}
	f.is(1, "done attempts=1 version=1")
}

func TestFailuresWaitLongerAndLongerUntilTheRowIsDead(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.add(1)
	for n, want := range []time.Duration{60, 300, 1800, 7200, 21600, 43200, 86400} {
		want *= time.Second
		l := f.claim(1)[0]
		f.must(f.Retry(t.Context(), l, errors.New("no answer")))
		r := f.row(1)
		if r.Status != "pending" || r.Attempts != n+1 || r.Reason != "no answer" {
			t.Fatalf("after failure %d: %+v", n+1, r)
		}
		const slack = 5 * time.Second // between the UPDATE and the look at it
		if low, high := want*9/10-slack, want*11/10; r.Wait < low || r.Wait > high {
			t.Errorf("after failure %d: due in %v, want %v to %v", n+1, r.Wait, low, high)
		}
		f.idle()
		f.exec("UPDATE jobs SET next_attempt_at = NOW(6)")
	}
	f.must(f.Retry(t.Context(), f.claim(1)[0], errors.New("the eighth")))
	f.is(1, "dead attempts=8 version=8")
	if r := f.row(1); r.Reason != "the eighth" {
		t.Errorf("reason %q", r.Reason)
	}
	f.idle()
}

func TestPermanentFailureIsBuriedAtOnce(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.add(1)
	f.must(f.Retry(t.Context(), f.claim(1)[0], Permanent(errors.New("no such order"))))
	f.is(1, "dead attempts=1 version=1")
	if r := f.row(1); r.Reason != "no such order" {
		t.Errorf("reason %q", r.Reason)
	}
}

func TestPostponingAndReleasingDoNotCount(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.add(1)
	for range 20 { // more often than there are attempts
		f.must(f.Release(t.Context(), f.claim(1)[0]))
	}
	f.is(1, "pending attempts=0 version=20")
	for range 20 {
		f.must(f.postpone(f.claim(1)[0], time.Hour, "waits for stock"))
		f.idle()
		if r := f.row(1); r.Wait < 59*time.Minute || r.Wait > time.Hour || r.Reason != "waits for stock" {
			t.Fatalf("postponed row: %+v", r)
		}
		f.exec("UPDATE jobs SET next_attempt_at = NOW(6)")
	}
	f.is(1, "pending attempts=0 version=40")
}

func TestReasonAlwaysFitsTheColumn(t *testing.T) {
	t.Parallel()
	f := setup(t)
	for _, text := range []string{
		strings.Repeat("x", 499) + "é",
		strings.Repeat("🚀", 200),
		"not \xff UTF-8 \x00",
		"",
	} {
		f.add(1)
		l := f.claim(1)[0]
		f.must(f.Retry(t.Context(), l, errors.New(text)))
		got := f.row(l.Seq).Reason
		if len(got) > 500 || !strings.HasPrefix(strings.ToValidUTF8(text, "\uFFFD"), got) {
			t.Errorf("%d bytes kept: %q", len(got), got)
		}
	}
	f.add(1)
	f.must(f.Retry(t.Context(), f.claim(1)[0], nil))
}

func TestPermanentKeepsTheErrorItMarks(t *testing.T) {
	t.Parallel()
	cause := errors.New("cause")
	marked := errors.Join(errors.New("other"), Permanent(cause))
	if !IsPermanent(marked) || !errors.Is(marked, cause) || IsPermanent(cause) {
		t.Error("the mark or what it marks got lost")
	}
	if Permanent(nil) != nil || IsPermanent(nil) {
		t.Error("no error became one")
	}
}
