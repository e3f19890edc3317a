package main

import (
	"fmt"
	"time"

	"onceshop/config"
	"onceshop/store"
	"onceshop/store/db"
)

type jobsCommand struct {
	List  jobsList  `cmd:"" help:"List jobs, newest first."`
	Retry jobsRetry `cmd:"" help:"Make a job due now, with all its attempts; a mail that was sent is sent again, the same one."`
}

type jobJSON struct {
	Seq           uint64    `json:"seq"`
	OperationKey  string    `json:"operation_key"`
	Kind          string    `json:"kind"`
	Order         string    `json:"order"`
	Status        string    `json:"status"`
	Attempts      int       `json:"attempts"`
	NextAttemptAt time.Time `json:"next_attempt_at"`
	LastError     string    `json:"last_error"`
	CreatedAt     time.Time `json:"created_at"`
}

func jobOf(j db.Job, order string) jobJSON {
	return jobJSON{j.Seq, j.OperationKey, j.Kind, order, j.Status, j.Attempts, j.NextAttemptAt, store.Deref(j.LastError), j.CreatedAt}
}

type jobsList struct {
	format
	Status string `help:"Only jobs that are pending, leased, blocked, done, dead, cancelled or undeliverable." enum:",pending,leased,blocked,done,dead,cancelled,undeliverable" default:""`
	Kind   string `help:"Only jobs of this kind: issue_license, send_licenses_mail." enum:",issue_license,send_licenses_mail" default:""`
	Order  string `help:"Only jobs of this order." placeholder:"NUMBER"`
	Limit  int32  `help:"How many." default:"50"`
}

func (cmd *jobsList) Run(s *session) error {
	return s.withDB(func(c *config.Config, d *store.DB) error {
		orderID, err := s.orderID(d, cmd.Order)
		if err != nil {
			return err
		}
		rows, err := d.ListJobs(s.ctx, db.ListJobsParams{Status: cmd.Status, Kind: cmd.Kind, OrderID: orderID, Limit: cmd.Limit})
		if err != nil {
			return err
		}
		list := make([]jobJSON, len(rows))
		for i, r := range rows {
			list[i] = jobOf(r.Job, r.OrderNumber)
		}
		if done, err := cmd.json(s, list); done {
			return err
		}
		t := s.table("no such jobs", "JOB", "KIND", "ORDER", "STATUS", "ATTEMPTS", "NEXT ATTEMPT", "LAST ERROR")
		for _, j := range list {
			t.row(j.Seq, j.Kind, j.Order, j.Status, j.Attempts, clockOf(c).at(j.NextAttemptAt), j.LastError)
		}
		return t.flush()
	})
}

type jobsRetry struct {
	actor
	Seq uint64 `arg:"" help:"The job's number, from jobs list."`
}

// Run makes the job due and writes the audit in one transaction. The operation key
// stays, so nothing that was delivered is delivered as something new (promise 8).
func (cmd *jobsRetry) Run(s *session) error {
	return s.withDB(func(_ *config.Config, d *store.DB) error {
		var refusal error
		err := d.InTx(s.ctx, func(tx *store.Tx) error {
			refusal = nil // this may be a repetition
			job, err := tx.GetJob(s.ctx, cmd.Seq)
			if store.IsNotFound(err) {
				return fmt.Errorf("there is no job %d", cmd.Seq)
			}
			if err != nil {
				return err
			}
			rows, err := tx.RetryJob(s.ctx, cmd.Seq)
			if err != nil {
				return err
			}
			result := "due again; it was " + job.Status
			if rows == 0 {
				refusal = fmt.Errorf("job %d is %s", job.Seq, job.Status)
				result = "refused: " + refusal.Error()
			}
			return audit(s.ctx, tx, cmd.name(), "retry job", job.OperationKey, result)
		})
		if err != nil {
			return err
		}
		if refusal == nil {
			fmt.Fprintf(s.stdout, "job %d is due\n", cmd.Seq)
		}
		return refusal
	})
}
