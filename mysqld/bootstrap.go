package mysqld

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// bootstrap is the SQL that makes MariaDB's system tables. It is what
// mariadb-install-db feeds to the server; that script itself needs tools which
// distributions put into other packages.
func bootstrap(ctx context.Context, b Binary) (io.Reader, error) {
	parts := []io.Reader{strings.NewReader("CREATE DATABASE mysql;\nUSE mysql;\nSET @auth_root_socket = NULL;\n")}
	dirs := shareDirs(ctx, b)
	for _, file := range []struct {
		name     string
		required bool
	}{
		{"system_tables.sql", true},
		{"performance_tables.sql", false},
		{"system_tables_data.sql", true},
		{"maria_add_gis_sp_bootstrap.sql", false},
		{"sys_schema.sql", false},
	} {
		text, err := readFirst(dirs, "mariadb_"+file.name, "mysql_"+file.name, file.name)
		if err != nil && file.required {
			return nil, fmt.Errorf("%s is incomplete: no %s in %s", b.Path, file.name, strings.Join(dirs, " or "))
		}
		parts = append(parts, strings.NewReader(text), strings.NewReader("\n"))
	}
	return io.MultiReader(parts...), nil
}

// shareDirs lists where the server's SQL files may be: beside its messages and
// character sets, which it knows itself.
func shareDirs(ctx context.Context, b Binary) []string {
	var dirs []string
	help, _ := exec.CommandContext(ctx, b.Path, "--no-defaults", "--verbose", "--help").Output()
	for line := range strings.Lines(string(help)) {
		fields := strings.Fields(line)
		if len(fields) != 2 {
			continue
		}
		switch fields[0] {
		case "lc-messages-dir":
			dirs = append(dirs, fields[1])
		case "character-sets-dir":
			dirs = append(dirs, filepath.Dir(filepath.Clean(fields[1])))
		}
	}
	prefix := filepath.Dir(filepath.Dir(b.Path))
	return append(dirs, filepath.Join(prefix, "share", "mariadb"), filepath.Join(prefix, "share", "mysql"))
}

func readFirst(dirs []string, names ...string) (string, error) {
	var err error
	for _, dir := range dirs {
		for _, name := range names {
			var text []byte
			if text, err = os.ReadFile(filepath.Join(dir, name)); err == nil {
				return string(text), nil
			}
		}
	}
	return "", err
}
