package lease

import (
	"context"
	"database/sql"
	"time"

	"onceshop/database"
)

// Claim leases up to n rows: first those whose lease has expired, then those
// that are due, and returns them by seq. Each claim counts as an attempt. An
// expired row without attempts left is buried instead: it has killed or outlived
// every worker that tried it.
//
// Claim only what can be started at once. A lease runs from its claim, and when
// the process dies every lease it holds has lost an attempt, innocent or not.
//
// When Claim returns an error, rows may have been leased all the same (the
// commit's answer got lost); their leases expire and they are claimed again.
func (q *Queue) Claim(ctx context.Context, n int) ([]Lease, error) {
	if n <= 0 {
		return nil, nil
	}
	anyDue, anyExpired, err := q.peek(ctx)
	if err != nil || !anyDue && !anyExpired {
		return nil, err
	}
	c := claim{Queue: q, token: q.token()}
	began := time.Now()
	err = database.InTx(ctx, q.DB, func(tx *sql.Tx) error {
		c.again, c.fresh, c.buried = nil, nil, nil // this may be a repetition
		if anyExpired {
			if err := c.takeExpired(ctx, tx, n); err != nil {
				return err
			}
		}
		if rest := n - len(c.again); anyDue && rest > 0 {
			if err := c.takeDue(ctx, tx, rest); err != nil {
				return err
			}
		}
		return c.readBack(ctx, tx)
	})
	if err != nil {
		return nil, err
	}
	for i := range c.won {
		c.won[i].claimed = began
	}
	if len(c.again) > 0 {
		q.about(c.again...).Warn("lease expired, taken over")
	}
	if len(c.buried) > 0 {
		q.about(c.buried...).Error("dead: lease expired on the last attempt")
	}
	return c.won, nil
}

// claim is one claim under way: the rows it found, as they were found, and
// those that it won.
type claim struct {
	*Queue
	token string

	again  []Lease // expired, to be worked on again
	fresh  []Lease // due
	buried []Lease // expired and spent
	won    []Lease
}

func (c *claim) takeExpired(ctx context.Context, tx *sql.Tx, n int) error {
	found, err := c.find(ctx, tx, expired, n)
	if err != nil {
		return err
	}
	for _, l := range found {
		if c.spent(l.Attempts) {
			c.buried = append(c.buried, l)
		} else {
			c.again = append(c.again, l)
		}
	}
	if err := c.update(ctx, tx, expired, c.buried, giveUp, expiredReason); err != nil {
		return err
	}
	return c.take(ctx, tx, expired, c.again)
}

func (c *claim) takeDue(ctx context.Context, tx *sql.Tx, n int) (err error) {
	if c.fresh, err = c.find(ctx, tx, due, n); err != nil {
		return err
	}
	return c.take(ctx, tx, due, c.fresh)
}

func (c *claim) take(ctx context.Context, tx *sql.Tx, why condition, rows []Lease) error {
	return c.update(ctx, tx, why, rows, takeOver, c.token, c.length().Microseconds())
}

// readBack keeps, of what was found, the rows that now carry our token: only
// the row itself knows who won it.
func (c *claim) readBack(ctx context.Context, tx *sql.Tx) (err error) {
	c.won, err = c.carrying(ctx, tx, c.token, append(c.again, c.fresh...))
	return err
}
