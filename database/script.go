package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"strings"
)

// RunScript runs statements as one transaction in one round trip: they are sent
// together with its begin and commit. It is InTx for what needs no answer in
// between, with the same repetitions and the same errors; db comes from
// OpenForScripts. The statements are the program's own words, all values are args.
func RunScript(ctx context.Context, db *sql.DB, statements []string, args ...any) error {
	script := "START TRANSACTION;\n" + strings.Join(statements, ";\n") + ";\nCOMMIT"
	return repeat(ctx, func() error {
		conn, err := db.Conn(ctx)
		if err != nil {
			return err
		}
		defer conn.Close()
		if _, err = conn.ExecContext(ctx, script, args...); err == nil {
			return nil
		}
		// What failed stopped the script inside of its transaction. A session that
		// can't leave it is thrown away, which ends it as well.
		if _, stuck := conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK"); stuck != nil {
			_ = conn.Raw(func(any) error { return driver.ErrBadConn })
		}
		return err
	})
}
