package main

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"onceshop/config"
	"onceshop/database"
	"onceshop/migrations"
	"onceshop/store"
)

type migrateCommand struct {
	Up       migrateUp       `cmd:"" help:"Apply what is missing. Several instances may do so at once."`
	Status   migrateStatus   `cmd:"" help:"List the migrations; exit 1 if one is missing."`
	Validate migrateValidate `cmd:"" help:"Check the program's own migration files, without a database."`
}

type migrateUp struct{}

func (*migrateUp) Run(s *session) (err error) {
	c, err := s.config()
	if err != nil {
		return err
	}
	if err := c.CheckDatabase(); err != nil {
		return err
	}
	pool, err := database.OpenForMigrations(s.ctx, c.DatabaseURL.Reveal())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pool.Close()) }()
	if err := database.Up(s.ctx, pool, migrations.FS, s.logger(c)); err != nil {
		return err
	}
	current, _, err := database.Version(s.ctx, pool, migrations.FS)
	if err == nil {
		fmt.Fprintf(s.stdout, "the database is at migration %d\n", current)
	}
	return err
}

type migrateStatus struct{ format }

// Run lists all and fails when some are missing, so that a script can ask.
func (cmd *migrateStatus) Run(s *session) error {
	return s.withDB(func(c *config.Config, d *store.DB) error {
		list, err := database.Status(s.ctx, d.Pool(), migrations.FS)
		if err != nil {
			return err
		}
		missing := 0
		for _, m := range list {
			if m.AppliedAt.IsZero() {
				missing++
			}
		}
		if done, err := cmd.json(s, list); !done {
			t := s.table("there are no migrations", "VERSION", "NAME", "APPLIED")
			for _, m := range list {
				applied := "missing"
				if !m.AppliedAt.IsZero() {
					applied = clockOf(c).at(m.AppliedAt)
				}
				t.row(m.Version, m.Name, applied)
			}
			err = t.flush()
			if err != nil {
				return err
			}
		} else if err != nil {
			return err
		}
		if missing > 0 {
			fmt.Fprintf(s.stderr, "%d of %d migrations are missing; run: shop migrate up\n", missing, len(list))
			return errSaid
		}
		return nil
	})
}

type migrateValidate struct{}

func (*migrateValidate) Run(s *session) error {
	n, err := validate(migrations.FS)
	if err == nil {
		fmt.Fprintf(s.stdout, "%d migrations, numbered without a gap, one statement each\n", n)
	}
	return err
}

var migrationName = regexp.MustCompile(`^(\d{5})_[a-z0-9_]+\.sql$`)

// validate checks what MySQL makes necessary: DDL commits implicitly, so a file
// with two statements could stop in between and fit no version.
func validate(files fs.FS) (int, error) {
	names, err := database.Names(files)
	if err != nil {
		return 0, err
	}
	var faults []error
	for i, name := range names {
		m := migrationName.FindStringSubmatch(name)
		if m == nil || m[1] != fmt.Sprintf("%05d", i+1) {
			faults = append(faults, fmt.Errorf("%s: want a name like %05d_what_it_does.sql", name, i+1))
			continue
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return 0, err
		}
		if n := statements(string(text)); n != 1 {
			faults = append(faults, fmt.Errorf("%s: has %d statements on its way up, want one", name, n))
		}
	}
	return len(names), errors.Join(faults...)
}

// statements counts those of the way up. Migrations hold no semicolon inside of a
// statement: no bodies, no such literals.
func statements(text string) int {
	_, up, _ := strings.Cut(text, "-- +goose Up")
	up, _, _ = strings.Cut(up, "-- +goose Down")
	n := 0
	for _, line := range strings.Split(up, "\n") {
		code, _, _ := strings.Cut(line, "--")
		n += strings.Count(code, ";")
	}
	return n
}
