package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/pressly/goose/v3"
	goosedb "github.com/pressly/goose/v3/database"
)

// versionTable is where goose notes what it has applied.
const versionTable = goose.DefaultTablename

// The server's error numbers that say: this DDL statement has taken effect before.
const (
	errCreate           = 1005
	errTableExists      = 1050
	errNoTable          = 1051
	errColumnExists     = 1060
	errKeyExists        = 1061
	errNothingToDrop    = 1091
	errForeignKeyExists = 1826
	errCheckExists      = 3822
)

// resume deals with a run that was killed after a migration's statement and
// before its version was noted: DDL commits by itself, so the two can't be one
// transaction. As each migration is one statement, and one statement takes
// effect whole or not at all, "exists already" means that it is done; resume
// notes the version and returns it. Any other error comes back.
func resume(ctx context.Context, db *sql.DB, err error) (int64, error) {
	var partial *goose.PartialError
	if !errors.As(err, &partial) || partial.Failed == nil {
		return 0, err
	}
	if !tookEffect(err) {
		return 0, err
	}
	store, storeErr := goosedb.NewStore(goosedb.DialectMySQL, versionTable)
	if storeErr != nil {
		return 0, errors.Join(err, storeErr)
	}
	version := partial.Failed.Source.Version
	if noteErr := store.Insert(ctx, db, goosedb.InsertRequest{Version: version}); noteErr != nil {
		return 0, errors.Join(err, noteErr)
	}
	return version, nil
}

func tookEffect(err error) bool {
	switch number(err) {
	case errTableExists, errNoTable, errColumnExists, errKeyExists, errNothingToDrop, errForeignKeyExists, errCheckExists:
		return true
	case errCreate: // MariaDB's answer to a foreign key that exists
		return strings.Contains(err.Error(), "errno: 121")
	}
	return false
}

// resumeVersionTable removes a version table without any row, which goose can't
// read: its maker was killed before noting version 0.
func resumeVersionTable(ctx context.Context, db *sql.DB) error {
	var there bool
	const query = "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = ?"
	if err := db.QueryRowContext(ctx, query, versionTable).Scan(&there); err != nil || !there {
		return err
	}
	var used bool
	if err := db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM "+versionTable+")").Scan(&used); err != nil || used {
		return err
	}
	if _, err := db.ExecContext(ctx, "DROP TABLE "+versionTable); err != nil {
		return fmt.Errorf("unfinished %s: %w", versionTable, err)
	}
	return nil
}
