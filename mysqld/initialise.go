package mysqld

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// initialise makes the data folder unless it is there: under another name
// first, so that one which is there is whole.
func (f *folder) initialise(ctx context.Context, b Binary) error {
	switch kind, err := contents(f.data()); {
	case err != nil:
		return err
	case kind == b.Kind():
		return nil
	case kind != "":
		return fmt.Errorf("%s holds the data of %s, but the server found is %s %s; choose with DB=mysql or DB=mariadb, or remove the folder",
			f.data(), kind, b.Kind(), b.Version)
	}
	for _, leftover := range []string{f.unready(), f.data()} {
		if err := os.RemoveAll(leftover); err != nil {
			return err
		}
	}
	log, err := f.openLog()
	if err != nil {
		return err
	}
	defer log.Close()
	since, _ := log.Seek(0, 2)

	args, script, err := initialiser(ctx, b)
	if err != nil {
		return err
	}
	args = append(args, "--datadir="+f.unready())
	if b.MariaDB {
		if err := os.Mkdir(f.unready(), 0o700); err != nil {
			return err
		}
	}
	p, err := run(b.Path, append(args, f.common()...), true, script, f.lock, log)
	if err != nil {
		return fmt.Errorf("initialise a data folder: %w", err)
	}
	select {
	case <-p.ended:
	case <-ctx.Done():
		_ = p.Kill()
		<-p.ended
		return ctx.Err()
	}
	if p.err != nil {
		return fmt.Errorf("initialise a data folder: %w\n%s", p.err, f.logTail(since))
	}
	return os.Rename(f.unready(), f.data())
}

// initialiser is what makes the program fill a data folder, with a root who
// needs no password: options, and a script it reads.
func initialiser(ctx context.Context, b Binary) (args []string, script io.Reader, err error) {
	if !b.MariaDB {
		return []string{"--no-defaults", "--initialize-insecure", "--mysqlx=OFF", "--secure-file-priv=NULL"}, nil, nil
	}
	script, err = bootstrap(ctx, b)
	return []string{"--no-defaults", "--bootstrap", "--log-warnings=0", "--enforce-storage-engine=",
		"--max-allowed-packet=8M", "--net-buffer-length=16K"}, script, err
}

// contents names the kind of server whose data is in dir; "" means none at all.
func contents(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) || err == nil && len(entries) == 0 {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		switch e.Name() {
		case "aria_log_control":
			return "MariaDB", nil
		case "mysql.ibd":
			return "MySQL", nil
		}
	}
	return "", fmt.Errorf("%s is neither empty nor a MySQL data folder", dir)
}

// common is what each run of the program is told. MariaDB clears its temporary folder
// at its start, also of what another server is using there: each has one of its own. It
// refuses to run as root, unless told in words.
func (f *folder) common() []string {
	args := []string{"--tmpdir=" + f.tmp()}
	if os.Geteuid() == 0 {
		args = append(args, "--user=root")
	}
	return args
}

func (f *folder) openLog() (*os.File, error) {
	return os.OpenFile(f.log(), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
}
