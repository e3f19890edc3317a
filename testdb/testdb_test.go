package testdb_test

import (
	"database/sql"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"onceshop/database"
	"onceshop/migrations"
	sandboxmigrations "onceshop/sandbox/migrations"
	"onceshop/testdb"
)

func open(t *testing.T, dsn string) *sql.DB {
	t.Helper()
	db, err := database.Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func column(t *testing.T, db *sql.DB, query string) []string {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var list []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			t.Fatal(err)
		}
		list = append(list, s)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

// definitions returns every table as the server would make it again. Whether a
// column's character set was named or comes from the table is all the same.
func definitions(t *testing.T, db *sql.DB) map[string]string {
	t.Helper()
	tables := map[string]string{}
	for _, table := range column(t, db, "SHOW TABLES") {
		var create string
		if err := db.QueryRowContext(t.Context(), "SHOW CREATE TABLE `"+table+"`").Scan(&table, &create); err != nil {
			t.Fatal(err)
		}
		tables[table] = strings.ReplaceAll(create, " CHARACTER SET utf8mb4", "")
	}
	return tables
}

func TestCopyIsWhatTheMigrationsMake(t *testing.T) {
	t.Parallel()
	migrated := open(t, testdb.Empty(t))
	if err := database.Up(t.Context(), migrated, migrations.FS, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	copied := open(t, testdb.New(t))
	if diff := cmp.Diff(definitions(t, migrated), definitions(t, copied)); diff != "" {
		t.Errorf("tables differ from migrated to copied:\n%s", diff)
	}
	const versions = "SELECT version_id FROM goose_db_version ORDER BY id"
	if diff := cmp.Diff(column(t, migrated, versions), column(t, copied, versions)); diff != "" {
		t.Errorf("versions differ from migrated to copied:\n%s", diff)
	}
}

func TestSandboxGetsItsOwnTables(t *testing.T) {
	t.Parallel()
	db := open(t, testdb.NewSandbox(t))
	current, latest, err := database.Version(t.Context(), db, sandboxmigrations.FS)
	if err != nil || current != latest || current == 0 {
		t.Errorf("version %d of %d, %v", current, latest, err)
	}
	if tables := strings.Join(column(t, db, "SHOW TABLES"), " "); strings.Contains(tables, "shop_") {
		t.Errorf("the practice platform's database has %s", tables)
	}
}

func TestEachCallGivesAnotherDatabase(t *testing.T) {
	t.Parallel()
	one, two := open(t, testdb.New(t)), open(t, testdb.New(t))
	if _, err := one.ExecContext(t.Context(), "INSERT INTO shop_carts (id, token_hash) VALUES ('cart', REPEAT('c', 32))"); err != nil {
		t.Fatal(err)
	}
	if carts := column(t, two, "SELECT id FROM shop_carts"); len(carts) != 0 {
		t.Errorf("a row of one test is seen by the other: %v", carts)
	}
}

func TestForeignKeysAreEnforcedInACopy(t *testing.T) {
	t.Parallel()
	db := open(t, testdb.New(t))
	_, err := db.ExecContext(t.Context(), "INSERT INTO shop_cart_lines (cart_id, product_id, quantity) VALUES ('none', 'none', 1)")
	if err == nil {
		t.Error("a line of no cart was taken")
	}
}

func TestDatabaseIsDroppedWithItsTest(t *testing.T) {
	t.Parallel()
	admin := open(t, testdb.Empty(t))
	var name string
	t.Run("user", func(t *testing.T) {
		name = column(t, open(t, testdb.New(t)), "SELECT DATABASE()")[0]
	})
	if left := column(t, admin, "SELECT schema_name FROM information_schema.schemata WHERE schema_name = '"+name+"'"); len(left) != 0 {
		t.Errorf("%s is still there", name)
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		testdb.New(b)
	}
}
