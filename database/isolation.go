package database

import (
	"context"
	"database/sql"
	"strings"
	"sync/atomic"

	"github.com/go-sql-driver/mysql"
)

// readCommitted sets the isolation of every new session. MySQL and MariaDB call
// the variable by different names, so the first connection asks which it is; a
// statement of its own in each transaction would cost a round trip each time.
func readCommitted() func(context.Context, *mysql.Config) error {
	var variable atomic.Value
	return func(ctx context.Context, cfg *mysql.Config) error {
		if variable.Load() == nil {
			name, err := isolationVariable(ctx, cfg)
			if err != nil {
				return err
			}
			variable.Store(name)
		}
		cfg.Params[variable.Load().(string)] = "'READ-COMMITTED'"
		return nil
	}
}

func isolationVariable(ctx context.Context, cfg *mysql.Config) (string, error) {
	plain := cfg.Clone()
	if err := plain.Apply(mysql.BeforeConnect(nil)); err != nil {
		return "", err
	}
	connector, err := mysql.NewConnector(plain)
	if err != nil {
		return "", err
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	var version string
	if err := db.QueryRowContext(ctx, "SELECT VERSION()").Scan(&version); err != nil {
		return "", err
	}
	if strings.Contains(version, "MariaDB") {
		return "tx_isolation", nil
	}
	return "transaction_isolation", nil
}
