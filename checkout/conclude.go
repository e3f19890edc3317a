package checkout

import (
	"context"
	"slices"
	"time"

	"onceshop/fulfillment"
	"onceshop/payment"
	"onceshop/store"
	"onceshop/store/db"
)

// conclude derives the order's columns from all of its payments.
// A refund of what was delivered shrinks only where a provider says that one came
// back to us (reversed).
func conclude(ctx context.Context, tx *store.Tx, o db.Order, payments []db.Payment, now time.Time, reversed bool) (db.Order, []payment.Change, error) {
	records := make([]payment.Record, len(payments))
	paidBy := -1
	for i, p := range payments {
		records[i] = recordOf(p)
		if o.PaidBy != nil && *o.PaidBy == p.ID {
			paidBy = i
		}
	}
	lost, err := lostOf(ctx, tx, o, payments)
	if err != nil {
		return o, nil, err
	}
	s := payment.Summarize(o.Total, payer(o, records, paidBy), records)

	o.ReceivedAmount, o.SurplusAmount = s.Received, s.Surplus
	standsIn := s.PaidBy >= 0 && o.PaidBy != nil && *o.PaidBy != payments[s.PaidBy].ID && o.DeliveredAt == nil
	if o.PaidBy == nil || standsIn || reversed || s.Refunded.Cmp(o.RefundedAmount) >= 0 {
		o.RefundStatus, o.RefundedAmount = s.RefundStatus, s.Refunded
	}
	o.DisputeStatus = s.DisputeStatus
	if s.PaidBy >= 0 {
		// What we hold beyond what the order still costs is the buyer's. What a bank
		// took back of its payment it doesn't cost any more.
		costs := o.Total.Sub(o.RefundedAmount).Sub(lost[s.PaidBy]).OrZero()
		o.SurplusAmount = held(records, lost).Sub(costs).OrZero()
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
	case o.CancelledAt != nil && held(records, lost).Sign() > 0:
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

// payer is the payment that pays the order: the one that was noted while it holds
// the price, else another that does; one that is disputed only if there is no other.
// Money decides, not what a provider calls a refund: which of two payments is given
// back is the merchant's choice. For licenses that have ended nothing stands in.
func payer(o db.Order, records []payment.Record, noted int) int {
	if noted >= 0 && o.FulfillmentStatus == store.DeliveryRevoked {
		return noted
	}
	holds := func(r payment.Record) bool {
		return r.Status == payment.Paid && r.Received.Sub(r.Refunded).Cmp(o.Total) >= 0
	}
	undisputed := func(r payment.Record) bool {
		return holds(r) && r.DisputeStatus != payment.DisputeOpen && r.DisputeStatus != payment.DisputeLost
	}
	for _, pays := range []func(payment.Record) bool{undisputed, holds} {
		if noted >= 0 && pays(records[noted]) {
			return noted
		}
		if i := slices.IndexFunc(records, pays); i >= 0 {
			return i
		}
	}
	return noted
}

// lostOf is what lost disputes have cost of each payment.
func lostOf(ctx context.Context, tx *store.Tx, o db.Order, payments []db.Payment) ([]payment.Amount, error) {
	lost := make([]payment.Amount, len(payments))
	isLost := func(p db.Payment) bool { return p.DisputeStatus == payment.DisputeLost }
	if !slices.ContainsFunc(payments, isLost) {
		return lost, nil // as nearly always
	}
	disputes, err := tx.ListDisputesOfOrder(ctx, &o.ID)
	if err != nil {
		return nil, err
	}
	for i, p := range payments {
		for _, d := range Keeping(p, disputes) {
			if d.Status == payment.DisputeLost {
				lost[i] = lost[i].Add(d.Amount)
			}
		}
	}
	return lost, nil
}

// held is what we have of the buyer's money, after refunds and lost disputes.
func held(records []payment.Record, lost []payment.Amount) (sum payment.Amount) {
	for i, r := range records {
		sum = sum.Add(r.Received.Sub(r.Refunded).Sub(lost[i]))
	}
	return sum
}

// PaidAfterCancellation is the review reason for money that arrives for an order
// that a person has cancelled.
const PaidAfterCancellation = "paid_after_cancellation"
