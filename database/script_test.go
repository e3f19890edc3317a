package database_test

import (
	"testing"

	"onceshop/database"
	"onceshop/testdb"
)

func TestAScriptIsOneTransactionAndLeavesItsSessionClean(t *testing.T) {
	t.Parallel()
	dsn := testdb.Empty(t)
	plain, err := database.Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	scripts, err := database.OpenForScripts(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer scripts.Close()
	scripts.SetMaxOpenConns(1) // so that the next script meets the session of the failed one
	if _, err := plain.Exec("CREATE TABLE things (id INT NOT NULL PRIMARY KEY, name VARCHAR(20) NOT NULL) ENGINE = InnoDB"); err != nil {
		t.Fatal(err)
	}
	insert := []string{"INSERT INTO things (id, name) VALUES (?, ?)", "INSERT INTO things (id, name) VALUES (?, ?), (?, ?)"}
	count := func() (n int) {
		if err := plain.QueryRow("SELECT COUNT(*) FROM things").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if err := database.RunScript(t.Context(), scripts, insert, 1, "a;b", 2, "'quoted'", 3, "c"); err != nil {
		t.Fatal(err)
	}
	if n := count(); n != 3 {
		t.Fatalf("%d rows, want 3", n)
	}
	// The second statement clashes: the first one's row must go with it.
	if err := database.RunScript(t.Context(), scripts, insert, 4, "d", 5, "e", 1, "f"); !database.IsDuplicate(err) {
		t.Fatalf("the clash is told as %v", err)
	}
	if n := count(); n != 3 {
		t.Fatalf("%d rows after a failed script, want 3", n)
	}
	if err := database.RunScript(t.Context(), scripts, insert, 4, "d", 5, "e", 6, "f"); err != nil {
		t.Fatal(err)
	}
	if n := count(); n != 6 {
		t.Errorf("%d rows, want 6", n)
	}
	if _, err := plain.Exec("SELECT 1; SELECT 2"); err == nil {
		t.Error("the usual pool takes several statements at once")
	}
}
