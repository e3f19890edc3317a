package database_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/fstest"

	"onceshop/database"
	"onceshop/testdb"
)

func migrationFiles(statements ...string) fstest.MapFS {
	files := fstest.MapFS{}
	for i, statement := range statements {
		files[fmt.Sprintf("%05d_step.sql", i+1)] = &fstest.MapFile{Data: []byte("-- +goose Up\n" + statement + ";\n")}
	}
	return files
}

var quiet = slog.New(slog.DiscardHandler)

func TestMigrationsAreAppliedOnceInOrder(t *testing.T) {
	t.Parallel()
	db := fresh(t)
	files := migrationFiles("CREATE TABLE a (n INT)", "ALTER TABLE a ADD COLUMN m INT")
	for range 2 {
		if err := database.Up(t.Context(), db, files, quiet); err != nil {
			t.Fatal(err)
		}
	}
	exec(t, db, "INSERT INTO a (n, m) VALUES (1, 2)")
	current, latest, err := database.Version(t.Context(), db, files)
	if err != nil || current != 2 || latest != 2 {
		t.Errorf("version %d of %d, %v; want 2 of 2", current, latest, err)
	}
	list, err := database.Status(t.Context(), db, files)
	if err != nil || len(list) != 2 || list[0].Version != 1 || list[1].AppliedAt.IsZero() {
		t.Errorf("status %+v, %v", list, err)
	}
}

// Each of the statements takes effect, and the process is killed before the
// version is noted: the next run must go on by itself.
func TestRunKilledAfterAStatementIsResumed(t *testing.T) {
	t.Parallel()
	statements := []string{
		"CREATE TABLE a (n INT PRIMARY KEY) ENGINE = InnoDB",
		"ALTER TABLE a ADD COLUMN m INT",
		"CREATE INDEX by_m ON a (m)",
		"CREATE TABLE b (n INT, CONSTRAINT b_a FOREIGN KEY (n) REFERENCES a (n)) ENGINE = InnoDB",
		"ALTER TABLE b ADD CONSTRAINT b_positive CHECK (n > 0)",
		"ALTER TABLE b ADD CONSTRAINT b_again FOREIGN KEY (n) REFERENCES a (n)",
		"DROP INDEX by_m ON a",
		"ALTER TABLE a DROP COLUMN m",
		"DROP TABLE b",
	}
	for killed := range len(statements) + 1 {
		t.Run(fmt.Sprintf("after version %d", killed), func(t *testing.T) {
			t.Parallel()
			db := fresh(t)
			if killed > 0 {
				if err := database.Up(t.Context(), db, migrationFiles(statements[:killed]...), quiet); err != nil {
					t.Fatal(err)
				}
				exec(t, db, "DELETE FROM goose_db_version WHERE version_id = ?", killed)
			} else {
				exec(t, db, "CREATE TABLE goose_db_version (id SERIAL PRIMARY KEY, version_id BIGINT NOT NULL, is_applied BOOLEAN NOT NULL, tstamp DATETIME NULL DEFAULT CURRENT_TIMESTAMP)")
			}
			if err := database.Up(t.Context(), db, migrationFiles(statements...), quiet); err != nil {
				t.Fatal(err)
			}
			if got := value[string](t, db, "SELECT GROUP_CONCAT(table_name ORDER BY 1) FROM information_schema.tables WHERE table_schema = DATABASE()"); got != "a,goose_db_version" {
				t.Errorf("tables are %s", got)
			}
		})
	}
}

func TestFaultyMigrationStopsAndSaysWhich(t *testing.T) {
	t.Parallel()
	db := fresh(t)
	files := migrationFiles("CREATE TABLE a (n INT)", "CREATE NONSENSE", "CREATE TABLE c (n INT)")
	err := database.Up(t.Context(), db, files, quiet)
	if err == nil || !strings.Contains(err.Error(), "00002_step.sql") && !strings.Contains(err.Error(), "version:2") {
		t.Fatalf("error %v doesn't name migration 2", err)
	}
	if current, _, _ := database.Version(t.Context(), db, files); current != 1 {
		t.Errorf("the database is at version %d, want 1", current)
	}
	// The lock is free again: a mended second file goes through.
	if err := database.Up(t.Context(), db, migrationFiles("CREATE TABLE a (n INT)", "CREATE TABLE b (n INT)", "CREATE TABLE c (n INT)"), quiet); err != nil {
		t.Error(err)
	}
}

// MySQL's lock names are shorter than its database names may be.
func TestLongDatabaseNameDoesNotBreakTheLock(t *testing.T) {
	t.Parallel()
	admin := fresh(t)
	name := strings.Repeat("x", 50) + value[string](t, admin, "SELECT LEFT(UUID(), 8)")
	exec(t, admin, "CREATE DATABASE `"+name+"`")
	defer exec(t, admin, "DROP DATABASE `"+name+"`")
	cfg, err := database.Config(testdb.Empty(t))
	if err != nil {
		t.Fatal(err)
	}
	cfg.DBName = name
	db, err := database.Open(t.Context(), cfg.FormatDSN())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := database.Up(t.Context(), db, migrationFiles("CREATE TABLE a (n INT)"), quiet); err != nil {
		t.Error(err)
	}
}

func TestSlowMigrationOutlastsTheReadTimeout(t *testing.T) {
	t.Parallel()
	cfg, err := database.Config(testdb.Empty(t))
	if err != nil {
		t.Fatal(err)
	}
	cfg.ReadTimeout = 200_000_000
	db, err := database.OpenForMigrations(t.Context(), cfg.FormatDSN())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := database.Up(t.Context(), db, migrationFiles("DO SLEEP(0.5)"), quiet); err != nil {
		t.Error(err)
	}
}
