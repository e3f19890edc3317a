package testdb

import (
	"context"
	"crypto/rand"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"testing"

	"onceshop/database"
	"onceshop/migrations"
	sandboxmigrations "onceshop/sandbox/migrations"
)

// connected is this process's connection to the server, made at first use.
var connected = sync.OnceValues(func() (*server, error) { return connect(context.Background()) })

// New returns the address of a fresh database with all of the shop's
// migrations. It is dropped when the test ends.
func New(t testing.TB) string {
	t.Helper()
	return migrated(t, migrations.FS)
}

// NewSandbox is New for the practice platform's tables.
func NewSandbox(t testing.TB) string {
	t.Helper()
	return migrated(t, sandboxmigrations.FS)
}

// Empty returns the address of a fresh database without any tables.
func Empty(t testing.TB) string {
	t.Helper()
	return create(t, "")
}

func migrated(t testing.TB, files fs.FS) string {
	t.Helper()
	s := mustConnect(t)
	script, err := s.script(files)
	if err != nil {
		t.Fatalf("test database: migrate a template: %v", err)
	}
	return create(t, script)
}

// create makes a database and runs the script in it, all in one round trip.
func create(t testing.TB, script string) string {
	t.Helper()
	s := mustConnect(t)
	name := "t_" + strings.ToLower(rand.Text()[:16])
	drop := "DROP DATABASE IF EXISTS `" + name + "`;\n"
	if err := s.run(context.Background(), drop+newDatabase(name)+script); err != nil {
		t.Fatalf("test database: %v", err)
	}
	t.Cleanup(func() {
		if err := s.run(context.Background(), drop); err != nil {
			t.Errorf("test database: %v", err)
		}
	})
	return s.dsn(name)
}

func newDatabase(name string) string {
	return fmt.Sprintf("CREATE DATABASE `%[1]s` CHARACTER SET utf8mb4 COLLATE utf8mb4_bin; USE `%[1]s`;\n", name)
}

func mustConnect(t testing.TB) *server {
	t.Helper()
	s, err := connected()
	if err != nil {
		t.Fatalf("test database: %v", err)
	}
	return s
}

// run sends several statements at once, again when they deadlock: databases made
// at the same time meet in the server's own dictionary.
func (s *server) run(ctx context.Context, statements string) error {
	for attempt := 1; ; attempt++ {
		err := s.once(ctx, statements)
		if !database.IsRetryable(err) || attempt == 20 {
			return err
		}
	}
}

// once uses a session that isn't used again: it has moved to another database.
func (s *server) once(ctx context.Context, statements string) error {
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	_, err = conn.ExecContext(ctx, statements)
	return err
}
