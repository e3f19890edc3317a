package migrations_test

import (
	"context"
	"database/sql"
	"testing"

	"onceshop/database"
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

func exec(t *testing.T, db *sql.DB, statement string, args ...any) {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), statement, args...); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

func one[T any](t *testing.T, db *sql.DB, query string, args ...any) T {
	t.Helper()
	var v T
	if err := db.QueryRowContext(t.Context(), query, args...).Scan(&v); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return v
}

// records returns all rows as text; NULL is "NULL".
func records(ctx context.Context, db *sql.DB, query string) ([][]string, error) {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	var list [][]string
	for rows.Next() {
		fields := make([]sql.Null[string], len(columns))
		into := make([]any, len(columns))
		for i := range fields {
			into[i] = &fields[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		record := make([]string, len(columns))
		for i, f := range fields {
			if record[i] = "NULL"; f.Valid {
				record[i] = f.V
			}
		}
		list = append(list, record)
	}
	return list, rows.Err()
}
