package shared

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"onceshop/database"
)

// place is one of the test's own, so that it may stop its server.
func place(t *testing.T) Place {
	t.Helper()
	dir, err := os.MkdirTemp("", "shared-") // short enough for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return Place{Dir: dir, Kind: os.Getenv("DB")}
}

func join(t *testing.T, p Place) *Use {
	t.Helper()
	use, err := p.Join()
	if err != nil {
		t.Fatal(err)
	}
	return use
}

func TestServerRunsAsLongAsItIsUsed(t *testing.T) {
	t.Parallel()
	p := place(t)
	use := join(t, p)
	served := make(chan error, 1)
	go func() { served <- p.Serve(t.Context(), 0) }()
	address := awaitAddress(t, p, served)
	db, err := database.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()

	if err := p.Serve(t.Context(), 0); err != nil {
		t.Errorf("a second Serve beside a running one: %v, want nothing to do", err)
	}
	another := join(t, p)
	if err := use.Leave(); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-served:
		t.Fatalf("the server ended although it is used: %v", err)
	case <-time.After(500 * time.Millisecond):
	}
	if err := another.Leave(); err != nil {
		t.Fatal(err)
	}
	if err := <-served; err != nil {
		t.Fatal(err)
	}
	if address, ok := p.Address(); ok {
		t.Errorf("there is no server, but an address %s", address)
	}
	if left, _ := filepath.Glob(filepath.Join(p.Dir, "[0-9]*")); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestServerStopsWhenToldTo(t *testing.T) {
	t.Parallel()
	p := place(t)
	defer func() { _ = join(t, p).Leave() }() // nobody is kept out afterwards
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- p.Serve(ctx, time.Hour) }()
	awaitAddress(t, p, served)
	cancel()
	if err := <-served; err != nil {
		t.Error(err)
	}
}

func TestAddressOfAKilledServerIsNotBelieved(t *testing.T) {
	t.Parallel()
	p := place(t)
	if err := p.announce("root@unix(/nowhere)/"); err != nil {
		t.Fatal(err)
	}
	if address, ok := p.Address(); ok {
		t.Errorf("nobody serves, but the address is %s", address)
	}
}

func TestSweepTakesOldRunsAndLeavesStartingOnes(t *testing.T) {
	t.Parallel()
	p := place(t)
	for _, name := range []string{"users", "serving", "address", "testserver-1.log", "testserver-2.log"} {
		if err := os.WriteFile(filepath.Join(p.Dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	old := time.Now().Add(-2 * time.Hour)
	if err := os.Chtimes(filepath.Join(p.Dir, "testserver-1.log"), old, old); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(p.Dir, "4711", "data"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := p.sweep(); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		"users": true, "serving": true, "testserver-2.log": true,
		"address": false, "testserver-1.log": false, "4711": false,
	} {
		if _, err := os.Stat(filepath.Join(p.Dir, name)); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", name, err == nil, want)
		}
	}
}

func TestFolderOfSomebodyElseIsRefused(t *testing.T) {
	t.Parallel()
	open := t.TempDir()
	if err := os.Chmod(open, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := checkOwner(open); err == nil {
		t.Error("a folder that all may write to was taken")
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(t.TempDir(), link); err != nil {
		t.Fatal(err)
	}
	if err := checkOwner(link); err == nil {
		t.Error("a link to somewhere was taken")
	}
}

func awaitAddress(t *testing.T, p Place, served <-chan error) string {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); {
		if address, ok := p.Address(); ok {
			return address
		}
		select {
		case err := <-served:
			t.Fatalf("the server ended: %v", err)
		case <-time.After(20 * time.Millisecond):
		}
	}
	t.Fatal("no address within two minutes")
	return ""
}
