package main

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"time"

	"onceshop/config"
	"onceshop/database"
	"onceshop/migrations"
	"onceshop/operations"
	"onceshop/store"
)

// askWithin bounds each look outside.
const askWithin = 10 * time.Second

func (s *session) databaseFindings(c *config.Config, faults config.Faults) []finding {
	const check = "database"
	for _, f := range faults {
		if subjectOf(f.Setting) == check {
			return []finding{fault(check, f.String(), "see .env.example")}
		}
	}
	ctx, cancel := context.WithTimeout(s.ctx, askWithin)
	defer cancel()
	pool, err := database.Open(ctx, c.DatabaseURL.Reveal())
	if err != nil {
		return []finding{fault(check, err.Error(), "is the server running, and are host, user, password and database right?")}
	}
	defer pool.Close()
	d := store.New(pool)
	server, err := d.Server(ctx)
	if err != nil {
		return []finding{fault(check, err.Error(), "may this user read the server's variables?")}
	}
	return []finding{
		versionFinding(server), zoneFinding(server), isolationFinding(server), durableFinding(server),
		skewFinding(ctx, d), migrationsFinding(ctx, d),
	}
}

var numbers = regexp.MustCompile(`^(\d+)\.(\d+)\.(\d+)`)

// versionFinding knows what SKIP LOCKED, CHECK and instant columns need.
func versionFinding(s store.Server) finding {
	const check = "database"
	kind, oldest, advice := "MySQL", [3]int{8, 0, 29}, "MySQL 8.4 is the reference"
	if s.MariaDB() {
		kind, oldest, advice = "MariaDB", [3]int{10, 11, 0}, "MariaDB 10.11 or newer works"
	}
	m := numbers.FindStringSubmatch(s.Version)
	if m == nil {
		return finding{check, stateNote, "version not understood: " + s.Version, advice}
	}
	for i, want := range oldest {
		has, _ := strconv.Atoi(m[i+1]) // the pattern holds digits only
		if has > want {
			break
		}
		if has < want {
			return fault(check, fmt.Sprintf("%s %s is too old", kind, s.Version), advice)
		}
	}
	return ok(check, "%s %s", kind, s.Version)
}

func zoneFinding(s store.Server) finding {
	if s.OffUTC != 0 {
		return fault("time zone", fmt.Sprintf("sessions are %d s away from UTC", s.OffUTC), "a proxy drops the session's settings; let it pass time_zone")
	}
	return ok("time zone", "sessions run in UTC")
}

func isolationFinding(s store.Server) finding {
	if s.Isolation != "READ-COMMITTED" {
		return fault("isolation", "sessions run at "+s.Isolation, "a proxy drops the session's settings; let it pass transaction_isolation")
	}
	return ok("isolation", "READ-COMMITTED")
}

// durableFinding is a note: a cluster may be durable in another way.
func durableFinding(s store.Server) finding {
	if !s.Durable {
		return finding{"durability", stateNote, "a commit may be lost when the machine fails",
			"set innodb_flush_log_at_trx_commit=1 and sync_binlog=1 unless copies on other machines make up for it"}
	}
	return ok("durability", "a commit is on the disk when it is answered")
}

func skewFinding(ctx context.Context, d *store.DB) finding {
	const check = "clock"
	skew, err := operations.Skew(ctx, d, time.Now)
	switch {
	case err != nil:
		return fault(check, err.Error(), "")
	case skew.Abs() > operations.MaxSkew:
		return fault(check, fmt.Sprintf("this host is %.1f s away from the database", skew.Seconds()), "let both follow a time server: webhooks older than 300 s are refused")
	}
	return ok(check, "%d ms away from the database's", skew.Milliseconds())
}

func migrationsFinding(ctx context.Context, d *store.DB) finding {
	const check = "migrations"
	current, latest, err := database.Version(ctx, d.Pool(), migrations.FS)
	switch {
	case err != nil:
		return fault(check, err.Error(), "may this user create tables?")
	case current < latest:
		return fault(check, fmt.Sprintf("the database is at %d of %d", current, latest), "run: shop migrate up")
	case current > latest:
		return finding{check, stateNote, fmt.Sprintf("the database is at %d, newer than this program's %d", current, latest), "update the program"}
	}
	return ok(check, "at %d, the newest", current)
}
