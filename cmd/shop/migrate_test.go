package main

import (
	"strings"
	"testing"
	"testing/fstest"

	"onceshop/database"
	"onceshop/migrations"
	"onceshop/testdb"
)

func TestFourProcessesMayMigrateAtOnce(t *testing.T) {
	t.Parallel()
	dsn := testdb.Empty(t)
	environ := []string{"SHOP_DATABASE_URL=" + dsn}
	wantCode(t, shop(t, environ, "migrate", "status"), exitFailed, "missing", "run: shop migrate up")
	var all []*process
	for range 4 {
		all = append(all, start(t, environ, "migrate", "up"))
	}
	for i, p := range all {
		if code := p.exits(t); code != exitDone {
			t.Errorf("process %d: exit %d\n%s", i, code, p.stderr.String())
		}
	}
	current, latest, err := database.Version(t.Context(), open(t, dsn).Pool(), migrations.FS)
	if err != nil || current != latest {
		t.Errorf("at %d of %d, %v", current, latest, err)
	}
	r := mustShop(t, environ, "migrate", "status", "--format", "json")
	for _, m := range decode[[]database.MigrationStatus](t, r) {
		if m.AppliedAt.IsZero() {
			t.Errorf("%s isn't applied", m.Name)
		}
	}
	wantCode(t, shop(t, environ, "migrate", "up"), exitDone, "the database is at migration")
}

func TestTheProgramsOwnMigrationsAreValid(t *testing.T) {
	t.Parallel()
	wantCode(t, shop(t, nil, "migrate", "validate"), exitDone, "one statement each")
}

func TestAMigrationWithTwoStatementsIsRefused(t *testing.T) {
	t.Parallel()
	good := &fstest.MapFile{Data: []byte("-- +goose Up\nCREATE TABLE a (b INT); -- one; really\n\n-- +goose Down\nDROP TABLE a;\n")}
	for name, c := range map[string]struct {
		files fstest.MapFS
		want  string
	}{
		"fine":     {fstest.MapFS{"00001_a.sql": good}, ""},
		"two":      {fstest.MapFS{"00001_a.sql": {Data: []byte("-- +goose Up\nCREATE TABLE a (b INT);\nCREATE TABLE c (d INT);\n")}}, "has 2 statements"},
		"a gap":    {fstest.MapFS{"00001_a.sql": good, "00003_b.sql": good}, "want a name like 00002_"},
		"its name": {fstest.MapFS{"1_a.sql": good}, "want a name like 00001_"},
	} {
		_, err := validate(c.files)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
