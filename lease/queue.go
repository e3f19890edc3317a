package lease

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"log/slog"
	"strings"
	"time"
)

// Queue hands out leases on the rows of one table. It is a plain configuration:
// it holds no state, may be copied before use, and any number of them in any
// number of processes may work on the same table.
type Queue struct {
	// DB and Table say where the rows are. Table is a name written in the
	// program, never input: it becomes part of the SQL text.
	DB    *sql.DB
	Table string

	// Kinds limits Claim to rows whose column kind is one of these. Nil: all rows,
	// and the table needs no such column.
	Kinds []string

	// Owner names this worker in lease_owner, for the eyes of an operator. At
	// most 37 letters of it are kept, in ASCII. Default "worker".
	Owner string

	// For is the length of a lease. Default 30 s. It bounds how long a row lies
	// idle after its worker was killed; Run extends it for work that takes longer.
	For time.Duration

	// NoSkipLocked leaves SKIP LOCKED out of Claim, for servers that don't know
	// it. Claims then wait for each other and are as correct as before.
	NoSkipLocked bool

	// Schedule holds the waits after the first, second … failure; the failure
	// after the last wait is final. Default Backoff().
	Schedule []time.Duration

	// TimeScale multiplies the waits of Schedule: 0.01 lets a demo show in
	// minutes what takes days. Default 1.
	TimeScale float64

	// Log receives what an operator should know: expired leases, failures,
	// burials; ids only, the reason itself is in last_error. Default slog.Default().
	Log *slog.Logger
}

// Execer is the part of a transaction that a settlement needs.
type Execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

func (q *Queue) length() time.Duration { return cmp.Or(q.For, 30*time.Second) }

func (q *Queue) log() *slog.Logger {
	return cmp.Or(q.Log, slog.Default()).With("queue", q.Table)
}

// about is the log of what happens to these rows.
func (q *Queue) about(leases ...Lease) *slog.Logger {
	seqs := make([]uint64, len(leases))
	for i, l := range leases {
		seqs[i] = l.Seq
	}
	return q.log().With("seq", seqs)
}

// ownerWidth is what lease_owner VARCHAR(64) leaves beside "/" and the 26
// letters of rand.Text.
const ownerWidth = 64 - 1 - 26

// token is a lease_owner that nobody else ever uses, so that a claim can read
// back exactly the rows it won.
func (q *Queue) token() string {
	owner := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?' // the column may be ASCII
		}
		return r
	}, cmp.Or(q.Owner, "worker"))
	return owner[:min(len(owner), ownerWidth)] + "/" + rand.Text()
}
