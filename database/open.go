package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
)

// Open returns a pool whose every session is in UTC, READ COMMITTED, strict and
// utf8mb4, and checks that the server answers and keeps to UTC. source is a
// go-sql-driver DSN ("user:pass@tcp(host:3306)/shop") or a URL
// ("mysql://user:pass@host:3306/shop"). Its errors never contain the password.
func Open(ctx context.Context, source string) (*sql.DB, error) {
	cfg, err := Config(source)
	if err != nil {
		return nil, err
	}
	return open(ctx, cfg)
}

// OpenForMigrations is Open for Up: rebuilding a large table takes longer than
// any other statement may.
func OpenForMigrations(ctx context.Context, source string) (*sql.DB, error) {
	cfg, err := Config(source)
	if err != nil {
		return nil, err
	}
	cfg.ReadTimeout = 0
	return open(ctx, cfg)
}

// OpenForScripts is Open for RunScript: its few sessions take several statements at
// once. No other pool does, so that a hole in a query stays one query wide.
func OpenForScripts(ctx context.Context, source string) (*sql.DB, error) {
	cfg, err := Config(source)
	if err != nil {
		return nil, err
	}
	cfg.MultiStatements = true
	db, err := open(ctx, cfg)
	if err == nil {
		db.SetMaxOpenConns(4)
		db.SetMaxIdleConns(4)
	}
	return db, err
}

func open(ctx context.Context, cfg *mysql.Config) (*sql.DB, error) {
	connector, err := mysql.NewConnector(cfg)
	if err != nil {
		return nil, fmt.Errorf("database settings: %w", err)
	}
	return OpenWith(ctx, connector)
}

// OpenWith is Open for a connector of the caller's, such as one that fails on
// purpose; its sessions must have the settings of Config.
func OpenWith(ctx context.Context, connector driver.Connector) (*sql.DB, error) {
	db := sql.OpenDB(connector)
	limitPool(db)
	err := checkZone(ctx, db)
	if err == nil { // a server that doesn't answer is said once
		err = checkIsolation(ctx, db)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// limitPool keeps a busy process from taking more sessions than a small server
// grants (its default is 151) while a burst doesn't open and close sessions.
func limitPool(db *sql.DB) {
	db.SetMaxOpenConns(40)
	db.SetMaxIdleConns(20)
	db.SetConnMaxIdleTime(5 * time.Minute)
	db.SetConnMaxLifetime(time.Hour)
}

// Config reads source as Open does and returns the driver's settings.
func Config(source string) (*mysql.Config, error) {
	dsn := source
	if strings.HasPrefix(source, "mysql://") {
		u, err := url.Parse(source)
		if err != nil {
			return nil, errors.New("database URL: not a valid URL; want mysql://user:password@host:3306/database")
		}
		if u.Port() == "" {
			u.Host += ":3306"
		}
		dsn = fmt.Sprintf("tcp(%s)/%s?%s", u.Host, strings.TrimPrefix(u.Path, "/"), u.RawQuery)
		if u.User != nil {
			password, _ := u.User.Password()
			dsn = u.User.Username() + ":" + password + "@" + dsn
		}
	}
	cfg, err := mysql.ParseDSN(dsn)
	if err != nil {
		return nil, errors.New("database URL: not understood; want mysql://user:password@host:3306/database or user:password@unix(/path/to.sock)/database")
	}
	cfg.ParseTime = true
	cfg.Loc = time.UTC
	cfg.InterpolateParams = true // one round trip a statement instead of three
	cfg.RejectReadOnly = true    // a demoted node answers "read-only": drop the session, find the writer
	cfg.Timeout = orDefault(cfg.Timeout, 3*time.Second)
	cfg.ReadTimeout = orDefault(cfg.ReadTimeout, 30*time.Second)
	cfg.WriteTimeout = orDefault(cfg.WriteTimeout, 30*time.Second)
	if cfg.Params == nil {
		cfg.Params = map[string]string{}
	}
	cfg.Params["time_zone"] = "'+00:00'"
	delete(cfg.Params, "transaction_isolation")
	delete(cfg.Params, "tx_isolation")
	cfg.Params["innodb_lock_wait_timeout"] = "4" // below the 9 s in which a webhook is answered
	cfg.Params["sql_mode"] = "'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'"
	if err := cfg.Apply(mysql.Charset("utf8mb4", "utf8mb4_bin"), mysql.BeforeConnect(readCommitted())); err != nil {
		return nil, err
	}
	return cfg, nil
}

func orDefault(d, def time.Duration) time.Duration {
	if d == 0 {
		return def
	}
	return d
}

// checkZone asks the server itself: a proxy may have swallowed the setting.
func checkZone(ctx context.Context, db *sql.DB) error {
	var off int64
	if err := db.QueryRowContext(ctx, "SELECT TIMESTAMPDIFF(SECOND, UTC_TIMESTAMP(), NOW())").Scan(&off); err != nil {
		return fmt.Errorf("database not reachable: %w", err)
	}
	if off != 0 {
		return fmt.Errorf("database sessions are %d s away from UTC although they ask for time_zone '+00:00'; is a proxy dropping session settings?", off)
	}
	return nil
}

// checkIsolation holds the server to READ COMMITTED: deliveries rest on a read
// after a lock seeing what the lock's last holder wrote. MySQL and MariaDB name
// the setting differently.
func checkIsolation(ctx context.Context, db *sql.DB) error {
	const query = "SHOW SESSION VARIABLES WHERE Variable_name IN ('transaction_isolation', 'tx_isolation')"
	var name, level string
	if err := db.QueryRowContext(ctx, query).Scan(&name, &level); err != nil {
		return fmt.Errorf("database isolation level: %w", err)
	}
	if level != "READ-COMMITTED" {
		return fmt.Errorf("database sessions run at %s although they ask for READ-COMMITTED; is a proxy dropping session settings?", level)
	}
	return nil
}
