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

// Why licenses end or rest. Pages have a sentence for each.
const (
	Refunded         = "refunded"
	DisputeLost      = "dispute_lost"
	PaymentTakenBack = "payment_taken_back"
	Disputed         = "disputed"
)

// PlanTx draws the consequences of a booking, in its transaction and under its
// order's lock: it adds the jobs that are due, wakes those that waited, and lets
// the licenses follow their order (promise 7): they end with a full refund, a lost
// dispute or a payment that was taken back, rest while a dispute is open, and are
// good again, the same ones, when that turns out otherwise. It returns the order's
// new delivery status, and what it changed beside the order's row. Asking again
// changes nothing.
func PlanTx(ctx context.Context, tx *store.Tx, o db.Order, payments []db.Payment, now time.Time) (status string, changes []payment.Change, err error) {
	if reason := Ended(o); reason != "" {
		return endTx(ctx, tx, o, reason)
	}
	if o.PaymentStatus != payment.Paid {
		return o.FulfillmentStatus, nil, nil
	}
	if o.DisputeStatus == payment.DisputeOpen {
		return restTx(ctx, tx, o)
	}
	facts := FactsOf(o, payments, payment.Amount{}, now)
	allowed := Blocker(CanFulfill(facts)) == nil
	switch {
	case o.FulfillmentStatus == store.DeliveryDone:
		return store.DeliveryDone, nil, nil
	case o.DeliveredAt != nil:
		changes, err = wakeTx(ctx, tx, o)
		return store.DeliveryDone, changes, err
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
	// Paid for the first time, an order has no jobs of before. Later it may, also where
	// nothing was due any more: what was taken back before the delivery cancelled them.
	if o.FulfillmentStatus != store.DeliveryNotDue || o.PaidAt == nil || o.PaidAt.Before(now) {
		changes, err = wakeTx(ctx, tx, o)
	}
	return store.DeliveryWaiting, changes, err
}

// Ended tells why an order's licenses have ended, or are never given; empty: they
// haven't, and may be.
func Ended(o db.Order) string {
	switch {
	case o.PaymentStatus != payment.Paid && o.FulfillmentStatus == store.DeliveryNotDue:
		return ""
	case o.PaymentStatus != payment.Paid:
		return PaymentTakenBack
	case o.RefundStatus == payment.FullyRefunded:
		return Refunded
	case o.DisputeStatus == payment.DisputeLost:
		return DisputeLost
	}
	return ""
}

// endTx revokes what was delivered and cancels what wasn't.
func endTx(ctx context.Context, tx *store.Tx, o db.Order, reason string) (string, []payment.Change, error) {
	if _, err := tx.CancelJobs(ctx, o.ID); err != nil {
		return "", nil, err
	}
	changes, err := setLicenses(ctx, tx, o, "revoked", reason)
	switch {
	case err != nil:
		return "", nil, err
	case len(changes) > 0 || o.FulfillmentStatus == store.DeliveryRevoked:
		return store.DeliveryRevoked, changes, nil
	case o.PaymentStatus != payment.Paid:
		return store.DeliveryNotDue, nil, nil
	}
	return store.DeliveryWithheld, nil, nil
}

// restTx suspends what was delivered; what wasn't waits until the dispute has ended.
func restTx(ctx context.Context, tx *store.Tx, o db.Order) (string, []payment.Change, error) {
	changes, err := setLicenses(ctx, tx, o, "suspended", Disputed)
	if o.DeliveredAt != nil {
		return store.DeliverySuspended, changes, err
	}
	return store.DeliveryWithheld, changes, err
}

// wakeTx makes licenses good again and jobs due that were held back or cancelled.
func wakeTx(ctx context.Context, tx *store.Tx, o db.Order) ([]payment.Change, error) {
	if _, err := tx.UnblockJobs(ctx, o.ID); err != nil {
		return nil, err
	}
	return setLicenses(ctx, tx, o, "active", "")
}

func setLicenses(ctx context.Context, tx *store.Tx, o db.Order, status, reason string) ([]payment.Change, error) {
	n, err := tx.SetLicenses(ctx, db.SetLicensesParams{Status: status, Reason: &reason, OrderID: o.ID})
	if err != nil || n == 0 {
		return nil, err
	}
	return []payment.Change{{Field: "licenses_" + status, Before: "0", After: fmt.Sprint(n)}}, nil
}
