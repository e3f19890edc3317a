package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"onceshop/payment"
	"onceshop/store/db"
)

// Entry is one row of an order's history: what happened, through whom, caused by
// what. Changes holds facts beside the order's own columns, such as issued
// licenses; the columns' changes are found by SaveOrder.
type Entry struct {
	Kind             string
	Source           Source
	Actor            string
	EventSeq         *uint64
	ProviderRevision *payment.Amount
	Changes          []payment.Change
}

// Source is where a change came from.
type Source string

// The sources of changes.
const (
	FromCheckout    Source = "checkout"
	FromWebhook     Source = "webhook"
	FromReconcile   Source = "reconcile"
	FromFulfillment Source = "fulfillment"
	FromStaff       Source = "staff"
	FromTimer       Source = "timer"
)

// SaveOrder writes the order that the caller has locked as before and changed to
// after, and the history row of the change, under the next revision (promises 6
// and 12). It is the only way to change an order.
func (tx *Tx) SaveOrder(ctx context.Context, before, after db.Order, e Entry) (db.Order, error) {
	rows, err := tx.UpdateOrder(ctx, db.UpdateOrderParams{
		PaymentStatus: after.PaymentStatus, RefundStatus: after.RefundStatus, DisputeStatus: after.DisputeStatus,
		FulfillmentStatus: after.FulfillmentStatus, ReviewReason: after.ReviewReason,
		ReceivedAmount: after.ReceivedAmount, RefundedAmount: after.RefundedAmount,
		SurplusAmount: after.SurplusAmount, PaidBy: after.PaidBy,
		FulfillmentDecision: after.FulfillmentDecision, ServiceStatus: after.ServiceStatus,
		ChainEnforcement: after.ChainEnforcement, RiskAssessedAt: after.RiskAssessedAt,
		RiskValidUntil: after.RiskValidUntil, PaidAt: after.PaidAt, DeliveredAt: after.DeliveredAt,
		CancelledAt: after.CancelledAt, MailRefusedAt: after.MailRefusedAt, ExpiresAt: after.ExpiresAt,
		ID: before.ID, Revision: before.Revision,
	})
	if err != nil {
		return before, err
	}
	if rows != 1 {
		return before, fmt.Errorf("order %s is no longer at revision %d; was it changed without its lock?", before.ID, before.Revision)
	}
	after.Revision = before.Revision + 1
	e.Changes = append(OrderChanges(before, after), e.Changes...)
	return after, tx.AppendRevision(ctx, after.ID, after.Revision, e)
}

// AppendRevision writes one history row; SaveOrder calls it, and so does the
// order's creation, which is revision 1.
func (tx *Tx) AppendRevision(ctx context.Context, orderID string, revision uint64, e Entry) error {
	changes, err := json.Marshal(e.Changes)
	if err != nil {
		return err
	}
	return tx.InsertOrderRevision(ctx, db.InsertOrderRevisionParams{
		OrderID: orderID, Revision: revision, Kind: e.Kind, Source: string(e.Source), Actor: e.Actor,
		EventSeq: e.EventSeq, ProviderRevision: e.ProviderRevision, Changes: changes,
	})
}

// OrderChanges lists the columns in which two states of an order differ.
func OrderChanges(before, after db.Order) []payment.Change {
	pairs := []payment.Change{
		{Field: "payment_status", Before: string(before.PaymentStatus), After: string(after.PaymentStatus)},
		{Field: "refund_status", Before: string(before.RefundStatus), After: string(after.RefundStatus)},
		{Field: "dispute_status", Before: string(before.DisputeStatus), After: string(after.DisputeStatus)},
		{Field: "received_amount", Before: before.ReceivedAmount.String(), After: after.ReceivedAmount.String()},
		{Field: "refunded_amount", Before: before.RefundedAmount.String(), After: after.RefundedAmount.String()},
		{Field: "surplus_amount", Before: before.SurplusAmount.String(), After: after.SurplusAmount.String()},
		{Field: "fulfillment_status", Before: before.FulfillmentStatus, After: after.FulfillmentStatus},
		{Field: "review_reason", Before: Deref(before.ReviewReason), After: Deref(after.ReviewReason)},
		{Field: "fulfillment_decision", Before: before.FulfillmentDecision, After: after.FulfillmentDecision},
		{Field: "service_status", Before: before.ServiceStatus, After: after.ServiceStatus},
		{Field: "chain_enforcement", Before: before.ChainEnforcement, After: after.ChainEnforcement},
		{Field: "risk_assessed_at", Before: stamp(before.RiskAssessedAt), After: stamp(after.RiskAssessedAt)},
		{Field: "risk_valid_until", Before: stamp(before.RiskValidUntil), After: stamp(after.RiskValidUntil)},
		{Field: "cancelled_at", Before: stamp(before.CancelledAt), After: stamp(after.CancelledAt)},
		{Field: "mail_refused_at", Before: stamp(before.MailRefusedAt), After: stamp(after.MailRefusedAt)},
		{Field: "expires_at", Before: stamp(&before.ExpiresAt), After: stamp(&after.ExpiresAt)},
	}
	changes := []payment.Change{}
	for _, p := range pairs {
		if p.Before != p.After && !(p.Before == "" && p.After == payment.Unassessed) { // no assessment is no news
			changes = append(changes, p)
		}
	}
	return changes
}

// Deref returns *s, or "" for nil.
func Deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func stamp(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}
