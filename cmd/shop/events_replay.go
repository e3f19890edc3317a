package main

import (
	"fmt"
	"time"

	"onceshop/config"
	"onceshop/payment"
	"onceshop/store"
	"onceshop/store/db"
)

type eventsReplay struct {
	actor
	ID       string        `arg:"" help:"The provider's id of the event."`
	Provider string        `help:"Whose event, where two providers use the same id."`
	Wait     time.Duration `help:"How long to wait for the verdict of a running instance; 0 doesn't." default:"10s"`
}

// Run makes the event due and writes the audit in one transaction. Whichever
// instance has the role inbox processes it: fetched, fenced and applied like any
// other, so an event that was applied before changes nothing.
func (cmd *eventsReplay) Run(s *session) error {
	return s.withDB(func(_ *config.Config, d *store.DB) error {
		e, err := s.findEvent(d, cmd.ID, cmd.Provider)
		if err != nil {
			return err
		}
		was := e.Status
		if e.Verdict != nil {
			was += ", " + *e.Verdict
		}
		queued := int64(0)
		err = d.InTx(s.ctx, func(tx *store.Tx) (err error) {
			queued, err = tx.ReplayEvent(s.ctx, e.Provider, e.EventID)
			if err != nil {
				return err
			}
			result := "due again; it was " + was
			if queued == 0 {
				result = "refused: an instance is working on it"
			}
			return audit(s.ctx, tx, cmd.name(), "replay event", e.Provider+" "+e.EventID, result)
		})
		if err != nil {
			return err
		}
		if queued == 0 {
			return fmt.Errorf("event %s is being worked on right now", e.EventID)
		}
		fmt.Fprintf(s.stdout, "event %s is due again; it was %s\n", e.EventID, was)
		return cmd.await(s, d, e)
	})
}

// lookEvery is how often a waiting command looks.
const lookEvery = 200 * time.Millisecond

// await tells the verdict when an instance has given one.
func (cmd *eventsReplay) await(s *session, d *store.DB, before db.Event) error {
	if cmd.Wait <= 0 {
		return nil
	}
	end := time.NewTimer(cmd.Wait)
	defer end.Stop()
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for {
		e, err := d.FindEvent(s.ctx, before.Provider, before.EventID)
		if err != nil {
			return err
		}
		if e.Status == "done" && e.LeaseVersion > before.LeaseVersion {
			if store.Deref(before.Verdict) == string(payment.Applied) {
				fmt.Fprintln(s.stdout, "already applied: the same gate let nothing through twice")
				return nil
			}
			fmt.Fprintf(s.stdout, "verdict %s %s\n", store.Deref(e.Verdict), store.Deref(e.Reason))
			return nil
		}
		select {
		case <-s.ctx.Done():
			return s.ctx.Err()
		case <-end.C:
			fmt.Fprintln(s.stdout, "no verdict yet; is an instance with the role inbox running?")
			return nil
		case <-look.C:
		}
	}
}
