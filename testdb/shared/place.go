// Package shared is where the processes of a test run meet: a folder with a
// server in it, a lock that says whether it is served, and one that says whether
// anybody still uses it.
package shared

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"onceshop/internal/flock"
	"onceshop/internal/scratch"
)

// Place is the folder of this user's test server of one kind. All clones of the
// repository share it.
type Place struct {
	Dir  string
	Kind string // mysql or mariadb
}

// Locate returns the place for a kind of server, "" meaning mysql: in memory if
// there is room, for the tests' data is written, read once and dropped.
func Locate(kind string) (Place, error) {
	if kind == "" {
		kind = "mysql"
	}
	mine := filepath.Join(scratch.Dir(), fmt.Sprintf("onceshop-test-%d", os.Getuid()))
	if err := os.MkdirAll(filepath.Join(mine, kind), 0o700); err != nil {
		return Place{}, err
	}
	if err := checkOwner(mine); err != nil {
		return Place{}, err
	}
	return Place{Dir: filepath.Join(mine, kind), Kind: kind}, nil
}

// Use is one process's claim that the server is needed. It ends with the process.
type Use struct{ file *os.File }

// Join registers this process as a user. While the server is stopping, it waits.
func (p Place) Join() (*Use, error) {
	file, err := p.open("users")
	if err != nil {
		return nil, err
	}
	for range 3000 {
		joined, err := flock.Shared(file)
		if err != nil {
			return nil, errors.Join(err, file.Close())
		}
		if joined {
			return &Use{file}, nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	return nil, errors.Join(fmt.Errorf("the test server at %s is stopping and doesn't end", p.Dir), file.Close())
}

// Leave ends the claim before the process does.
func (u *Use) Leave() error { return u.file.Close() }

// Address returns the server's DSN if one is running and ready.
func (p Place) Address() (string, bool) {
	file, err := p.open("serving")
	if err != nil {
		return "", false
	}
	defer file.Close()
	if unserved, err := flock.Shared(file); err != nil || unserved {
		return "", false
	}
	text, err := os.ReadFile(p.address())
	return strings.TrimSpace(string(text)), err == nil
}

func (p Place) address() string { return filepath.Join(p.Dir, "address") }

func (p Place) open(name string) (*os.File, error) {
	return os.OpenFile(filepath.Join(p.Dir, name), os.O_RDWR|os.O_CREATE, 0o600)
}
