package checkout

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"onceshop/database"
	"onceshop/fulfillment"
	"onceshop/payment"
	"onceshop/store"
	"onceshop/store/db"
)

// Application is a provider's snapshot and who brought it.
type Application struct {
	Provider string
	Snapshot payment.Snapshot
	Source   store.Source
	Actor    string
	EventSeq *uint64 // the event that made us fetch it, if one did
	// Foreign says that the order which the payment names will never be there.
	Foreign bool
}

// Outcome is what ApplyTx made of a snapshot.
type Outcome struct {
	Verdict payment.Verdict
	Reason  string
	Order   *db.Order      // as it is now; nil: the payment belongs to no order
	Before  payment.Amount // the provider revision that was recorded before
	Booked  bool           // jobs may be due now
}

// ErrOrderMissing means that the snapshot names an order of ours in form, but
// there is none (yet): the caller tries again later.
var ErrOrderMissing = errors.New("the order that the payment names isn't there")

// ApplyTx brings an order to what its provider's snapshot says: order, payment,
// history and jobs in the caller's transaction. Applying the same snapshot again
// changes nothing; applying an older one is Stale.
func ApplyTx(ctx context.Context, tx *store.Tx, a Application) (Outcome, error) {
	orderID, err := findOrder(ctx, tx, a)
	if err != nil {
		return Outcome{}, err
	}
	if orderID == "" {
		return recordUnattributed(ctx, tx, a)
	}
	row, err := tx.LockOrder(ctx, orderID)
	if store.IsNotFound(err) {
		return Outcome{}, fmt.Errorf("%w: %s", ErrOrderMissing, orderID)
	}
	if err != nil {
		return Outcome{}, err
	}
	payments, err := tx.ListPaymentsOfOrder(ctx, &orderID)
	if err != nil {
		return Outcome{}, err
	}
	i := payee(payments, a)
	if i < 0 {
		if payments, err = adopt(ctx, tx, row.Order, payments, a); err != nil {
			return Outcome{}, err
		}
		i = len(payments) - 1
	} else if payments[i].ProviderRef == nil {
		// Recorded as an orphan before we knew its reference, it makes room.
		if _, err := tx.DeleteOrphanPayment(ctx, a.Provider, &a.Snapshot.Ref); err != nil {
			return Outcome{}, err
		}
	}
	return settle(ctx, tx, row, payments, i, a)
}

// findOrder returns the id of the order that the payment belongs to: by the
// provider's reference, or by ours where the provider's answer to our request has
// not been noted yet. Empty: it isn't one of ours.
func findOrder(ctx context.Context, tx *store.Tx, a Application) (string, error) {
	p, err := tx.FindPayment(ctx, a.Provider, &a.Snapshot.Ref)
	switch {
	case err == nil && p.OrderID != nil:
		return *p.OrderID, nil
	case err != nil && !store.IsNotFound(err):
		return "", err
	case a.Foreign:
		return "", nil
	}
	id, _ := ParseOrderRef(a.Snapshot.OrderRef)
	return id, nil
}

// payee finds the payment that the snapshot is of, by the provider's reference or,
// where that hasn't been noted, by the attempt that ours names; -1 if there is none.
func payee(payments []db.Payment, a Application) int {
	_, attempt := ParseOrderRef(a.Snapshot.OrderRef)
	asked := -1
	for i, p := range payments {
		switch {
		case p.Provider != a.Provider:
		case p.ProviderRef != nil && *p.ProviderRef == a.Snapshot.Ref:
			return i
		case p.ProviderRef == nil && p.Attempt != nil && *p.Attempt == attempt:
			asked = i
		}
	}
	return asked
}

