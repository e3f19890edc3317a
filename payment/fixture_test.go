package payment_test

import (
	"testing"
	"time"

	"onceshop/payment"
)

// asked is a payment we have created and heard nothing of.
func asked() payment.Record {
	return payment.Record{
		Ref: "pay_1", Status: payment.Pending, RefundStatus: payment.NotRefunded,
		Amount: payment.NewAmount(50000), Currency: "USDC",
	}
}

// report is a snapshot of that payment as the edits make it.
func report(revision int64, status payment.Status, edits ...func(*payment.Snapshot)) payment.Snapshot {
	s := payment.Snapshot{
		Ref: "pay_1", Revision: payment.NewAmount(revision), Status: status, RefundStatus: payment.NotRefunded,
		Amount: payment.NewAmount(50000), Currency: "USDC", Risk: allowing,
	}
	if status == payment.Paid {
		s.Received = s.Amount
	}
	for _, edit := range edits {
		edit(&s)
	}
	return s
}

type edit = func(*payment.Snapshot)

func received(n int64) edit {
	return func(s *payment.Snapshot) { s.Received = payment.NewAmount(n) }
}

func refunded(status payment.RefundStatus, n int64) edit {
	return func(s *payment.Snapshot) { s.RefundStatus, s.Refunded = status, payment.NewAmount(n) }
}

func asking(n int64, currency string) edit {
	return func(s *payment.Snapshot) { s.Amount, s.Currency = payment.NewAmount(n), currency }
}

func confirmations(n int) edit {
	return func(s *payment.Snapshot) { s.Confirmations = n }
}

func decided(word string, assessed time.Time) edit {
	return func(s *payment.Snapshot) { s.Risk.Decision, s.Risk.AssessedAt = word, &assessed }
}

// h is what came before.
func h(snapshots ...payment.Snapshot) []payment.Snapshot { return snapshots }

// after applies snapshots that must all be applied.
func after(t testing.TB, snapshots ...payment.Snapshot) payment.Record {
	t.Helper()
	r := asked()
	for _, s := range snapshots {
		d := payment.Next(r, s)
		if d.Verdict != payment.Applied {
			t.Fatalf("revision %s: %s %s", s.Revision, d.Verdict, d.Reason)
		}
		r = d.Record
	}
	return r
}

// allowing is an assessment that allows a delivery.
var allowing = payment.Risk{Decision: payment.DecisionAllow, ServiceStatus: payment.ServiceEnabled, ChainEnforcement: payment.ChainAllowed}
