package lease

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"onceshop/database"
)

// The two reasons for which a row may be claimed. Each is a range of one index,
// (status, next_attempt_at) and (status, lease_until); joined by OR they would
// be neither.
const (
	due     = "status = 'pending' AND next_attempt_at <= NOW(6)"
	expired = "status = 'leased' AND lease_until < NOW(6)"
)

// expiredReason is the last_error of a row whose workers all died over it.
const expiredReason = "lease expired"

// Claim leases up to n rows: first those whose lease has expired, then those
// that are due, and returns them by seq. Each claim counts as an attempt. An
// expired row without attempts left is buried instead: it has killed or outlived
// every worker that tried it.
//
// Claim only what can be started at once. A lease runs from its claim, and when
// the process dies every lease it holds has lost an attempt, innocent or not.
//
// When Claim returns an error, rows may have been leased all the same (the
// commit's answer got lost); their leases expire and they are claimed again.
func (q *Queue) Claim(ctx context.Context, n int) ([]Lease, error) {
	if n <= 0 {
		return nil, nil
	}
	anyDue, anyExpired, err := q.peek(ctx)
	if err != nil || !anyDue && !anyExpired {
		return nil, err
	}
	claimed := time.Now()
	token := q.token()
	var won, buried []Lease
	var recovered int64
	err = database.InTx(ctx, q.DB, func(tx *sql.Tx) error {
		won, buried, recovered = nil, nil, 0 // this may be a repetition
		var again, fresh []Lease
		if anyExpired {
			found, err := q.lock(ctx, tx, expired, "lease_until", n)
			if err != nil {
				return err
			}
			for _, l := range found {
				if q.spent(l.Attempts) {
					buried = append(buried, l)
				} else {
					again = append(again, l)
				}
			}
			if _, err := q.update(ctx, tx, bury, []any{expiredReason}, expired, buried); err != nil {
				return err
			}
			if recovered, err = q.update(ctx, tx, take, q.taking(token), expired, again); err != nil {
				return err
			}
		}
		if rest := n - len(again); anyDue && rest > 0 {
			var err error
			if fresh, err = q.lock(ctx, tx, due, "next_attempt_at", rest); err != nil {
				return err
			}
			if _, err := q.update(ctx, tx, take, q.taking(token), due, fresh); err != nil {
				return err
			}
		}
		var err error
		won, err = q.won(ctx, tx, token, append(again, fresh...))
		return err
	})
	if err != nil {
		return nil, err
	}
	for i := range won {
		won[i].claimed = claimed
	}
	if recovered > 0 {
		q.log().Warn("took over expired leases", "rows", recovered)
	}
	for _, l := range buried {
		q.log().Error("dead: lease expired on the last attempt", "seq", l.Seq, "attempts", l.Attempts)
	}
	return won, nil
}

// peek asks in one unlocked statement whether there is anything to claim, so
// that an idle queue costs one round trip and no transaction. It decides only
// whether to look closer.
func (q *Queue) peek(ctx context.Context) (anyDue, anyExpired bool, err error) {
	and, kinds := q.kinds()
	query := "SELECT EXISTS (SELECT 1 FROM " + q.Table + " WHERE " + due + and + ")," +
		" EXISTS (SELECT 1 FROM " + q.Table + " WHERE " + expired + and + ")"
	err = q.DB.QueryRowContext(ctx, query, append(kinds, kinds...)...).Scan(&anyDue, &anyExpired)
	return anyDue, anyExpired, err
}

// lock finds rows for the reason given and locks them. SKIP LOCKED lets claims
// pass each other; without it they queue up here.
func (q *Queue) lock(ctx context.Context, tx *sql.Tx, reason, order string, n int) ([]Lease, error) {
	and, args := q.kinds()
	query := "SELECT seq, lease_version, attempts FROM " + q.Table + " WHERE " + reason + and +
		" ORDER BY " + order + " LIMIT ? FOR UPDATE"
	if !q.NoSkipLocked {
		query += " SKIP LOCKED"
	}
	return read(tx.QueryContext(ctx, query, append(args, n)...))
}

// take is the assignment that makes a row ours; taking are its values.
const take = "status = 'leased', attempts = attempts + 1, lease_version = lease_version + 1," +
	" lease_owner = ?, lease_until = NOW(6) + INTERVAL ? MICROSECOND"

func (q *Queue) taking(token string) []any { return []any{token, q.length().Microseconds()} }

// bury raises lease_version as every change of hands does: what its last
// holder still has in hand is worthless from here on.
const bury = "status = 'dead', lease_version = lease_version + 1," +
	" lease_owner = NULL, lease_until = NULL, last_error = ?"

// update changes those of rows that are still as they were found, and counts
// them. The WHERE clause is the promise (9): it holds on a server whose locks
// are only checked at commit, or aren't kept.
func (q *Queue) update(ctx context.Context, tx *sql.Tx, set string, args []any, reason string, rows []Lease) (int64, error) {
	if len(rows) == 0 {
		return 0, nil
	}
	pairs := make([]any, 0, 2*len(rows))
	for _, l := range rows {
		pairs = append(pairs, l.Seq, l.Version)
	}
	where := reason + " AND (seq, lease_version) IN (" + list("(?, ?)", len(rows)) + ")"
	res, err := tx.ExecContext(ctx, "UPDATE "+q.Table+" SET "+set+" WHERE "+where, append(args, pairs...)...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// won reads back which of the candidates carry our token.
func (q *Queue) won(ctx context.Context, tx *sql.Tx, token string, candidates []Lease) ([]Lease, error) {
	if len(candidates) == 0 {
		return nil, nil
	}
	args := make([]any, 0, len(candidates)+1)
	for _, l := range candidates {
		args = append(args, l.Seq)
	}
	query := "SELECT seq, lease_version, attempts FROM " + q.Table +
		" WHERE seq IN (" + list("?", len(candidates)) + ") AND lease_owner = ? ORDER BY seq"
	return read(tx.QueryContext(ctx, query, append(args, token)...))
}

// kinds is the condition on the column kind, with its values.
func (q *Queue) kinds() (and string, args []any) {
	if q.Kinds == nil {
		return "", nil
	}
	for _, k := range q.Kinds {
		args = append(args, k)
	}
	return " AND kind IN (" + list("?", len(args)) + ")", args
}

func list(item string, n int) string {
	return strings.TrimSuffix(strings.Repeat(item+", ", n), ", ")
}

func read(rows *sql.Rows, err error) ([]Lease, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []Lease
	for rows.Next() {
		var l Lease
		if err := rows.Scan(&l.Seq, &l.Version, &l.Attempts); err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	return all, rows.Err()
}
