package checkout

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"onceshop/payment"
	"onceshop/store"
	"onceshop/store/db"
)

func savePayment(ctx context.Context, tx *store.Tx, p db.Payment) error {
	rows, err := tx.UpdatePayment(ctx, db.UpdatePaymentParams{
		ProviderRef: p.ProviderRef, Status: p.Status, RefundStatus: p.RefundStatus, DisputeStatus: p.DisputeStatus,
		Received: p.Received, Refunded: p.Refunded, Reversed: p.Reversed, TakenBack: p.TakenBack,
		Confirmations: p.Confirmations, ReviewReason: p.ReviewReason, RefusedRevision: p.RefusedRevision,
		RefusedDigest: p.RefusedDigest, ReviewedDigest: p.ReviewedDigest,
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
		DisputeStatus: p.DisputeStatus, Amount: p.Amount, Received: p.Received, Refunded: p.Refunded, Reversed: p.Reversed,
		TakenBack: p.TakenBack, Currency: p.Currency, Confirmations: p.Confirmations,
		Risk: payment.Risk{Decision: p.FulfillmentDecision, ServiceStatus: p.ServiceStatus, ChainEnforcement: p.ChainEnforcement,
			AssessedAt: p.RiskAssessedAt, ValidUntil: p.RiskValidUntil},
	}
}

func withRecord(p db.Payment, r payment.Record) db.Payment {
	p.ProviderRevision, p.Status, p.RefundStatus = r.Revision, r.Status, r.RefundStatus
	p.DisputeStatus, p.Reversed, p.TakenBack = r.DisputeStatus, r.Reversed, r.TakenBack
	p.Received, p.Refunded, p.Confirmations = r.Received, r.Refunded, r.Confirmations
	p.FulfillmentDecision, p.ServiceStatus, p.ChainEnforcement = r.Risk.Decision, r.Risk.ServiceStatus, r.Risk.ChainEnforcement
	p.RiskAssessedAt, p.RiskValidUntil = r.Risk.AssessedAt, r.Risk.ValidUntil
	return p
}

// review returns the payment with why a person has to look at it now, and which
// snapshot was refused. What a person has looked at isn't asked again.
func review(p db.Payment, d payment.Decision, s payment.Snapshot) db.Payment {
	digest := s.Digest()
	switch {
	case p.RefusedRevision != nil && s.Revision.Cmp(*p.RefusedRevision) < 0:
		// An outdated read says nothing about what was refused after it.
	case d.Verdict != payment.NeedsReview:
		p.ReviewReason, p.RefusedRevision, p.RefusedDigest = nil, nil, nil
	case slices.Equal(p.ReviewedDigest, digest[:]):
		p.ReviewReason = nil
	default:
		p.ReviewReason, p.RefusedRevision, p.RefusedDigest = &d.Reason, &s.Revision, digest[:]
	}
	return p
}

// beside picks what the history has to tell beside the order's own columns: what
// was refused, the confirmations, and where no column moved all that changed of
// the payment.
func beside(columns []payment.Change, d payment.Decision, p db.Payment) []payment.Change {
	picked := d.Refused
	if len(columns) == 0 && len(d.Changes) > 0 && p.Attempt != nil {
		picked = append(picked, payment.Change{Field: "attempt", After: strconv.Itoa(*p.Attempt)})
	}
	for _, c := range d.Changes {
		if len(columns) == 0 && c.After != payment.Unassessed || c.Field == "confirmations" {
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
	case before.DisputeStatus != after.DisputeStatus:
		return "dispute_" + string(after.DisputeStatus)
	case after.RefundedAmount.Cmp(before.RefundedAmount) < 0:
		return "refund_reversed"
	case before.RefundStatus != after.RefundStatus, !before.RefundedAmount.Equal(after.RefundedAmount):
		return "refunded"
	case !before.SurplusAmount.Equal(after.SurplusAmount):
		return "surplus"
	case !before.ReceivedAmount.Equal(after.ReceivedAmount):
		return "received"
	case payment.Assessed(before.FulfillmentDecision) != payment.Assessed(after.FulfillmentDecision), payment.Assessed(before.ServiceStatus) != payment.Assessed(after.ServiceStatus),
		payment.Assessed(before.ChainEnforcement) != payment.Assessed(after.ChainEnforcement), before.FulfillmentStatus != after.FulfillmentStatus:
		return "risk"
	}
	return "payment"
}
