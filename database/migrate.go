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
const (
	lockWait = 5 * time.Minute
	lockTurn = 10 * time.Second
)

// MigrationStatus is one migration and when it was applied; zero: not yet.
type MigrationStatus struct {
	Version   int64     `json:"version"`
	Name      string    `json:"name"`
	AppliedAt time.Time `json:"applied_at,omitzero"`
}

// Up applies what is missing of migrations, under a lock of the database, so
// that many instances may start at once: one works, the others wait and find
// nothing to do. It also goes on where a killed run stopped: see resume.
func Up(ctx context.Context, db *sql.DB, migrations fs.FS, log *slog.Logger) (err error) {
	unlock, err := lock(ctx, db)
	if err != nil {
		return fmt.Errorf("migration lock: %w", err)
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if err := resumeVersionTable(ctx, db); err != nil {
		return err
	}
	p, err := provider(db, migrations)
	if err != nil {
		return err
	}
	for {
		r, err := p.UpByOne(ctx)
		switch {
		case err == nil:
			log.Info("migrated", "version", r.Source.Version, "took", r.Duration.Round(time.Millisecond))
		case errors.Is(err, goose.ErrNoNextVersion):
			return nil
		default:
			version, resumeErr := resume(ctx, db, err)
			if resumeErr != nil {
				return resumeErr
			}
			log.Warn("migrated by an earlier run that was interrupted", "version", version)
		}
	}
}

// lock waits for the migration lock and returns how to give it back. It asks in
// short turns, each shorter than the session's read timeout.
func lock(ctx context.Context, db *sql.DB) (unlock func() error, err error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	// The server takes names of up to 64 characters; a database's may be as long.
	const name = "CONCAT('onceshop-migrate:', LEFT(SHA2(DATABASE(), 256), 40))"
	for waited := time.Duration(0); ; waited += lockTurn {
		var got sql.NullInt64
		err := conn.QueryRowContext(ctx, "SELECT GET_LOCK("+name+", ?)", lockTurn.Seconds()).Scan(&got)
		if err == nil && got.Int64 != 1 && waited >= lockWait {
			err = fmt.Errorf("another instance has been migrating for %v", lockWait)
		}
		if err != nil {
			return nil, errors.Join(err, conn.Close())
		}
		if got.Int64 == 1 {
			break
		}
	}
	return func() error {
		// The lock belongs to the session: give it back before the pool reuses it.
		_, err := conn.ExecContext(context.WithoutCancel(ctx), "DO RELEASE_LOCK("+name+")")
		return errors.Join(err, conn.Close())
	}, nil
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
