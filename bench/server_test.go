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
// holds the project, and returns the shop's two pools on a migrated schema.
func durable(b *testing.B) (pool, scripts *sql.DB) {
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
	open := func(open func(context.Context, string) (*sql.DB, error)) *sql.DB {
		pool, err := open(b.Context(), server.DSN("bench"))
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { pool.Close() })
		return pool
	}
	pool, scripts = open(database.Open), open(database.OpenForScripts)
	if err := database.Up(b.Context(), pool, migrations.FS, slog.New(slog.NewTextHandler(io.Discard, nil))); err != nil {
		b.Fatal(err)
	}
	return pool, scripts
}
