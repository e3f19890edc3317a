package crashtest_test

import (
	"database/sql"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// incomparable lists the columns that differ between two runs of one story without
// the shop having done anything else. Only whether they are NULL is compared.
var incomparable = map[string]string{
	"shop_carts.token_hash":                 "random",
	"shop_orders.token_hash":                "derived from the order's id",
	"shop_orders.number":                    "random",
	"shop_licenses.key_hash":                "derived from the license's id",
	"shop_events.deliveries":                "a redelivery counts itself",
	"shop_events.attempts":                  "an attempt that broke counts",
	"shop_events.lease_version":             "as do its claims",
	"shop_event_conflicts.seen":             "a redelivery counts itself",
	"shop_fulfillment_outbox.attempts":      "an attempt that broke counts",
	"shop_fulfillment_outbox.lease_version": "as do its claims",
	"shop_mailbox.message_id":               "derived from the order's id",
	"shop_mailbox.raw":                      "holds key, links, a date and a random boundary",
	"shop_mailbox.sent":                     "a mail whose acceptance got lost goes out again under the same Message-ID",
}

// keptReason is the one column that is always left out: a job that failed once
// and is done now keeps what the failure said.
const keptReason = "shop_fulfillment_outbox.last_error"

var (
	ourID    = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}`)
	instant  = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`)
	platform = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)
	number   = regexp.MustCompile(`OS-[A-Z2-7]{5}-[A-Z2-7]{5}`)
)

// dump reads all rows of all of the shop's tables, in the order in which they were
// made, as text that is equal for equal stories:
//
//   - our own ids (UUIDv7) become a running number, the same for the same id;
//   - seq becomes the row's position, for a failed insert leaves a gap;
//   - times become "a time": that they are set is compared, when isn't;
//   - incomparable columns become "a value".
//
// Everything else is compared as it is: revisions, row versions, verdicts,
// statuses, amounts, the history with all its changes, the signed bytes.
func dump(t testing.TB, db *sql.DB) []string {
	t.Helper()
	d := newDumper(t, db)
	var lines []string
	for _, table := range d.column("SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name LIKE 'shop\\_%' ORDER BY table_name") {
		lines = append(lines, d.table(table, "TRUE")...)
	}
	return lines
}

// dumpOrder is dump for what belongs to one order, without the events: the order,
// its payments with the platform's reference replaced, its jobs, licenses and
// history, the latter without which event it was.
func dumpOrder(t testing.TB, db *sql.DB, orderID, ref string) []string {
	t.Helper()
	d := newDumper(t, db)
	d.skip = append(d.skip, "shop_order_revisions.event_seq", "shop_fulfillment_outbox.seq")
	lines := d.table("shop_orders", "id = ?", orderID)
	for _, table := range []string{"shop_payments", "shop_fulfillment_outbox", "shop_licenses", "shop_order_revisions"} {
		lines = append(lines, d.table(table, "order_id = ?", orderID)...)
	}
	for i := range lines {
		lines[i] = strings.ReplaceAll(lines[i], ref, "the payment")
	}
	return lines
}

type dumper struct {
	t    testing.TB
	db   *sql.DB
	ids  map[string]string
	seqs map[string]string // shop_events.seq -> position
	skip []string          // columns that are left out
}

func newDumper(t testing.TB, db *sql.DB) dumper {
	return dumper{t: t, db: db, ids: map[string]string{}, seqs: map[string]string{"": ""}, skip: []string{keptReason}}
}

func (d dumper) column(query string, args ...any) (list []string) {
	d.t.Helper()
	for _, row := range d.rows(query, args...) {
		list = append(list, row[0].String)
	}
	return list
}

func (d dumper) rows(query string, args ...any) (all [][]sql.NullString) {
	d.t.Helper()
	rows, err := d.db.QueryContext(d.t.Context(), query, args...)
	if err != nil {
		d.t.Fatal(err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		d.t.Fatal(err)
	}
	for rows.Next() {
		row, into := make([]sql.NullString, len(names)), make([]any, len(names))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			d.t.Fatal(err)
		}
		all = append(all, row)
	}
	if err := rows.Err(); err != nil {
		d.t.Fatal(err)
	}
	return all
}

func (d dumper) table(name, where string, args ...any) (lines []string) {
	d.t.Helper()
	columns := d.rows(`SELECT column_name, data_type FROM information_schema.columns
		WHERE table_schema = DATABASE() AND table_name = ? ORDER BY ordinal_position`, name)
	// The primary key is in the first columns, and a UUIDv7 in order of time.
	for position, row := range d.rows("SELECT * FROM "+name+" WHERE "+where+" ORDER BY 1, 2", args...) {
		var fields []string
		for i, value := range row {
			column, kind := columns[i][0].String, columns[i][1].String
			if !slices.Contains(d.skip, name+"."+column) {
				fields = append(fields, column+"="+d.field(name, column, kind, position+1, value))
			}
		}
		lines = append(lines, name+" "+strings.Join(fields, " "))
	}
	return lines
}

func (d dumper) field(table, column, kind string, position int, value sql.NullString) string {
	switch {
	case !value.Valid:
		return "NULL"
	case incomparable[table+"."+column] != "":
		return "a value"
	case kind == "datetime":
		return "a time"
	case column == "seq":
		if table == "shop_events" {
			d.seqs[value.String] = fmt.Sprint(position)
		}
		return fmt.Sprint(position)
	case column == "event_seq":
		return "event " + d.seqs[value.String]
	}
	text := ourID.ReplaceAllStringFunc(value.String, func(id string) string {
		if d.ids[id] == "" {
			d.ids[id] = fmt.Sprintf("id-%d", len(d.ids)+1)
		}
		return d.ids[id]
	})
	text = instant.ReplaceAllString(text, "a time")
	text = number.ReplaceAllString(text, "a number")
	return fmt.Sprintf("%q", platform.ReplaceAllString(text, "http://platform"))
}

// same compares two dumps.
func same(t testing.TB, want, got []string) {
	t.Helper()
	if slices.Equal(want, got) {
		return
	}
	t.Errorf("the rows differ (-want +got):\n%s", cmp.Diff(want, got))
}
