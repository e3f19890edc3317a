package store

import (
	"context"
	"strings"
)

// Server is what a database server tells of itself and of our session.
type Server struct {
	Version   string // "8.4.6", "11.4.2-MariaDB"
	Isolation string // "READ-COMMITTED"
	Zone      string // of our session: "+00:00"
	OffUTC    int    // seconds by which the session's NOW differs from UTC
	Durable   bool   // a commit is on the disk when it is answered
}

// MariaDB reports whether the server is one.
func (s Server) MariaDB() bool { return strings.Contains(s.Version, "MariaDB") }

// Server asks the server about itself. MySQL and MariaDB name the isolation
// differently.
func (d *DB) Server(ctx context.Context) (Server, error) {
	var s Server
	var flush, syncBinlog, logBin int
	err := d.pool.QueryRowContext(ctx, `SELECT VERSION(), @@session.time_zone, TIMESTAMPDIFF(SECOND, UTC_TIMESTAMP(), NOW()),
		@@global.innodb_flush_log_at_trx_commit, @@global.sync_binlog, @@global.log_bin`).
		Scan(&s.Version, &s.Zone, &s.OffUTC, &flush, &syncBinlog, &logBin)
	if err != nil {
		return s, err
	}
	s.Durable = flush == 1 && (logBin == 0 || syncBinlog == 1 || s.MariaDB())
	name := "transaction_isolation"
	if s.MariaDB() {
		name = "tx_isolation"
	}
	err = d.pool.QueryRowContext(ctx, "SELECT @@session."+name).Scan(&s.Isolation)
	return s, err
}
