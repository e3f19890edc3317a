package shoptest

import (
	"context"
	"database/sql/driver"
	"errors"
	"sync/atomic"

	"github.com/go-sql-driver/mysql"
)

// mysqlConn is what database/sql asks of the driver's connection: leaving one of
// these out would change how values are sent or sessions reused.
type mysqlConn interface {
	driver.Conn
	driver.Pinger
	driver.ExecerContext
	driver.QueryerContext
	driver.ConnBeginTx
	driver.SessionResetter
	driver.Validator
	driver.NamedValueChecker
}

// faultyConn is one connection of a Faulty.
type faultyConn struct {
	of     *Faulty
	inner  mysqlConn
	broken atomic.Bool
}

// errLost is what the driver says of a connection that ended in mid-statement.
// Unlike driver.ErrBadConn it doesn't promise that nothing was executed, so that
// database/sql doesn't quietly try again.
var errLost = mysql.ErrInvalidConn

// errPrepared stops a test whose statement would take two round trips.
var errPrepared = errors.New("shoptest: a statement can't be interpolated and would be prepared first")

// trip makes one round trip by calling send, or lets it fail.
func trip[T any](ctx context.Context, c *faultyConn, s Statement, send func() (T, error)) (T, error) {
	var none T
	if c.broken.Load() {
		return none, driver.ErrBadConn
	}
	switch fault := c.of.next(s); fault.How {
	case NotSent:
		c.cut()
		return none, errLost
	case AnswerLost:
		_, _ = send() // even its own error is lost
		c.cut()
		return none, errLost
	case Deadlock:
		if _, err := c.inner.ExecContext(context.WithoutCancel(ctx), "ROLLBACK", nil); err != nil {
			return none, err
		}
		return none, &mysql.MySQLError{Number: 1213, Message: "Deadlock found when trying to get lock; try restarting transaction"}
	case Refused:
		return none, &mysql.MySQLError{Number: fault.Number, Message: "refused on purpose"}
	}
	result, err := send()
	if err != nil {
		return none, err
	}
	return result, nil
}

// cut ends the connection for both sides.
func (c *faultyConn) cut() {
	if c.broken.CompareAndSwap(false, true) {
		_ = c.inner.Close() // it is meant to be gone
	}
}

func (c *faultyConn) Close() error {
	if c.broken.CompareAndSwap(false, true) {
		return c.inner.Close()
	}
	return nil
}

func (c *faultyConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	return trip(ctx, c, Statement{query, args}, func() (driver.Result, error) { return c.inner.ExecContext(ctx, query, args) })
}

func (c *faultyConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	return trip(ctx, c, Statement{query, args}, func() (driver.Rows, error) { return c.inner.QueryContext(ctx, query, args) })
}

func (c *faultyConn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	return trip(ctx, c, Statement{Text: "begin"}, func() (driver.Tx, error) {
		tx, err := c.inner.BeginTx(ctx, opts)
		return faultyTx{c, tx}, err
	})
}

type faultyTx struct {
	conn  *faultyConn
	inner driver.Tx
}

func (t faultyTx) Commit() error { return t.end("commit", t.inner.Commit) }

func (t faultyTx) Rollback() error { return t.end("rollback", t.inner.Rollback) }

func (t faultyTx) end(how string, send func() error) error {
	_, err := trip(context.Background(), t.conn, Statement{Text: how}, func() (any, error) { return nil, send() })
	return err
}

func (c *faultyConn) Ping(ctx context.Context) error {
	if c.broken.Load() || c.of.isDown() {
		return driver.ErrBadConn
	}
	return c.inner.Ping(ctx)
}

func (c *faultyConn) ResetSession(ctx context.Context) error {
	if c.broken.Load() {
		return driver.ErrBadConn
	}
	return c.inner.ResetSession(ctx)
}

func (c *faultyConn) IsValid() bool { return !c.broken.Load() && c.inner.IsValid() }

func (c *faultyConn) CheckNamedValue(v *driver.NamedValue) error { return c.inner.CheckNamedValue(v) }

func (c *faultyConn) Prepare(string) (driver.Stmt, error) { return nil, errPrepared }

func (c *faultyConn) Begin() (driver.Tx, error) {
	return c.BeginTx(context.Background(), driver.TxOptions{})
}
