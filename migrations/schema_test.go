package migrations_test

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"onceshop/testdb"
)

var update = flag.Bool("update", false, "write the schema snapshot instead of comparing with it")

// The snapshot is what a reviewer of a migration reads: the whole result, not
// the steps. MySQL and MariaDB word the same things differently, so each has its
// own.
func TestMigrationsMakeTheSchemaOfTheSnapshot(t *testing.T) {
	t.Parallel()
	db := open(t, testdb.New(t))
	got, err := describe(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("schema", "mysql.txt")
	if strings.Contains(one[string](t, db, "SELECT VERSION()"), "MariaDB") {
		file = filepath.Join("schema", "mariadb.txt")
	}
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("the schema is not the one in %s (after a wanted change: go test ./migrations -update, with DB=mysql and DB=mariadb):\n%s", file, diff)
	}
}

// A row that has never been leased, delivered or revoked has no such time: a
// default would make it look as if it had.
func TestTimesOfWhatHasNotHappenedHaveNoDefault(t *testing.T) {
	t.Parallel()
	db := open(t, testdb.New(t))
	for _, column := range []string{"lease_until", "lease_owner", "revoked_at", "delivered_at", "paid_at", "processed_at"} {
		rows, err := db.QueryContext(t.Context(), `SELECT table_name, is_nullable, COALESCE(column_default, 'NULL')
			FROM information_schema.columns WHERE table_schema = DATABASE() AND column_name = ?`, column)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for rows.Next() {
			found++
			var table, nullable, def string
			if err := rows.Scan(&table, &nullable, &def); err != nil {
				t.Fatal(err)
			}
			if nullable != "YES" || def != "NULL" {
				t.Errorf("%s.%s: nullable %s, default %s", table, column, nullable, def)
			}
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		if found == 0 {
			t.Errorf("no table has a column %s", column)
		}
	}
}

// A section prints the lines of one kind of thing, grouped by table.
type section struct {
	query string
	print func(f []string) string // of the fields after the table's name
}

// sections are what a schema consists of, in the order of the snapshot.
var sections = []section{
	{`SELECT table_name, engine, table_collation FROM information_schema.tables
	  WHERE table_schema = DATABASE() ORDER BY 1`,
		func(f []string) string { return fmt.Sprintf("%s, %s", f[0], f[1]) }},
	{`SELECT table_name, column_name, column_type, COALESCE(collation_name, ''), is_nullable, COALESCE(column_default, 'NULL'), extra
	  FROM information_schema.columns WHERE table_schema = DATABASE() ORDER BY 1, ordinal_position`,
		func(f []string) string {
			words := []string{"column", f[0], f[1], f[2]}
			if f[3] == "NO" {
				words = append(words, "NOT NULL")
			}
			if f[4] != "NULL" {
				words = append(words, "DEFAULT", f[4])
			}
			return strings.Join(strings.Fields(strings.Join(append(words, f[5]), " ")), " ")
		}},
	{`SELECT table_name, index_name, non_unique, index_type,
	    GROUP_CONCAT(CONCAT(column_name, COALESCE(CONCAT('(', sub_part, ')'), ''), IF(collation = 'D', ' DESC', '')) ORDER BY seq_in_index SEPARATOR ', ')
	  FROM information_schema.statistics WHERE table_schema = DATABASE()
	  GROUP BY table_name, index_name, non_unique, index_type ORDER BY 1, 2`,
		func(f []string) string {
			kind := map[string]string{"0": "unique", "1": "index"}[f[1]]
			return fmt.Sprintf("%s %s (%s) %s", kind, f[0], f[3], f[2])
		}},
	{`SELECT k.table_name, k.constraint_name, GROUP_CONCAT(k.column_name ORDER BY k.ordinal_position SEPARATOR ', '), k.referenced_table_name,
	    GROUP_CONCAT(k.referenced_column_name ORDER BY k.ordinal_position SEPARATOR ', '), r.delete_rule, r.update_rule
	  FROM information_schema.key_column_usage k JOIN information_schema.referential_constraints r
	    ON r.constraint_schema = k.constraint_schema AND r.constraint_name = k.constraint_name AND r.table_name = k.table_name
	  WHERE k.table_schema = DATABASE() AND k.referenced_table_name IS NOT NULL
	  GROUP BY k.table_name, k.constraint_name, k.referenced_table_name, r.delete_rule, r.update_rule ORDER BY 1, 2`,
		func(f []string) string {
			return fmt.Sprintf("foreign key %s (%s) to %s (%s), on delete %s, on update %s", f[0], f[1], f[2], f[3], f[4], f[5])
		}},
	{`SELECT t.table_name, c.constraint_name, c.check_clause
	  FROM information_schema.check_constraints c JOIN information_schema.table_constraints t
	    ON t.constraint_schema = c.constraint_schema AND t.constraint_name = c.constraint_name AND t.constraint_type = 'CHECK'
	  WHERE c.constraint_schema = DATABASE() GROUP BY 1, 2, 3 ORDER BY 1, 2`,
		func(f []string) string { return fmt.Sprintf("check %s %s", f[0], f[1]) }},
}

// describe writes everything about the tables that the server tells. goose's
// own table is goose's business.
func describe(ctx context.Context, db *sql.DB) (string, error) {
	var tables []string
	lines := map[string][]string{}
	for i, s := range sections {
		rows, err := records(ctx, db, s.query)
		if err != nil {
			return "", fmt.Errorf("%s: %w", s.query, err)
		}
		for _, r := range rows {
			table, line := r[0], "  "+s.print(r[1:])
			if i == 0 && table != "goose_db_version" {
				tables = append(tables, table)
				line = table + ": " + strings.TrimSpace(line)
			}
			lines[table] = append(lines[table], line)
		}
	}
	var text strings.Builder
	for _, table := range tables {
		text.WriteString(strings.Join(lines[table], "\n") + "\n\n")
	}
	return strings.TrimSuffix(text.String(), "\n"), nil
}
