package store

import (
	"context"
	"encoding/json"
)

// NewJob is one business action to be done once.
type NewJob struct {
	OperationKey string // the same key again is the same job (promise 8)
	OrderID      string
	Kind         string
	Payload      any // becomes JSON
}

// InsertJobs adds jobs to the outbox in one statement. A job that is there
// already stays as it is, whatever its status.
func (tx *Tx) InsertJobs(ctx context.Context, jobs []NewJob) error {
	if len(jobs) == 0 {
		return nil
	}
	args := make([]any, 0, len(jobs)*4)
	for _, j := range jobs {
		payload, err := json.Marshal(j.Payload)
		if err != nil {
			return err
		}
		args = append(args, j.OperationKey, j.OrderID, j.Kind, json.RawMessage(payload)) // plain bytes would be sent as binary, which JSON refuses
	}
	_, err := tx.ExecContext(ctx, "INSERT INTO shop_fulfillment_outbox (operation_key, order_id, kind, payload) VALUES "+
		rows(len(jobs), 4)+" ON DUPLICATE KEY UPDATE operation_key = VALUES(operation_key)", args...)
	return err
}