// adopt gives the order a payment that names it although we have not asked for it,
// such as a second session opened by hand: its money is real. It may have been
// recorded without an order before.
func adopt(ctx context.Context, tx *store.Tx, o db.Order, payments []db.Payment, a Application) ([]db.Payment, error) {
	attempt := len(payments) + 1
	found, err := tx.AdoptPayment(ctx, db.AdoptPaymentParams{
		OrderID: &o.ID, Attempt: &attempt, Amount: o.Total, Currency: o.Currency, Provider: a.Provider, ProviderRef: &a.Snapshot.Ref,
	})
	if err == nil && found == 0 {
		err = tx.InsertPayment(ctx, db.InsertPaymentParams{
			ID: store.NewID(), OrderID: &o.ID, Attempt: &attempt, Provider: a.Provider, Amount: o.Total, Currency: o.Currency,
		})
	}
	if err != nil {
		return nil, err
	}
	return tx.ListPaymentsOfOrder(ctx, &o.ID)
}

// settle decides and writes. The order is locked; payments are as they are now.
func settle(ctx context.Context, tx *store.Tx, row db.LockOrderRow, payments []db.Payment, i int, a Application) (Outcome, error) {
	before, p := row.Order, payments[i]
	out := Outcome{Order: &before, Before: p.ProviderRevision}
	d := payment.Next(recordOf(p), a.Snapshot)
	out.Verdict, out.Reason = d.Verdict, d.Reason
	review, refused := review(p, d, a.Snapshot)
	news := d.Verdict == payment.Applied || store.Deref(review) != store.Deref(p.ReviewReason) || review != nil && !same(refused, p.RefusedRevision)
	if d.Verdict == payment.Stale || !news && p.ProviderRef != nil {
		return out, nil
	}

	p = withRecord(p, d.Record)
	p.ProviderRef, p.ReviewReason, p.RefusedRevision = &a.Snapshot.Ref, review, refused
	if err := savePayment(ctx, tx, p); err != nil {
		return out, err
	}
	if !news {
		return out, nil
	}
	payments[i] = p

	after, extra, err := conclude(ctx, tx, before, payments, row.DbNow)
	if err != nil {
		return out, err
	}
	extra = append(extra, beside(store.OrderChanges(before, after), d, p)...)
	saved, err := tx.SaveOrder(ctx, before, after, store.Entry{
		Kind: kindOf(before, after), Source: a.Source, Actor: a.Actor, EventSeq: a.EventSeq,
		ProviderRevision: &a.Snapshot.Revision, Changes: extra,
	})
	out.Order = &saved
	out.Booked = saved.FulfillmentStatus == store.DeliveryWaiting
	return out, err
}

// conclude derives the order's columns from all of its payments.
func conclude(ctx context.Context, tx *store.Tx, o db.Order, payments []db.Payment, now time.Time) (db.Order, []payment.Change, error) {
	records := make([]payment.Record, len(payments))
	paidBy := -1
	for i, p := range payments {
		records[i] = recordOf(p)
		if o.PaidBy != nil && *o.PaidBy == p.ID {
			paidBy = i
		}
	}
	s := payment.Summarize(o.Total, payer(o, records, paidBy), records)

	o.ReceivedAmount, o.SurplusAmount = s.Received, s.Surplus
	if o.PaidBy == nil || s.Refunded.Cmp(o.RefundedAmount) >= 0 { // a refund of a paid order never shrinks
		o.RefundStatus, o.RefundedAmount = s.RefundStatus, s.Refunded
	}
	o.FulfillmentDecision, o.ServiceStatus, o.ChainEnforcement = s.Risk.Decision, s.Risk.ServiceStatus, s.Risk.ChainEnforcement
	o.RiskAssessedAt, o.RiskValidUntil = s.Risk.AssessedAt, s.Risk.ValidUntil
	o.ReviewReason = nil
	for i, p := range payments {
		// Once an order is paid, only what is wrong with that payment matters to it.
		if o.ReviewReason == nil && (s.PaidBy < 0 || s.PaidBy == i) {
			o.ReviewReason = p.ReviewReason
		}
	}
	if s.PaidBy >= 0 {
		o.PaidBy = &payments[s.PaidBy].ID
		if o.PaidAt == nil {
			o.PaidAt = &now
		}
	}
	switch {
	case o.CancelledAt != nil && held(records).Sign() > 0:
		// A person ended this order; what to do with the money is a person's
		// decision as well.
		o.ReviewReason = store.Ref(PaidAfterCancellation)
	case o.CancelledAt != nil:
	case o.PaymentStatus == payment.Expired && s.PaymentStatus == payment.Pending:
		// Our own timer ended it; only money brings it back.
	default:
		o.PaymentStatus = s.PaymentStatus
	}
	status, changes, err := fulfillment.PlanTx(ctx, tx, o, payments, now)
	o.FulfillmentStatus = status
	return o, changes, err
}

