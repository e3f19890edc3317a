//go:build unix

package mysqld

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"onceshop/internal/scratch"
)

// TestMain lets the test binary also play the owner of a server, whom a test
// then kills or interrupts.
func TestMain(m *testing.M) {
	if dir := os.Getenv("MYSQLD_TEST_OWNER"); dir != "" {
		os.Exit(own(dir))
	}
	os.Exit(inFolderOfItsOwn(m))
}

// inFolderOfItsOwn runs the tests with a temporary folder that is removed whole.
func inFolderOfItsOwn(m *testing.M) int {
	dir, err := os.MkdirTemp(scratch.Dir(), "mysqld-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	if err := os.Setenv("TMPDIR", dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// own starts a server, ignores Ctrl-C as a program does that is still shutting
// down, and tells for each line it reads whether the server answers.
func own(dir string) int {
	signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	s, err := Start(context.Background(), Config{Dir: dir})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println("ready", s.process.Pid)
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		fmt.Println(ask(context.Background(), s, "SELECT 'alive'"))
	}
	return 0
}

// owner is a child process that owns a server.
type owner struct {
	*exec.Cmd
	server int
	ask    func() string
}

func startOwner(t *testing.T, dir string) *owner {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "MYSQLD_TEST_OWNER="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // as a shell does for a job
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	next := func() string {
		lines.Scan()
		return lines.Text()
	}
	o := &owner{Cmd: cmd, ask: func() string {
		fmt.Fprintln(in)
		return next()
	}}
	t.Cleanup(func() {
		// An orphan shuts down while its folder is being removed, and InnoDB then
		// complains for ever into a log that nobody sees.
		if o.server != 0 && cmd.ProcessState == nil {
			_ = syscall.Kill(o.server, syscall.SIGKILL)
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // again, where the test has waited
	})
	if _, err := fmt.Sscanf(next(), "ready %d", &o.server); err != nil {
		t.Fatalf("the owner says %q", lines.Text())
	}
	return o
}

// initialised is a server's folder that tests copy: making one takes seconds.
var initialised = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		return "", err
	}
	ctx := context.Background()
	s, err := Start(ctx, Config{Dir: dir, Volatile: true})
	if err != nil {
		return "", err
	}
	return dir, s.Stop(ctx)
})

// prepared returns a folder with an initialised data folder in it.
func prepared(t *testing.T) string {
	t.Helper()
	from, err := initialised()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(shortDir(t), "server")
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// shortDir is a folder whose path leaves room for a socket's, unlike t.TempDir.
func shortDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

func start(t *testing.T, cfg Config) *Server {
	t.Helper()
	cfg.Volatile = true
	s, err := Start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(t, s) })
	return s
}

func stop(t *testing.T, s *Server) {
	t.Helper()
	if err := s.Stop(context.Background()); err != nil {
		t.Error(err)
	}
}

// ask runs one query on a connection of its own and returns its only value.
func ask(ctx context.Context, s *Server, query string) string {
	db, err := sql.Open("mysql", s.DSN("mysql"))
	if err != nil {
		return err.Error()
	}
	defer db.Close()
	var answer string
	if err := db.QueryRowContext(ctx, query).Scan(&answer); err != nil {
		return err.Error()
	}
	return answer
}

func mustExec(t *testing.T, s *Server, statements ...string) {
	t.Helper()
	db, err := sql.Open("mysql", s.DSN("mysql"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, statement := range statements {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

// eventually waits for what another process brings about.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	ask := time.NewTicker(10 * time.Millisecond)
	defer ask.Stop()
	for !holds() {
		select {
		case <-t.Context().Done():
			t.Fatalf("the test ended before: %s", what)
		case <-ask.C:
		}
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func contains(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q doesn't say %q", err, part)
		}
	}
}
