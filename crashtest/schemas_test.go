package crashtest_test

import (
	"database/sql"
	"strings"
	"sync"
	"testing"

	"github.com/go-sql-driver/mysql"

	"onceshop/database"
	"onceshop/testdb"
)

// schemas lends schemas to subtests and empties them afterwards: hundreds of runs
// of one story need a clean one each, and making tables is the slow part of a test.
type schemas struct {
	owner testing.TB // outlives the subtests

	mu   sync.Mutex
	free []string
}

// lend returns the address of an empty schema until t and its cleanups are over.
// Call it before anything that connects to it is made.
func (p *schemas) lend(t testing.TB) (dsn string) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	if last := len(p.free) - 1; last >= 0 {
		dsn, p.free = p.free[last], p.free[:last]
	} else {
		dsn = testdb.New(p.owner)
	}
	t.Cleanup(func() {
		if err := empty(dsn); err != nil {
			t.Error(err)
			return
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		p.free = append(p.free, dsn)
	})
	return dsn
}

// empty deletes all rows, in one round trip.
func empty(dsn string) error {
	cfg, err := database.Config(dsn)
	if err != nil {
		return err
	}
	cfg.MultiStatements = true
	connector, err := mysql.NewConnector(cfg)
	if err != nil {
		return err
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	rows, err := db.Query("SELECT CONCAT('DELETE FROM ', table_name) FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name LIKE 'shop\\_%'")
	if err != nil {
		return err
	}
	defer rows.Close()
	statements := []string{"SET foreign_key_checks = 0"}
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return err
		}
		statements = append(statements, s)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	_, err = db.Exec(strings.Join(statements, "; "))
	return err
}
