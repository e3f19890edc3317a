package crashtest_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"onceshop/database"
	"onceshop/migrations"
	"onceshop/mysqld"
)

// privateServer is a database server that a test may kill, stop and set up as it
// likes.
type privateServer struct {
	testing.TB
	dir string
	*mysqld.Server
}

// newPrivateServer returns a server that isn't running yet.
func newPrivateServer(t testing.TB) *privateServer {
	t.Helper()
	dir, err := os.MkdirTemp("", "") // t.TempDir's path is too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	s := &privateServer{TB: t, dir: dir}
	t.Cleanup(func() {
		s.stop()
		_ = os.RemoveAll(dir)
	})
	return s
}

// start starts the server with further options, after stop or kill as well. Its
// writes are durable: what it has committed outlives a kill.
func (s *privateServer) start(args ...string) {
	s.Helper()
	var err error
	s.Server, err = mysqld.Start(s.Context(), mysqld.Config{Dir: s.dir, Args: args})
	if err != nil {
		s.Fatal(err)
	}
}

// stop shuts the server down as its operator would.
func (s *privateServer) stop() {
	s.Helper()
	if s.Server == nil {
		return
	}
	if err := s.Stop(context.Background()); err != nil {
		s.Error(err)
	}
	s.Server = nil
}

// kill ends the server without a chance to do anything.
func (s *privateServer) kill() {
	s.Helper()
	text, err := os.ReadFile(filepath.Join(s.dir, "mysqld.pid"))
	if err != nil {
		s.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		s.Fatal(err)
	}
	process, err := os.FindProcess(pid)
	if err != nil {
		s.Fatal(err)
	}
	if err := process.Kill(); err != nil {
		s.Fatal(err)
	}
	<-s.Ended()
	s.stop() // gives the folder back
}

// migrated makes a database with the shop's tables and returns its address.
func (s *privateServer) migrated(name string) (dsn string) {
	s.Helper()
	if err := s.Create(s.Context(), name); err != nil {
		s.Fatal(err)
	}
	dsn = s.DSN(name)
	db, err := database.Open(s.Context(), dsn)
	if err != nil {
		s.Fatal(err)
	}
	defer db.Close()
	if err := database.Up(s.Context(), db, migrations.FS, slog.New(slog.DiscardHandler)); err != nil {
		s.Fatal(err)
	}
	return dsn
}
