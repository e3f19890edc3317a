package mysqld

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"onceshop/scripts"
)

// Binary is a server program.
type Binary struct {
	Path    string
	Version string // as it tells: "9.7.4", "10.11.19-MariaDB"
	MariaDB bool
}

// Kind is the server's name for messages.
func (b Binary) Kind() string {
	if b.MariaDB {
		return "MariaDB"
	}
	return "MySQL"
}

// Find returns a server program: one of this machine, or one that it fetches
// from the distribution's archive into the user's cache (60 MB, once). The
// environment variable DB chooses: mysql (default) or mariadb. Progress goes to
// standard error; the error tells what to install.
func Find(ctx context.Context) (Binary, error) { return find(ctx, os.Getenv("DB")) }

func find(ctx context.Context, kind string) (Binary, error) {
	cmd := exec.CommandContext(ctx, "bash", "-s")
	cmd.Stdin = strings.NewReader(scripts.MySQL)
	cmd.Env = append(os.Environ(), "DB="+kind)
	var said bytes.Buffer
	cmd.Stderr = &tee{&said, os.Stderr}
	out, err := cmd.Output()
	if err != nil {
		if said.Len() > 0 {
			return Binary{}, errors.New(strings.TrimSpace(said.String()))
		}
		return Binary{}, fmt.Errorf("looking for a database server: %w", err)
	}
	return Inspect(ctx, strings.TrimSpace(string(out)))
}

// Inspect asks the program at path which server and version it is.
func Inspect(ctx context.Context, path string) (Binary, error) {
	out, err := exec.CommandContext(ctx, path, "--no-defaults", "--version").Output()
	if err != nil {
		return Binary{}, fmt.Errorf("%s --version: %w", path, err)
	}
	// "mysqld  Ver 9.7.4-2 for Linux on x86_64 ((Debian))"
	_, rest, ok := strings.Cut(string(out), "Ver ")
	if !ok {
		return Binary{}, fmt.Errorf("%s is not a MySQL server: it says %q", path, out)
	}
	version, _, _ := strings.Cut(rest, " ")
	return Binary{Path: path, Version: version, MariaDB: strings.Contains(rest, "MariaDB")}, nil
}

// tee shows the script's progress while it runs and keeps it for the error.
type tee struct {
	keep, show interface{ Write([]byte) (int, error) }
}

func (t *tee) Write(p []byte) (int, error) {
	_, _ = t.show.Write(p)
	return t.keep.Write(p)
}
