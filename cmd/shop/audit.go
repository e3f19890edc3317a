package main

import (
	"context"
	"time"

	"onceshop/config"
	"onceshop/store"
	"onceshop/store/db"
)

type auditCommand struct {
	List auditList `cmd:"" help:"List what people did with the other commands, newest first."`
}

// deedJSON is one line of the audit log: who did what to what, and what came of it.
// It is also where refusals are, and new addresses of an order's page, which its
// history doesn't have.
type deedJSON struct {
	At      time.Time `json:"at"`
	Actor   string    `json:"actor"`
	Action  string    `json:"action"`
	Subject string    `json:"subject"` // an order's number, a job's operation key, a provider and its event's id
	Result  string    `json:"result"`
}

type auditList struct {
	format
	Order string `help:"Only what was done to this order, its jobs and its events." placeholder:"NUMBER"`
	Limit int32  `help:"How many." default:"50"`
}

func (cmd *auditList) Run(s *session) error {
	return s.withDB(func(c *config.Config, d *store.DB) error {
		orderID, err := s.orderID(d, cmd.Order)
		if err != nil {
			return err
		}
		rows, err := d.ListAudit(s.ctx, db.ListAuditParams{OrderID: orderID, Limit: cmd.Limit})
		if err != nil {
			return err
		}
		list := make([]deedJSON, len(rows))
		for i, r := range rows {
			list[i] = deedJSON{r.CreatedAt, r.Actor, r.Action, r.Subject, r.Result}
		}
		if done, err := cmd.json(s, list); done {
			return err
		}
		t := s.table("nobody did anything yet", "AT", "WHO", "DID", "TO", "RESULT")
		for _, deed := range list {
			t.row(clockOf(c).at(deed.At), deed.Actor, deed.Action, deed.Subject, deed.Result)
		}
		return t.flush()
	})
}

// audit writes down what a person did and what came of it.
func audit(ctx context.Context, tx *store.Tx, actor, action, subject, result string) error {
	if words := []rune(result); len(words) > maxResult {
		result = string(words[:maxResult])
	}
	return tx.InsertAudit(ctx, actor, action, subject, result)
}

// maxResult is how many letters of a result are kept.
const maxResult = 300
