package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/google/uuid"

	"onceshop/database"
	"onceshop/lease"
	"onceshop/store/db"
)

// DB is the shop's database: its queries outside of a transaction, and the door
// to one.
type DB struct {
	*db.Queries
	pool    *sql.DB
	scripts *sql.DB // nil: see InsertEvents
}

// Tx is the shop's database inside a transaction. Its type keeps apart what must
// run under a lock from what need not.
type Tx struct {
	*db.Queries
	tx *sql.Tx
}

// New returns the records in pool, which database.Open has opened.
func New(pool *sql.DB) *DB {
	return &DB{Queries: db.New(pool), pool: pool}
}

// WithScripts lets the inbox store events in one round trip, over a pool that
// database.OpenForScripts has opened.
func (d *DB) WithScripts(scripts *sql.DB) *DB {
	d.scripts = scripts
	return d
}

// Pool returns the connections below, for health checks and lease queues.
func (d *DB) Pool() *sql.DB { return d.pool }

// InTx runs fn in one transaction: see database.InTx.
func (d *DB) InTx(ctx context.Context, fn func(tx *Tx) error) error {
	return database.InTx(ctx, d.pool, func(tx *sql.Tx) error {
		return fn(&Tx{Queries: db.New(tx), tx: tx})
	})
}

// ExecContext lets a lease queue finish inside this transaction.
func (tx *Tx) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	return tx.tx.ExecContext(ctx, query, args...)
}

// Events is the inbox as a lease queue.
func (d *DB) Events(owner string) *lease.Queue {
	return &lease.Queue{DB: d.pool, Table: "shop_events", Owner: owner}
}

// Jobs is the fulfillment outbox as a lease queue, of these kinds only.
func (d *DB) Jobs(owner string, kinds ...string) *lease.Queue {
	return &lease.Queue{DB: d.pool, Table: "shop_fulfillment_outbox", Owner: owner, Kinds: kinds}
}

// Now returns the database's clock, the only one that times are compared with.
func (d *DB) Now(ctx context.Context) (now time.Time, err error) {
	err = d.pool.QueryRowContext(ctx, "SELECT NOW(6)").Scan(&now)
	return now, err
}

// IsNotFound reports whether a query for one row found none.
func IsNotFound(err error) bool { return errors.Is(err, sql.ErrNoRows) }

// NewID returns a UUIDv7: unique without asking anybody, and in order of time,
// so that rows written together lie together.
func NewID() string { return uuid.Must(uuid.NewV7()).String() }

// IsID reports whether s has the form of our ids.
func IsID(s string) bool {
	id, err := uuid.Parse(s)
	return err == nil && len(s) == 36 && id.String() == s
}

// Ref returns a pointer to s, or nil for "", as nullable columns want it.
func Ref(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