// payer is the payment that pays the order: the one that was noted, unless it has
// gone back whole while another success stands in for it. Which of two payments is
// given back is the merchant's choice. After a full refund nothing stands in.
func payer(o db.Order, records []payment.Record, noted int) int {
	if noted < 0 || records[noted].RefundStatus != payment.FullyRefunded || o.RefundStatus == payment.FullyRefunded {
		return noted
	}
	for i, r := range records {
		if r.Status == payment.Paid && r.RefundStatus != payment.FullyRefunded {
			return i
		}
	}
	return noted
}

// held is what we have of the buyer's money, after refunds.
func held(records []payment.Record) (sum payment.Amount) {
	for _, r := range records {
		sum = sum.Add(r.Received.Sub(r.Refunded))
	}
	return sum
}

// PaidAfterCancellation is the review reason for money that arrives for an order
// that a person has cancelled.
const PaidAfterCancellation = "paid_after_cancellation"

// recordUnattributed notes a payment that belongs to no order, so that a person
// sees its money.
func recordUnattributed(ctx context.Context, tx *store.Tx, a Application) (Outcome, error) {
	out := Outcome{Verdict: payment.Unattributed, Reason: "the payment names no order of this shop"}
	s := a.Snapshot
	// A snapshot that can't be right leaves a pending record: its words must not
	// get into the columns.
	r := payment.Next(payment.Record{Status: payment.Pending, RefundStatus: payment.NotRefunded, Amount: s.Amount, Currency: s.Currency}, s).Record
	err := tx.InsertUnattributedPayment(ctx, db.InsertUnattributedPaymentParams{
		ID: store.NewID(), Provider: a.Provider, ProviderRef: &s.Ref, Amount: s.Amount, Currency: s.Currency,
		Status: r.Status, RefundStatus: r.RefundStatus, Received: r.Received, Refunded: r.Refunded, ProviderRevision: r.Revision,
	})
	if !database.IsDuplicate(err) {
		return out, err
	}
	p, err := tx.LockUnattributedPayment(ctx, a.Provider, &s.Ref)
	if err != nil {
		return out, err
	}
	out.Before = p.ProviderRevision
	if d := payment.Next(recordOf(p), s); d.Verdict == payment.Applied {
		return out, savePayment(ctx, tx, withRecord(p, d.Record))
	}
	return out, nil
}

func savePayment(ctx context.Context, tx *store.Tx, p db.Payment) error {
	rows, err := tx.UpdatePayment(ctx, db.UpdatePaymentParams{
		ProviderRef: p.ProviderRef, Status: p.Status, RefundStatus: p.RefundStatus, Received: p.Received, Refunded: p.Refunded,
		Confirmations: p.Confirmations, ReviewReason: p.ReviewReason, RefusedRevision: p.RefusedRevision, ReviewedRevision: p.ReviewedRevision,
		FulfillmentDecision: p.FulfillmentDecision,
		ServiceStatus:       p.ServiceStatus, ChainEnforcement: p.ChainEnforcement, RiskAssessedAt: p.RiskAssessedAt,
		RiskValidUntil: p.RiskValidUntil, ProviderRevision: p.ProviderRevision, ID: p.ID, RowVersion: p.RowVersion,
	})
	if err == nil && rows != 1 {
		err = fmt.Errorf("payment %s is no longer at version %d; was it changed without its order's lock?", p.ID, p.RowVersion)
	}
	return err
}

