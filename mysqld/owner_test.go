//go:build unix

package mysqld

import (
	"syscall"
	"testing"

	"onceshop/internal/flock"
)

func TestServerEndsWithItsKilledOwner(t *testing.T) {
	t.Parallel()
	dir := prepared(t)
	o := startOwner(t, dir)
	if err := o.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = o.Wait()
	// The next start waits for the orphan's shutdown instead of refusing.
	s := start(t, Config{Dir: dir})
	if got := ask(t.Context(), s, "SELECT 'alive'"); got != "alive" {
		t.Error(got)
	}
	eventually(t, "the orphan is gone", func() bool { return !flock.Alive(o.server) })
}

func TestCtrlCDoesNotReachTheServer(t *testing.T) {
	t.Parallel()
	o := startOwner(t, prepared(t))
	// The terminal signals the whole foreground group.
	if err := syscall.Kill(-o.Process.Pid, syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if got := o.ask(); got != "alive" {
		t.Errorf("after Ctrl-C the server says %q", got)
	}
	group, err := syscall.Getpgid(o.server)
	if err != nil {
		t.Fatal(err)
	}
	if group == o.Process.Pid {
		t.Error("the server is in its owner's process group and gets its Ctrl-C")
	}
}

func TestFolderOfALivingOwnerIsRefused(t *testing.T) {
	t.Parallel()
	dir := prepared(t)
	startOwner(t, dir)
	_, err := Start(t.Context(), Config{Dir: dir})
	contains(t, err, dir, "in use by process")
}
