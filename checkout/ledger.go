package checkout

import (
	"context"
	"slices"

	"onceshop/internal/ellipsis"
	"onceshop/payment"
	"onceshop/store"
	"onceshop/store/db"
)

// readRecord is what is recorded of a payment, with its single refunds and disputes
// where the snapshot tells of some: most payments have none.
func readRecord(ctx context.Context, tx *store.Tx, p db.Payment, s payment.Snapshot) (payment.Record, error) {
	r := recordOf(p)
	if len(s.Refunds) > 0 {
		refunds, err := tx.ListRefundsOfPayment(ctx, p.ID)
		if err != nil {
			return r, err
		}
		for _, f := range refunds {
			r.Refunds = append(r.Refunds, payment.Refund{Ref: f.ProviderRef, Amount: f.Amount, Status: f.Status})
		}
	}
	if len(s.Disputes) > 0 {
		disputes, err := tx.ListDisputesOfPayment(ctx, p.ID)
		if err != nil {
			return r, err
		}
		for _, d := range disputes {
			r.Disputes = append(r.Disputes, payment.Dispute{Ref: d.ProviderRef, Amount: d.Amount, Reason: d.Reason, Status: d.Status})
		}
	}
	return r, nil
}

// saveLedger writes the single refunds and disputes that a snapshot tells of, each
// under its own reference, where they are new or stand differently than known.
func saveLedger(ctx context.Context, tx *store.Tx, p db.Payment, s payment.Snapshot, known payment.Record) error {
	for _, f := range s.Moved() {
		if slices.ContainsFunc(known.Refunds, func(k payment.Refund) bool {
			return k.Ref == f.Ref && k.Status == f.Status && k.Amount.Equal(f.Amount)
		}) {
			continue
		}
		err := tx.SaveRefund(ctx, db.SaveRefundParams{
			Provider: p.Provider, ProviderRef: f.Ref, PaymentID: p.ID, Amount: f.Amount, Status: f.Status,
		})
		if err != nil {
			return err
		}
	}
	for _, d := range s.Disputes {
		d.Reason = ellipsis.Shorten(d.Reason, 100)
		if slices.ContainsFunc(known.Disputes, func(k payment.Dispute) bool {
			return k.Ref == d.Ref && k.Status == d.Status && k.Reason == d.Reason && k.Amount.Equal(d.Amount)
		}) {
			continue
		}
		err := tx.SaveDispute(ctx, db.SaveDisputeParams{
			Provider: p.Provider, ProviderRef: d.Ref, PaymentID: p.ID, Amount: d.Amount, Reason: d.Reason, Status: d.Status,
		})
		if err != nil {
			return err
		}
	}
	return nil
}
