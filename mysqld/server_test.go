//go:build unix

package mysqld

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"onceshop/internal/flock"
)

func TestDataOutlivesAStop(t *testing.T) {
	t.Parallel()
	dir := prepared(t)
	s := start(t, Config{Dir: dir})
	if err := s.Create(t.Context(), "shop"); err != nil {
		t.Fatal(err)
	}
	mustExec(t, s, "CREATE TABLE shop.kept (n INT)", "INSERT INTO shop.kept VALUES (7)")
	stop(t, s)
	if flock.Alive(s.process.Pid) {
		t.Error("the server is still there after Stop")
	}
	if exists(s.Socket()) {
		t.Errorf("Stop left %s", s.Socket())
	}
	stop(t, s) // once more does nothing

	again := start(t, Config{Dir: dir})
	if got := ask(t.Context(), again, "SELECT n FROM shop.kept"); got != "7" {
		t.Errorf("after a restart: %s, want 7", got)
	}
}

func TestVersionIsTheServersOwn(t *testing.T) {
	t.Parallel()
	s := start(t, Config{Dir: prepared(t)})
	answer := ask(t.Context(), s, "SELECT VERSION()")
	number, _, _ := strings.Cut(answer, "-")
	if !strings.Contains(s.Version(), number) {
		t.Errorf("Version is %q, the server says %q", s.Version(), answer)
	}
	if kind := strings.Contains(answer, "MariaDB"); kind != strings.Contains(s.Version(), "MariaDB") {
		t.Errorf("Version is %q, the server says %q", s.Version(), answer)
	}
}

func TestServerIsNotOnTheNetwork(t *testing.T) {
	t.Parallel()
	s := start(t, Config{Dir: prepared(t)})
	if got := ask(t.Context(), s, "SELECT @@skip_networking"); got != "1" {
		t.Errorf("skip_networking is %s", got)
	}
	info, err := os.Stat(s.folder.root)
	if err != nil {
		t.Fatal(err)
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		t.Errorf("the folder's mode %v lets others in", mode)
	}
}

func TestWritesAreDurableUnlessVolatile(t *testing.T) {
	t.Parallel()
	dir := prepared(t)
	s, err := Start(t.Context(), Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if got := ask(t.Context(), s, "SELECT @@innodb_flush_log_at_trx_commit"); got != "1" {
		t.Errorf("flush at commit is %s, want 1", got)
	}
	stop(t, s)
	volatile := start(t, Config{Dir: dir})
	if got := ask(t.Context(), volatile, "SELECT @@innodb_flush_log_at_trx_commit"); got != "0" {
		t.Errorf("volatile flush at commit is %s, want 0", got)
	}
}

func TestSecondStartInTheSameFolderNamesTheFirst(t *testing.T) {
	t.Parallel()
	dir := prepared(t)
	s := start(t, Config{Dir: dir})
	_, err := Start(t.Context(), Config{Dir: dir})
	contains(t, err, dir, "in use by process "+strconv.Itoa(os.Getpid()))
	if got := ask(t.Context(), s, "SELECT 'unharmed'"); got != "unharmed" {
		t.Error(got)
	}
}

func TestCrashedServerRecovers(t *testing.T) {
	t.Parallel()
	dir := prepared(t)
	durable := func() *Server {
		s, err := Start(t.Context(), Config{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { stop(t, s) })
		return s
	}
	s := durable()
	mustExec(t, s, "CREATE DATABASE shop", "CREATE TABLE shop.kept (n INT)", "INSERT INTO shop.kept VALUES (7)")
	if err := s.process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-s.Ended()
	stop(t, s) // gives the folder back
	if got := ask(t.Context(), durable(), "SELECT n FROM shop.kept"); got != "7" {
		t.Errorf("after a crash: %s, want 7", got)
	}
}

func TestStalePidFileAndSocketDoNotHinderAStart(t *testing.T) {
	t.Parallel()
	dir := prepared(t)
	// The pid of a program that lives and is no server of ours: this test.
	pid := strconv.Itoa(os.Getpid()) + "\n"
	for _, name := range []string{"mysqld.pid", "mysqld.sock", "mysqld.sock.lock"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(pid), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := start(t, Config{Dir: dir})
	if got := ask(t.Context(), s, "SELECT 'alive'"); got != "alive" {
		t.Error(got)
	}
}

func TestHalfInitialisedFolderIsMadeAnew(t *testing.T) {
	t.Parallel()
	dir := shortDir(t)
	for _, name := range []string{"data.new/ibdata1", "data.new/mysql/half"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("torn"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := start(t, Config{Dir: dir})
	if got := ask(t.Context(), s, "SELECT 'alive'"); got != "alive" {
		t.Error(got)
	}
	if exists(s.folder.unready()) {
		t.Error("the half-made folder is still there")
	}
}

func TestForeignFolderIsLeftAlone(t *testing.T) {
	t.Parallel()
	dir := shortDir(t)
	letter := filepath.Join(dir, "data", "letter.txt")
	if err := os.MkdirAll(filepath.Dir(letter), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(letter, []byte("dear"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Start(t.Context(), Config{Dir: dir})
	contains(t, err, filepath.Join(dir, "data"), "nor a MySQL data folder")
	if !exists(letter) {
		t.Error("a file that isn't ours was removed")
	}
}

func TestDataOfTheOtherKindIsRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		mark   string
		binary Binary
	}{
		{"aria_log_control", Binary{Path: "mysqld", Version: "9.7.4"}},
		{"mysql.ibd", Binary{Path: "mariadbd", Version: "10.11", MariaDB: true}},
	} {
		dir := shortDir(t)
		if err := os.Mkdir(filepath.Join(dir, "data"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "data", c.mark), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Start(t.Context(), Config{Dir: dir, Binary: c.binary})
		contains(t, err, "holds the data of", "DB=mariadb", c.binary.Version)
	}
}

func TestLongPathStillGetsASocket(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(shortDir(t), strings.Repeat("deep/", 30))
	if err := os.CopyFS(dir, os.DirFS(prepared(t))); err != nil {
		t.Fatal(err)
	}
	s := start(t, Config{Dir: dir})
	if got := ask(t.Context(), s, "SELECT 'alive'"); got != "alive" {
		t.Error(got)
	}
	info, err := os.Stat(filepath.Dir(s.Socket()))
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o700 {
		t.Errorf("the socket's folder has mode %v", info.Mode())
	}
	stop(t, s)
	if exists(filepath.Dir(s.Socket())) || exists(s.folder.link()) {
		t.Error("Stop left the socket's folder or the link to it")
	}
}

func TestFailedStartShowsTheLogAndFreesTheFolder(t *testing.T) {
	t.Parallel()
	dir := prepared(t)
	_, err := Start(t.Context(), Config{Dir: dir, Args: []string{"--no-such-option=1"}})
	contains(t, err, "no-such-option", "ended")
	start(t, Config{Dir: dir})
}

func TestCancelledStartLeavesNothingRunning(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	dir := prepared(t)
	binary, err := Find(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_, err = Start(ctx, Config{Dir: dir, Binary: binary})
	contains(t, err, "canceled")
	start(t, Config{Dir: dir})
}

func TestStopThatRunsOutOfTimeKills(t *testing.T) {
	t.Parallel()
	s := start(t, Config{Dir: prepared(t)})
	// A stopped process can't answer the signal.
	if err := s.process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	contains(t, s.Stop(ctx), "killed")
	if flock.Alive(s.process.Pid) {
		t.Error("the server is still there")
	}
}
