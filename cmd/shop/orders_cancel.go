package main

import (
	"fmt"

	"onceshop/checkout"
	"onceshop/config"
	"onceshop/problem"
	"onceshop/store"
)

type ordersCancel struct {
	actor
	Number string `arg:"" help:"The order's number: OS-XXXXX-XXXXX."`
}

// Run cancels and writes the audit in one transaction; a refusal is written down
// as well.
func (cmd *ordersCancel) Run(s *session) error {
	return s.withDB(func(_ *config.Config, d *store.DB) error {
		o, err := s.findOrder(d, cmd.Number)
		if err != nil {
			return err
		}
		var refusal error
		err = d.InTx(s.ctx, func(tx *store.Tx) error {
			refusal = nil // this may be a repetition
			result := "cancelled"
			if err := checkout.CancelTx(s.ctx, tx, o.ID, cmd.name()); problem.KindOf(err) == problem.Conflict {
				refusal, result = err, "refused: "+err.Error()
			} else if err != nil {
				return err
			}
			return audit(s.ctx, tx, cmd.name(), "cancel order", o.Number, result)
		})
		if err != nil {
			return err
		}
		if refusal == nil {
			fmt.Fprintf(s.stdout, "order %s is cancelled\n", o.Number)
		}
		return refusal
	})
}
