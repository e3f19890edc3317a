package payment_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"onceshop/payment"
)

func TestChangesAreNamedInOneOrder(t *testing.T) {
	t.Parallel()
	until := time.Date(2026, 1, 2, 3, 4, 5, 0, time.FixedZone("", 3600))
	d := payment.Next(asked(), report(7, payment.Paid, refunded(payment.PartiallyRefunded, 20000), confirmations(3),
		func(s *payment.Snapshot) { s.Risk.ValidUntil = &until }))
	want := []payment.Change{
		{"payment_status", "pending", "paid"},
		{"refund_status", "none", "partial"},
		{"refunded", "0", "20000"},
		{"received", "0", "50000"},
		{"provider_revision", "0", "7"},
		{"confirmations", "0", "3"},
		{"fulfillment_decision", "", "allow"},
		{"service_status", "", "enabled"},
		{"chain_enforcement", "", "allowed"},
		{"risk_valid_until", "", "2026-01-02T02:04:05Z"},
	}
	if diff := cmp.Diff(want, d.Changes); diff != "" {
		t.Error(diff)
	}
	if d.Refused != nil {
		t.Errorf("applied and refused: %v", d.Refused)
	}
}

func TestARevisionAloneIsAChange(t *testing.T) {
	t.Parallel()
	d := payment.Next(after(t, report(2, payment.Paid)), report(5, payment.Paid))
	if diff := cmp.Diff([]payment.Change{{"provider_revision", "2", "5"}}, d.Changes); diff != "" {
		t.Error(diff)
	}
}

func TestWhatIsRefusedStaysVisible(t *testing.T) {
	t.Parallel()
	d := payment.Next(asked(), report(2, payment.Paid, asking(10, "USDT"), received(10)))
	want := []payment.Change{
		{"amount", "50000", "10"},
		{"currency", "USDC", "USDT"},
		{"payment_status", "pending", "paid"},
		{"received", "0", "10"},
		{"provider_revision", "0", "2"},
		{"fulfillment_decision", "", "allow"},
		{"service_status", "", "enabled"},
		{"chain_enforcement", "", "allowed"},
	}
	if diff := cmp.Diff(want, d.Refused); diff != "" {
		t.Error(diff)
	}
	if d.Changes != nil {
		t.Errorf("refused and applied: %v", d.Changes)
	}
}

func TestAnotherPaymentsReferenceStaysVisible(t *testing.T) {
	t.Parallel()
	d := payment.Next(after(t, report(1, payment.Paid)), report(1, payment.Paid, func(s *payment.Snapshot) { s.Ref = "pay_2" }))
	if diff := cmp.Diff([]payment.Change{{"provider_ref", "pay_1", "pay_2"}}, d.Refused); diff != "" {
		t.Error(diff)
	}
}

func TestAPaymentNamedByARefusedSnapshotStaysVisible(t *testing.T) {
	t.Parallel()
	r := payment.Record{Amount: payment.NewAmount(50000), Currency: "USDC", Risk: allowing}
	d := payment.Next(r, report(0, payment.Pending, asking(1, "USDC")))
	want := []payment.Change{{"provider_ref", "", "pay_1"}, {"amount", "50000", "1"}}
	if diff := cmp.Diff(want, d.Refused); diff != "" {
		t.Error(diff)
	}
}

func TestARecordWithoutAReferenceTakesTheSnapshots(t *testing.T) {
	t.Parallel()
	d := payment.Next(payment.Record{Amount: payment.NewAmount(50000), Currency: "USDC"}, report(1, payment.Pending))
	if d.Verdict != payment.Applied || d.Record.Ref != "pay_1" || d.Record.Status != payment.Pending || d.Record.RefundStatus != payment.NotRefunded {
		t.Errorf("got %s %+v", d.Verdict, d.Record)
	}
}
