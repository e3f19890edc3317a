package bench

import (
	"context"
	"database/sql"
	"io"
	"log/slog"
	"os"
	"testing"

	"onceshop/database"
	"onceshop/migrations"
	"onceshop/mysqld"
)

// durable starts a private server with MySQL's own settings, on the disk that
// holds the project, and returns a pool on a migrated schema.
func durable(b *testing.B) *sql.DB {
	b.Helper()
	if err := os.MkdirAll("../.data", 0o700); err != nil {
		b.Fatal(err)
	}
	dir, err := os.MkdirTemp("../.data", "bench-")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { os.RemoveAll(dir) })
	server, err := mysqld.Start(b.Context(), mysqld.Config{Dir: dir})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := server.Stop(context.Background()); err != nil {
			b.Error(err)
		}
	})
	if err := server.Create(b.Context(), "bench"); err != nil {
		b.Fatal(err)
	}
	pool, err := database.Open(b.Context(), server.DSN("bench"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { pool.Close() })
	if err := database.Up(b.Context(), pool, migrations.FS, slog.New(slog.NewTextHandler(io.Discard, nil))); err != nil {
		b.Fatal(err)
	}
	return pool
}
