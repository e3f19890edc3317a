package checkout

import (
	"context"
	"fmt"
	"strconv"

	"onceshop/payment"
	"onceshop/store"
	"onceshop/store/db"
)

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
	older := p.RefusedRevision != nil && s.Revision.Cmp(*p.RefusedRevision) < 0
	switch {
	case older:
		// An outdated read says nothing about what was refused after it.
		return p.ReviewReason, p.RefusedRevision
	case d.Verdict != payment.NeedsReview:
		return nil, nil
	case p.ReviewedRevision != nil && s.Revision.Sign() > 0 && s.Revision.Cmp(*p.ReviewedRevision) <= 0:
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
func kindOf(before, after db.Order, v payment.Verdict) string {
	switch {
	case v == payment.NeedsReview, store.Deref(before.ReviewReason) != store.Deref(after.ReviewReason) && after.ReviewReason != nil:
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
