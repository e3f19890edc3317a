package testdb_test

import (
	"testing"
	"time"

	"onceshop/database"
	"onceshop/migrations"
	"onceshop/testdb"
)

func TestEachTestGetsADatabaseOfItsOwn(t *testing.T) {
	t.Parallel()
	start := time.Now()
	dsn := testdb.New(t)
	t.Logf("first: %v", time.Since(start))
	start = time.Now()
	other := testdb.New(t)
	t.Logf("second: %v", time.Since(start))
	if dsn == other {
		t.Fatalf("two databases under one address %s", dsn)
	}
	db, err := database.Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	current, latest, err := database.Version(t.Context(), db, migrations.FS)
	if err != nil || current != latest || current == 0 {
		t.Fatalf("the copy is at version %d of %d, %v", current, latest, err)
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		testdb.New(b)
	}
}

func BenchmarkEmpty(b *testing.B) {
	for b.Loop() {
		testdb.Empty(b)
	}
}
