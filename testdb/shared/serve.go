package shared

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"onceshop/internal/flock"
	"onceshop/mysqld"
)

// stopWait is how long a volatile server may take to stop before it is killed:
// its data is thrown away.
const stopWait = 10 * time.Second

// Serve runs the place's server until ctx ends, or until nobody has used it for
// the idle time. If another process serves already, Serve returns at once.
func (p Place) Serve(ctx context.Context, idle time.Duration) (err error) {
	serving, err := p.open("serving")
	if err != nil {
		return err
	}
	defer serving.Close()
	for {
		free, err := flock.Exclusive(serving)
		if err != nil {
			return err
		}
		if free {
			break
		}
		if _, ready := p.Address(); ready {
			return nil
		}
		if err := pause(ctx); err != nil {
			return err
		}
	}
	if err := p.sweep(); err != nil {
		return err
	}
	dir := filepath.Join(p.Dir, strconv.Itoa(os.Getpid()))
	server, err := mysqld.Start(ctx, mysqld.Config{
		Dir:      dir,
		Volatile: true,
		Args:     []string{"--max-connections=2000", "--innodb-buffer-pool-size=256M"},
	})
	if err != nil {
		return err
	}
	defer func() {
		p.withdraw(server.DSN(""))
		stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopWait)
		defer cancel()
		stopped := server.Stop(stopping)
		if errors.Is(stopped, context.DeadlineExceeded) {
			stopped = nil // killed instead: no test has failed because of that
		}
		err = errors.Join(err, stopped, os.RemoveAll(dir))
	}()
	if err := p.announce(server.DSN("")); err != nil {
		return err
	}
	users, err := p.awaitUnused(ctx, server, idle)
	if users != nil {
		defer users.Close()
	}
	return err
}

// awaitUnused returns when nobody has used the server for the idle time; the
// file it returns keeps newcomers waiting until the server is gone.
func (p Place) awaitUnused(ctx context.Context, server *mysqld.Server, idle time.Duration) (*os.File, error) {
	users, err := p.open("users")
	if err != nil {
		return nil, err
	}
	used := time.Now()
	for {
		alone, err := flock.Exclusive(users)
		if err != nil {
			return users, err
		}
		switch {
		case alone && time.Since(used) >= idle:
			return users, nil
		case alone:
			if err := flock.Free(users); err != nil {
				return users, err
			}
		default:
			used = time.Now()
		}
		select {
		case <-server.Ended():
			return users, errors.New("the server ended by itself; its log is in " + p.Dir)
		default:
		}
		if pause(ctx) != nil {
			return users, nil // told to stop
		}
	}
}

// sweep removes what a killed run left. Its server may still be shutting down;
// it has a folder of its own.
func (p Place) sweep() error {
	entries, err := os.ReadDir(p.Dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() == "users" || e.Name() == "serving" {
			continue
		}
		if old, err := e.Info(); err == nil && !e.IsDir() && e.Name() != "address" && time.Since(old.ModTime()) < time.Hour {
			continue // the log of a process that is starting
		}
		if err := os.RemoveAll(filepath.Join(p.Dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// announce makes the address readable, whole or not at all.
func (p Place) announce(dsn string) error {
	whole := p.address() + ".new"
	if err := os.WriteFile(whole, []byte(dsn+"\n"), 0o600); err != nil {
		return err
	}
	return os.Rename(whole, p.address())
}

// withdraw removes the address if it is still ours: whoever swept the folder by hand
// may have a server of his own in it by now.
func (p Place) withdraw(dsn string) {
	if text, err := os.ReadFile(p.address()); err == nil && string(text) == dsn+"\n" {
		_ = os.Remove(p.address()) // what stays is swept by the next server
	}
}

func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(100 * time.Millisecond):
		return nil
	}
}
