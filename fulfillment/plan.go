package fulfillment

import (
	"context"
	"fmt"
	"time"

	"onceshop/payment"
	"onceshop/store"
	"onceshop/store/db"
)

// The kinds of jobs.
const (
	IssueLicense     = "issue_license"
	SendLicensesMail = "send_licenses_mail"
)

// unit is the payload of an IssueLicense job.
type unit struct {
	Line     int            `json:"line"`
	Unit     int            `json:"unit"`
	Payment  string         `json:"payment"`           // that paid when it was decided
	Revision payment.Amount `json:"provider_revision"` // of that payment then
}

// PlanTx draws the consequences of a booking, in its transaction and under its
// order's lock: it adds the jobs that are due, wakes those that waited, or ends
// licenses and jobs after a full refund (promise 7). It returns the order's new
// delivery status, and what it changed beside the order's row. Asking again
// changes nothing.
func PlanTx(ctx context.Context, tx *store.Tx, o db.Order, payments []db.Payment, now time.Time) (status string, changes []payment.Change, err error) {
	if o.PaymentStatus != payment.Paid {
		return o.FulfillmentStatus, nil, nil
	}
	if o.RefundStatus == payment.FullyRefunded {
		return endTx(ctx, tx, o, "refunded")
	}
	facts := FactsOf(o, payments, payment.Amount{}, now)
	allowed := Blocker(CanFulfill(facts)) == nil
	switch {
	case o.FulfillmentStatus == store.DeliveryDone || o.FulfillmentStatus == store.DeliveryRevoked:
		return o.FulfillmentStatus, nil, nil
	case !allowed:
		return store.DeliveryWithheld, nil, nil
	case o.FulfillmentStatus == store.DeliveryWaiting:
		return store.DeliveryWaiting, nil, nil // its jobs are there
	}
	lines, err := tx.ListOrderLines(ctx, o.ID)
	if err != nil {
		return "", nil, err
	}
	var jobs []store.NewJob
	for _, l := range lines {
		for n := 1; n <= l.Quantity; n++ {
			jobs = append(jobs, store.NewJob{
				OperationKey: fmt.Sprintf("issue-license:%s:%d:%d", o.ID, l.LineNo, n),
				OrderID:      o.ID, Kind: IssueLicense, Payload: unit{l.LineNo, n, store.Deref(o.PaidBy), facts.Revision},
			})
		}
	}
	if err := tx.InsertJobs(ctx, jobs); err != nil {
		return "", nil, err
	}
	if _, err := tx.UnblockJobs(ctx, o.ID); err != nil {
		return "", nil, err
	}
	return store.DeliveryWaiting, nil, nil
}

// endTx revokes what was delivered and cancels what wasn't.
func endTx(ctx context.Context, tx *store.Tx, o db.Order, reason string) (string, []payment.Change, error) {
	if _, err := tx.CancelJobs(ctx, o.ID); err != nil {
		return "", nil, err
	}
	revoked, err := tx.RevokeLicenses(ctx, &reason, o.ID)
	if err != nil {
		return "", nil, err
	}
	if revoked > 0 {
		return store.DeliveryRevoked, []payment.Change{{Field: "licenses_revoked", Before: "0", After: fmt.Sprint(revoked)}}, nil
	}
	if o.FulfillmentStatus == store.DeliveryRevoked {
		return store.DeliveryRevoked, nil, nil
	}
	return store.DeliveryWithheld, nil, nil
}
