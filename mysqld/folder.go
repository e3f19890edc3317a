package mysqld

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"onceshop/internal/flock"
)

// socketPathMax is what every kernel takes: 107 bytes on Linux, 103 on macOS.
const socketPathMax = 103

// orphanWait is how long Start waits for the server of a killed owner to finish
// its own shutdown.
const orphanWait = 60 * time.Second

// folder is where one server lives: its data, log, pid file, socket and lock.
type folder struct {
	root   string
	lock   *os.File
	socket string
}

func (f *folder) data() string    { return filepath.Join(f.root, "data") }
func (f *folder) unready() string { return filepath.Join(f.root, "data.new") }
func (f *folder) tmp() string     { return filepath.Join(f.root, "tmp") }
func (f *folder) log() string     { return filepath.Join(f.root, "mysqld.log") }
func (f *folder) pid() string     { return filepath.Join(f.root, "mysqld.pid") }
func (f *folder) link() string    { return filepath.Join(f.root, "socket") }

// open makes the folder, takes its lock and sweeps what a killed run left.
func open(ctx context.Context, root string) (*folder, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(root, 0o700); err != nil {
		return nil, err
	}
	if err := os.Chmod(root, 0o700); err != nil { // whoever gets at the socket is the server's root
		return nil, err
	}
	f := &folder{root: root}
	if err := f.takeLock(ctx); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(f.tmp(), 0o700); err != nil {
		return nil, errors.Join(err, f.close())
	}
	if err := f.placeSocket(); err != nil {
		return nil, errors.Join(err, f.close())
	}
	return f, nil
}

// takeLock locks the folder for this process and the server, which inherits
// the lock and so keeps it should this process be killed.
func (f *folder) takeLock(ctx context.Context) error {
	file, err := os.OpenFile(filepath.Join(f.root, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	f.lock = file
	ctx, cancel := context.WithTimeout(ctx, orphanWait)
	defer cancel()
	for {
		free, err := flock.Exclusive(file)
		if err != nil {
			return errors.Join(fmt.Errorf("lock %s: %w", file.Name(), err), file.Close())
		}
		if free {
			return f.writeHolder(0)
		}
		owner, server := f.holder()
		if flock.Alive(owner) {
			return errors.Join(fmt.Errorf("%s is in use by process %d", f.root, owner), file.Close())
		}
		select {
		case <-ctx.Done():
			return errors.Join(fmt.Errorf("%s is still in use by the server of an earlier run, process %d; end it with: kill %d",
				f.root, server, server), file.Close())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// writeHolder notes for other processes who holds the lock.
func (f *folder) writeHolder(server int) error {
	if err := f.lock.Truncate(0); err != nil {
		return err
	}
	_, err := f.lock.WriteAt(fmt.Appendf(nil, "%d %d\n", os.Getpid(), server), 0)
	return err
}

func (f *folder) holder() (owner, server int) {
	text, _ := io.ReadAll(io.NewSectionReader(f.lock, 0, 64))
	fields := strings.Fields(string(text))
	if len(fields) == 2 {
		owner, _ = strconv.Atoi(fields[0])
		server, _ = strconv.Atoi(fields[1])
	}
	return owner, server
}

// placeSocket chooses the socket's path and removes stale ones. A folder whose
// path is too long for a socket gets a short one elsewhere, private as well; a
// link in the folder remembers it for the next run to sweep.
func (f *folder) placeSocket() error {
	if old, err := os.Readlink(f.link()); err == nil {
		if filepath.Dir(old) == filepath.Clean(os.TempDir()) && strings.HasPrefix(filepath.Base(old), "onceshop-") {
			_ = os.RemoveAll(old)
		}
		if err := os.Remove(f.link()); err != nil {
			return err
		}
	}
	f.socket = filepath.Join(f.root, "mysqld.sock")
	if len(f.socket) > socketPathMax {
		short, err := os.MkdirTemp("", "onceshop-")
		if err != nil {
			return err
		}
		if err := os.Symlink(short, f.link()); err != nil {
			return err
		}
		f.socket = filepath.Join(short, "mysqld.sock")
	}
	// We hold the lock, so whoever made these is gone. The server would believe
	// a pid that another program has got meanwhile.
	for _, stale := range []string{f.socket, f.socket + ".lock", f.pid()} {
		if err := os.Remove(stale); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// close gives the folder back. The server is gone by now.
func (f *folder) close() error {
	if short, err := os.Readlink(f.link()); err == nil {
		_ = os.RemoveAll(short)
		_ = os.Remove(f.link())
	}
	// Unlock in words: a child that this process is just forking for something
	// else may hold a copy of the file for a moment.
	return errors.Join(flock.Free(f.lock), f.lock.Close())
}

// logTail returns the log's last lines, written since the given size.
func (f *folder) logTail(since int64) string {
	text, err := os.ReadFile(f.log())
	if err != nil || since > int64(len(text)) {
		return ""
	}
	lines := strings.Split(strings.TrimSpace(string(text[since:])), "\n")
	return strings.Join(lines[max(0, len(lines)-15):], "\n")
}
