package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"time"

	"github.com/pressly/goose/v3"
)

// lockWait is how long a second instance waits for the first one's migrations.
const lockWait = 5 * time.Minute

// MigrationStatus is one migration and when it was applied; zero: not yet.
type MigrationStatus struct {
	Version   int64     `json:"version"`
	Name      string    `json:"name"`
	AppliedAt time.Time `json:"applied_at,omitzero"`
}

// Up applies what is missing of migrations, under a lock of the database, so
// that many instances may start at once: one works, the others wait and find
// nothing to do.
func Up(ctx context.Context, db *sql.DB, migrations fs.FS, log *slog.Logger) (err error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	var got sql.NullInt64
	const lock = "SELECT GET_LOCK(CONCAT('onceshop-migrate:', DATABASE()), ?)"
	if err := conn.QueryRowContext(ctx, lock, int(lockWait.Seconds())).Scan(&got); err != nil {
		return fmt.Errorf("migration lock: %w", err)
	}
	if got.Int64 != 1 {
		return fmt.Errorf("migration lock: another instance has been migrating for %v", lockWait)
	}
	defer func() {
		// The lock belongs to the session: give it back before the pool reuses it.
		_, unlock := conn.ExecContext(context.WithoutCancel(ctx),
			"DO RELEASE_LOCK(CONCAT('onceshop-migrate:', DATABASE()))")
		err = errors.Join(err, unlock)
	}()

	p, err := provider(db, migrations)
	if err != nil {
		return err
	}
	results, err := p.Up(ctx)
	for _, r := range results {
		log.Info("migrated", "version", r.Source.Version, "took", r.Duration.Round(time.Millisecond))
	}
	return err
}

// Version returns the version the database is at and the newest one there is.
func Version(ctx context.Context, db *sql.DB, migrations fs.FS) (current, latest int64, err error) {
	p, err := provider(db, migrations)
	if err != nil {
		return 0, 0, err
	}
	return p.GetVersions(ctx)
}

// Status lists all migrations, oldest first.
func Status(ctx context.Context, db *sql.DB, migrations fs.FS) ([]MigrationStatus, error) {
	p, err := provider(db, migrations)
	if err != nil {
		return nil, err
	}
	all, err := p.Status(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]MigrationStatus, len(all))
	for i, s := range all {
		list[i] = MigrationStatus{s.Source.Version, s.Source.Path, s.AppliedAt}
	}
	return list, nil
}

// Names lists the migration files without a database, to validate them.
func Names(migrations fs.FS) ([]string, error) {
	p, err := goose.NewProvider(goose.DialectMySQL, new(sql.DB), migrations)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, s := range p.ListSources() {
		names = append(names, s.Path)
	}
	return names, nil
}

func provider(db *sql.DB, migrations fs.FS) (*goose.Provider, error) {
	return goose.NewProvider(goose.DialectMySQL, db, migrations, goose.WithDisableGlobalRegistry(true))
}
