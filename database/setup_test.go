package database_test

import (
	"database/sql"
	"testing"

	"onceshop/database"
	"onceshop/testdb"
)

// fresh opens an empty database with the given tables.
func fresh(t *testing.T, statements ...string) *sql.DB {
	t.Helper()
	db, err := database.Open(t.Context(), testdb.Empty(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	for _, statement := range statements {
		exec(t, db, statement)
	}
	return db
}

// accounts makes a table with rows 1 and 2, each holding 100.
func accounts(t *testing.T) *sql.DB {
	t.Helper()
	return fresh(t,
		"CREATE TABLE accounts (id INT PRIMARY KEY, amount INT NOT NULL) ENGINE = InnoDB",
		"INSERT INTO accounts VALUES (1, 100), (2, 100)")
}

func exec(t *testing.T, db *sql.DB, statement string, args ...any) {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), statement, args...); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

func value[T any](t *testing.T, db *sql.DB, query string, args ...any) T {
	t.Helper()
	var v T
	if err := db.QueryRowContext(t.Context(), query, args...).Scan(&v); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return v
}
