package database

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"github.com/go-sql-driver/mysql"
)

// Create makes the database that source names, unless it exists.
func Create(ctx context.Context, source string) error {
	cfg, err := Config(source)
	if err != nil {
		return err
	}
	if cfg.DBName == "" {
		return errors.New("database URL: names no database")
	}
	name := "`" + strings.ReplaceAll(cfg.DBName, "`", "``") + "`"
	cfg.DBName = ""
	connector, err := mysql.NewConnector(cfg)
	if err != nil {
		return err
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	_, err = db.ExecContext(ctx, "CREATE DATABASE IF NOT EXISTS "+name+" CHARACTER SET utf8mb4 COLLATE utf8mb4_bin")
	return err
}
