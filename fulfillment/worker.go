package fulfillment

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"onceshop/database"
	"onceshop/lease"
	"onceshop/license"
	"onceshop/payment"
	"onceshop/store"
	"onceshop/store/db"
)

// Worker issues licenses.
type Worker struct {
	DB     *store.DB
	Queue  *lease.Queue // store.DB.Jobs of IssueLicense
	Keys   Keys
	Issued func() // called after a commit that completed an order; must not block
}

// Keys is what licenses are made with.
type Keys struct {
	Secret []byte             // derives the short keys
	Signer ed25519.PrivateKey // signs the license files
}

const jobsAtOnce = 8

// RunOnce works on the jobs that are due and returns how many it took.
func (w *Worker) RunOnce(ctx context.Context) (int, error) {
	return runJobs(ctx, w.Queue, w.issue)
}

// runJobs claims jobs and runs each under its lease, a few at a time.
func runJobs(ctx context.Context, q *lease.Queue, run func(context.Context, lease.Lease) error) (int, error) {
	leases, err := q.Claim(ctx, jobsAtOnce)
	if err != nil {
		return 0, err
	}
	var g errgroup.Group
	for _, l := range leases {
		g.Go(func() error {
			q.Run(ctx, []lease.Lease{l}, func(ctx context.Context) error { return run(ctx, l) })
			return nil
		})
	}
	return len(leases), g.Wait()
}

// issue asks the rules again on the locked order, inserts the license and
// finishes the job, in one transaction. The last license of an order also makes
// it delivered and asks for the mail.
func (w *Worker) issue(ctx context.Context, l lease.Lease) error {
	complete := false
	err := w.DB.InTx(ctx, func(tx *store.Tx) (err error) {
		complete, err = w.issueTx(ctx, tx, l)
		return err
	})
	if err == nil && complete && w.Issued != nil {
		w.Issued()
	}
	return err
}

func (w *Worker) issueTx(ctx context.Context, tx *store.Tx, l lease.Lease) (complete bool, err error) {
	job, err := tx.GetJob(ctx, l.Seq)
	if err != nil {
		return false, err
	}
	var u unit
	if err := json.Unmarshal(job.Payload, &u); err != nil {
		return false, lease.Permanent(fmt.Errorf("job payload: %w", err))
	}
	row, err := tx.LockOrder(ctx, job.OrderID)
	if err != nil {
		return false, err
	}
	payments, err := tx.ListPaymentsOfOrder(ctx, &job.OrderID)
	if err != nil {
		return false, err
	}
	recorded := u.Revision
	if u.Payment != store.Deref(row.Order.PaidBy) {
		recorded = payment.Amount{} // another payment stands in: its revisions are its own
	}
	if no := Blocker(CanFulfill(FactsOf(row.Order, payments, recorded, row.DbNow))); no != nil {
		return false, holdTx(ctx, tx, l, row.Order, *no)
	}
	if err := w.insertLicense(ctx, tx, row.Order, u); err != nil {
		return false, err
	}
	if err := w.Queue.FinishTx(ctx, tx, l); err != nil {
		return false, err
	}
	return w.completeTx(ctx, tx, row)
}

// holdTx ends the lease without a license: what may still be allowed is blocked
// until a booking wakes it, what never will be is cancelled. Neither counts as a
// failure, nor is either hidden.
func holdTx(ctx context.Context, tx *store.Tx, l lease.Lease, o db.Order, no payment.Clause) error {
	status := "blocked"
	if Ended(o) != "" || o.CancelledAt != nil {
		status = "cancelled"
	}
	reason := fmt.Sprintf("%s: has %s, wants %s", no.Name, no.Has, no.Wants)
	if err := endJob(ctx, tx.Queries, l, status, errors.New(reason), 1); err != nil {
		return err
	}
	if o.FulfillmentStatus != store.DeliveryWaiting {
		return nil
	}
	after := o
	after.FulfillmentStatus = store.DeliveryWithheld
	_, err := tx.SaveOrder(ctx, o, after, store.Entry{
		Kind: "withheld", Source: store.FromFulfillment, Actor: "worker",
		Changes: []payment.Change{{Field: "blocked_by", After: reason}},
	})
	return err
}

// insertLicense gives the unit its license unless it has one: the unique key on
// line and unit decides, so the job may be done again without harm.
func (w *Worker) insertLicense(ctx context.Context, tx *store.Tx, o db.Order, u unit) error {
	lines, err := tx.ListOrderLines(ctx, o.ID)
	if err != nil {
		return err
	}
	for _, line := range lines {
		if line.LineNo != u.Line || u.Unit < 1 || u.Unit > line.Quantity {
			continue
		}
		id := store.NewID()
		hash := license.Hash(license.Key(w.Keys.Secret, id))
		err := tx.InsertLicense(ctx, db.InsertLicenseParams{
			ID: id, OrderID: o.ID, LineNo: u.Line, UnitNo: u.Unit, ProductID: line.ProductID, KeyHash: hash[:],
		})
		if database.IsDuplicate(err) {
			return nil
		}
		return err
	}
	return lease.Permanent(fmt.Errorf("order %s has no line %d unit %d", o.ID, u.Line, u.Unit))
}

// completeTx makes the order delivered once every unit has its license. Nothing
// partial is ever mailed.
func (w *Worker) completeTx(ctx context.Context, tx *store.Tx, row db.LockOrderRow) (bool, error) {
	lines, err := tx.ListOrderLines(ctx, row.Order.ID)
	if err != nil {
		return false, err
	}
	units := 0
	for _, line := range lines {
		units += line.Quantity
	}
	licenses, err := tx.ListLicensesOfOrder(ctx, row.Order.ID)
	if err != nil || len(licenses) < units || row.Order.FulfillmentStatus == store.DeliveryDone {
		return false, err
	}
	after := row.Order
	after.FulfillmentStatus, after.DeliveredAt = store.DeliveryDone, &row.DbNow
	saved, err := tx.SaveOrder(ctx, row.Order, after, store.Entry{
		Kind: "delivered", Source: store.FromFulfillment, Actor: "worker",
		Changes: []payment.Change{{Field: "licenses", Before: "0", After: fmt.Sprint(len(licenses))}},
	})
	if err != nil {
		return false, err
	}
	return true, tx.InsertJobs(ctx, []store.NewJob{{
		OperationKey: fmt.Sprintf("send-licenses-mail:%s:%d", saved.ID, saved.Revision),
		OrderID:      saved.ID, Kind: SendLicensesMail, Payload: struct{}{},
	}})
}
