package migrations_test

import (
	"fmt"
	"io/fs"
	"log/slog"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"onceshop/database"
	"onceshop/migrations"
	"onceshop/testdb"
)

var quiet = slog.New(slog.DiscardHandler)

func TestManyInstancesMayStartAtOnce(t *testing.T) {
	t.Parallel()
	dsn := testdb.Empty(t)
	var starts sync.WaitGroup
	for range 8 {
		db := open(t, dsn) // each instance has a pool of its own
		starts.Go(func() {
			if err := database.Up(t.Context(), db, migrations.FS, quiet); err != nil {
				t.Error(err)
			}
		})
	}
	starts.Wait()
	db := open(t, dsn)
	if n := one[int](t, db, "SELECT COUNT(*) - COUNT(DISTINCT version_id) FROM goose_db_version"); n != 0 {
		t.Errorf("%d migrations were noted twice", n)
	}
	current, latest, err := database.Version(t.Context(), db, migrations.FS)
	if err != nil || current != latest {
		t.Errorf("version %d of %d, %v", current, latest, err)
	}
}

// The server commits at every DDL statement: a file with two could stop between
// them, and Up couldn't tell how far it got.
func TestEachMigrationIsOneStatement(t *testing.T) {
	t.Parallel()
	name := regexp.MustCompile(`^\d{5}_[a-z0-9_]+\.sql$`)
	for _, file := range list(t) {
		if !name.MatchString(file) {
			t.Errorf("%s: want a name such as 00042_shop_orders_note.sql", file)
		}
		text, err := fs.ReadFile(migrations.FS, file)
		if err != nil {
			t.Fatal(err)
		}
		up, _, _ := strings.Cut(string(text), "-- +goose Down")
		up = regexp.MustCompile(`(?m)--.*$`).ReplaceAllString(up, "")
		if n := strings.Count(up, ";"); n != 1 {
			t.Errorf("%s has %d statements, want 1", file, n)
		}
	}
}

// A shop that runs has work half done: jobs nobody has leased, events, licenses.
// The newest migration must find and leave all of it as it is.
func TestNewestMigrationLeavesEveryRowAsItWas(t *testing.T) {
	t.Parallel()
	db := open(t, testdb.Empty(t))
	files := list(t)
	if err := database.Up(t.Context(), db, first(t, files[:len(files)-1]), quiet); err != nil {
		t.Fatal(err)
	}
	for _, statement := range lived {
		exec(t, db, statement)
	}
	dump := func(columns map[string]string) map[string][][]string {
		rows := map[string][][]string{}
		for table, list := range columns {
			var err error
			if rows[table], err = records(t.Context(), db, fmt.Sprintf("SELECT %s FROM `%s` ORDER BY 1, 2", list, table)); err != nil {
				t.Fatal(err)
			}
		}
		return rows
	}
	columns := columnsByTable(t, db)
	before := dump(columns)
	if err := database.Up(t.Context(), db, migrations.FS, quiet); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, dump(columns)); diff != "" {
		t.Errorf("rows changed:\n%s", diff)
	}
	if got := one[string](t, db, "SELECT CONCAT(status, ' ', attempts, ' ', COALESCE(lease_until, 'no lease')) FROM shop_fulfillment_outbox"); got != "pending 0 no lease" {
		t.Errorf("the waiting job is now: %s", got)
	}
}
