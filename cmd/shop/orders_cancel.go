package main

import (
	"fmt"

	"onceshop/checkout"
	"onceshop/config"
	"onceshop/problem"
	"onceshop/store"
)

// orderAct is what a person does to one order.
type orderAct struct {
	actor
	Number string `arg:"" help:"The order's number: OS-XXXXX-XXXXX."`
}

// run does the act and writes the audit in one transaction; a refusal is written
// down as well.
func (cmd *orderAct) run(s *session, action, done string, act func(c *config.Config, tx *store.Tx, orderID string) error) error {
	return s.withDB(func(c *config.Config, d *store.DB) error {
		o, err := s.findOrder(d, cmd.Number)
		if err != nil {
			return err
		}
		var refusal error
		err = d.InTx(s.ctx, func(tx *store.Tx) error {
			refusal = nil // this may be a repetition
			result := done
			if err := act(c, tx, o.ID); problem.KindOf(err) == problem.Conflict {
				refusal, result = err, "refused: "+err.Error()
			} else if err != nil {
				return err
			}
			return audit(s.ctx, tx, cmd.name(), action+" order", o.Number, result)
		})
		if err != nil {
			return err
		}
		if refusal == nil {
			fmt.Fprintf(s.stdout, "order %s is %s\n", o.Number, done)
		}
		return refusal
	})
}

type ordersCancel struct{ orderAct }

func (cmd *ordersCancel) Run(s *session) error {
	return cmd.run(s, "cancel", "cancelled", func(_ *config.Config, tx *store.Tx, id string) error {
		return checkout.CancelTx(s.ctx, tx, id, cmd.name())
	})
}

type ordersReopen struct{ orderAct }

func (cmd *ordersReopen) Run(s *session) error {
	return cmd.run(s, "reopen", "reopened", func(_ *config.Config, tx *store.Tx, id string) error {
		return checkout.ReopenTx(s.ctx, tx, id, cmd.name())
	})
}

type ordersReviewed struct{ orderAct }

func (cmd *ordersReviewed) Run(s *session) error {
	return cmd.run(s, "review", "reviewed", func(_ *config.Config, tx *store.Tx, id string) error {
		return checkout.ReviewedTx(s.ctx, tx, id, cmd.name())
	})
}

type ordersRelink struct{ orderAct }

// Run prints the new address: whoever has it can open the order.
func (cmd *ordersRelink) Run(s *session) error {
	var url string
	err := cmd.run(s, "relink", "relinked", func(c *config.Config, tx *store.Tx, id string) (err error) {
		links := &checkout.Shop{Secret: c.Secret.Bytes(), BaseURL: c.BaseURL}
		url, err = links.RenewLinkTx(s.ctx, tx, id)
		return err
	})
	if err == nil {
		fmt.Fprintln(s.stdout, url)
	}
	return err
}
