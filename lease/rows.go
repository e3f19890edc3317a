package lease

import (
	"context"
	"database/sql"
	"strings"
)

// condition is a reason for which a row may be claimed: a range of one index,
// in the order of that index. Two conditions joined by OR would use neither.
type condition struct{ where, order string }

// The clock in them is the database's, as everywhere in this package: workers
// need not agree on the time (case: clocks ten minutes apart).
var (
	due     = condition{"status = 'pending' AND next_attempt_at <= NOW(6)", "next_attempt_at"}
	expired = condition{"status = 'leased' AND lease_until < NOW(6)", "lease_until"}
)

// The two assignments of a claim. Both raise lease_version, as every change of
// hands does: what the last holder still has in hand is worthless from here on.
const (
	takeOver = "status = 'leased', attempts = attempts + 1, lease_version = lease_version + 1," +
		" lease_owner = ?, lease_until = NOW(6) + INTERVAL ? MICROSECOND"
	giveUp = "status = 'dead', lease_version = lease_version + 1, " + free + ", last_error = ?"
)

// expiredReason is the last_error of a row whose workers all died over it.
const expiredReason = "lease expired"

// peek asks in one unlocked statement whether there is anything to claim, so
// that an idle queue costs one round trip and no transaction. It decides only
// whether to look closer.
func (q *Queue) peek(ctx context.Context) (anyDue, anyExpired bool, err error) {
	kinds, args := q.kinds()
	exists := func(c condition) string {
		// Not EXISTS: it drops the order, and without that MySQL may choose the
		// other index and read pending rows by the thousand that aren't due.
		return "(SELECT seq FROM " + q.Table + " WHERE " + c.where + kinds +
			" ORDER BY " + c.order + " LIMIT 1) IS NOT NULL"
	}
	err = q.DB.QueryRowContext(ctx, "SELECT "+exists(due)+", "+exists(expired), append(args, args...)...).
		Scan(&anyDue, &anyExpired)
	return anyDue, anyExpired, err
}

// find locks rows that meet the condition. SKIP LOCKED lets claims pass each
// other; without it they queue up here.
func (q *Queue) find(ctx context.Context, tx *sql.Tx, c condition, n int) ([]Lease, error) {
	kinds, args := q.kinds()
	query := "SELECT seq, lease_version, attempts FROM " + q.Table + " WHERE " + c.where + kinds +
		" ORDER BY " + c.order + " LIMIT ? FOR UPDATE"
	if !q.NoSkipLocked {
		query += " SKIP LOCKED"
	}
	return leases(tx.QueryContext(ctx, query, append(args, n)...))
}

// update changes those of rows that still meet the condition at the version
// they were found with. The locks make that all of them; the WHERE clause is
// what holds where locks are only checked at commit, or not kept (promise 9).
//
// It goes by the primary key, by order: on a small table MariaDB prefers to scan
// the index of the condition, and then waits for rows that find had skipped.
func (q *Queue) update(ctx context.Context, tx *sql.Tx, c condition, rows []Lease, set string, args ...any) error {
	if len(rows) == 0 {
		return nil
	}
	for _, l := range rows {
		args = append(args, l.Seq, l.Version)
	}
	_, err := tx.ExecContext(ctx, "UPDATE "+q.Table+" FORCE INDEX (PRIMARY) SET "+set+" WHERE "+c.where+
		" AND (seq, lease_version) IN ("+list("(?, ?)", len(rows))+")", args...)
	return err
}

// carrying returns those of rows whose lease_owner is token, as they are now.
func (q *Queue) carrying(ctx context.Context, tx *sql.Tx, token string, rows []Lease) ([]Lease, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	args := make([]any, 0, len(rows)+1)
	for _, l := range rows {
		args = append(args, l.Seq)
	}
	return leases(tx.QueryContext(ctx, "SELECT seq, lease_version, attempts FROM "+q.Table+
		" WHERE seq IN ("+list("?", len(rows))+") AND lease_owner = ? ORDER BY seq", append(args, token)...))
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

func leases(rows *sql.Rows, err error) ([]Lease, error) {
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