func recordOf(p db.Payment) payment.Record {
	return payment.Record{
		Ref: store.Deref(p.ProviderRef), Revision: p.ProviderRevision, Status: p.Status, RefundStatus: p.RefundStatus,
		Amount: p.Amount, Received: p.Received, Refunded: p.Refunded, Currency: p.Currency, Confirmations: p.Confirmations,
		Risk: payment.Risk{Decision: p.FulfillmentDecision, ServiceStatus: p.ServiceStatus, ChainEnforcement: p.ChainEnforcement,
			AssessedAt: p.RiskAssessedAt, ValidUntil: p.RiskValidUntil},
	}
}

func withRecord(p db.Payment, r payment.Record) db.Payment {
	p.ProviderRevision, p.Status, p.RefundStatus = r.Revision, r.Status, r.RefundStatus
	p.Received, p.Refunded, p.Confirmations = r.Received, r.Refunded, r.Confirmations
	p.FulfillmentDecision, p.ServiceStatus, p.ChainEnforcement = r.Risk.Decision, r.Risk.ServiceStatus, r.Risk.ChainEnforcement
	p.RiskAssessedAt, p.RiskValidUntil = r.Risk.AssessedAt, r.Risk.ValidUntil
	return p
}

// review returns why a person has to look at the payment now, and the provider's
// revision that was refused. What a person has looked at isn't asked again.
func review(p db.Payment, d payment.Decision, s payment.Snapshot) (reason *string, refused *payment.Amount) {
	if d.Verdict != payment.NeedsReview {
		return nil, nil
	}
	if p.ReviewedRevision != nil && s.Revision.Cmp(*p.ReviewedRevision) <= 0 {
		return nil, p.RefusedRevision
	}
	return &d.Reason, &s.Revision
}

func same(a, b *payment.Amount) bool { return a == b || a != nil && b != nil && a.Equal(*b) }

// beside picks what the history has to tell beside the order's own columns: what
// was refused, the confirmations, and where no column moved all that changed of
// the payment.
func beside(columns []payment.Change, d payment.Decision, p db.Payment) []payment.Change {
	picked := d.Refused
	if len(columns) == 0 && len(d.Changes) > 0 && p.Attempt != nil {
		picked = append(picked, payment.Change{Field: "attempt", After: strconv.Itoa(*p.Attempt)})
	}
	for _, c := range d.Changes {
		if len(columns) == 0 || c.Field == "confirmations" {
			picked = append(picked, c)
		}
	}
	return picked
}

// kindOf names a change for the history by what matters most about it.
func kindOf(before, after db.Order) string {
	switch {
	case store.Deref(before.ReviewReason) != store.Deref(after.ReviewReason) && after.ReviewReason != nil:
		return "review"
	case before.ReviewReason != nil && after.ReviewReason == nil && before.PaymentStatus == after.PaymentStatus:
		return "review_over"
	case before.PaymentStatus != after.PaymentStatus:
		return "payment_" + string(after.PaymentStatus)
	case before.RefundStatus != after.RefundStatus, !before.RefundedAmount.Equal(after.RefundedAmount):
		return "refunded"
	case !before.SurplusAmount.Equal(after.SurplusAmount):
		return "surplus"
	case !before.ReceivedAmount.Equal(after.ReceivedAmount):
		return "received"
	case before.FulfillmentDecision != after.FulfillmentDecision, before.ServiceStatus != after.ServiceStatus,
		before.ChainEnforcement != after.ChainEnforcement, before.FulfillmentStatus != after.FulfillmentStatus:
		return "risk"
	}
	return "payment"
}
