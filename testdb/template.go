package testdb

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"strings"

	"onceshop/database"
)

// templates is where a server keeps, for each set of migrations, the script that
// builds what they build.
const templates = `CREATE DATABASE IF NOT EXISTS onceshop_templates;
CREATE TABLE IF NOT EXISTS onceshop_templates.scripts (hash CHAR(16) PRIMARY KEY, script LONGTEXT NOT NULL);`

// script returns the statements that make a database as the migrations would.
// The first process that asks a server migrates a template, under a lock.
func (s *server) script(files fs.FS) (string, error) {
	hash, err := hashOf(files)
	if err != nil {
		return "", err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if script, ok := s.scripts[hash]; ok {
		return script, nil
	}
	script, err := s.makeScript(context.Background(), hash, files)
	if err == nil {
		s.scripts[hash] = script
	}
	return script, err
}

func (s *server) makeScript(ctx context.Context, hash string, files fs.FS) (_ string, err error) {
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	var got sql.NullInt64
	if err := conn.QueryRowContext(ctx, "SELECT GET_LOCK('onceshop-template', 120)").Scan(&got); err != nil || got.Int64 != 1 {
		return "", errors.Join(errors.New("no lock"), err)
	}
	defer func() {
		_, unlock := conn.ExecContext(ctx, "DO RELEASE_LOCK('onceshop-template')")
		err = errors.Join(err, unlock)
	}()
	if _, err := conn.ExecContext(ctx, templates); err != nil {
		return "", err
	}
	var script string
	err = conn.QueryRowContext(ctx, "SELECT script FROM onceshop_templates.scripts WHERE hash = ?", hash).Scan(&script)
	if !errors.Is(err, sql.ErrNoRows) {
		return script, err
	}

	name := "onceshop_template_" + hash
	if err := s.run(ctx, "DROP DATABASE IF EXISTS `"+name+"`;"+newDatabase(name)); err != nil {
		return "", err
	}
	db, err := database.Open(ctx, s.dsn(name))
	if err != nil {
		return "", err
	}
	defer db.Close()
	if err := database.Up(ctx, db, files, slog.New(slog.DiscardHandler)); err != nil {
		return "", err
	}
	if script, err = describe(ctx, db, name); err != nil {
		return "", err
	}
	_, err = conn.ExecContext(ctx, "INSERT INTO onceshop_templates.scripts VALUES (?, ?)", hash, script)
	return script, err
}

// describe writes the script that copies database name.
func describe(ctx context.Context, db *sql.DB, name string) (string, error) {
	var others int
	const uncopied = `SELECT (SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type <> 'BASE TABLE')
		+ (SELECT COUNT(*) FROM information_schema.triggers WHERE trigger_schema = DATABASE())
		+ (SELECT COUNT(*) FROM information_schema.routines WHERE routine_schema = DATABASE())`
	if err := db.QueryRowContext(ctx, uncopied).Scan(&others); err != nil {
		return "", err
	}
	if others > 0 {
		return "", errors.New("the migrations make views, triggers or routines; testdb copies tables only")
	}
	tables, err := column(ctx, db, "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY 1")
	if err != nil {
		return "", err
	}
	var script strings.Builder
	script.WriteString("SET foreign_key_checks = 0;\n") // so that the tables' order is free
	for _, table := range tables {
		var create string
		if err := db.QueryRowContext(ctx, "SHOW CREATE TABLE `"+table+"`").Scan(&table, &create); err != nil {
			return "", err
		}
		script.WriteString(create + ";\n")
		var filled bool
		if err := db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM `"+table+"`)").Scan(&filled); err != nil {
			return "", err
		}
		if filled {
			columns, err := column(ctx, db, `SELECT column_name FROM information_schema.columns
				WHERE table_schema = DATABASE() AND table_name = ? AND extra NOT LIKE '% GENERATED%' ORDER BY ordinal_position`, table)
			if err != nil {
				return "", err
			}
			list := "`" + strings.Join(columns, "`, `") + "`"
			fmt.Fprintf(&script, "INSERT INTO `%s` (%s) SELECT %s FROM `%s`.`%s`;\n", table, list, list, name, table)
		}
	}
	script.WriteString("SET foreign_key_checks = 1;\n")
	return script.String(), nil
}

func column(ctx context.Context, db *sql.DB, query string, args ...any) ([]string, error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, rows.Err()
}

// hashOf names a set of migrations by its files' names and contents.
func hashOf(files fs.FS) (string, error) {
	h := sha256.New()
	err := fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(files, path)
		fmt.Fprintf(h, "%s %d\n%s", path, len(text), text)
		return err
	})
	return hex.EncodeToString(h.Sum(nil))[:16], err
}
