package checkout_test

import (
	"testing"

	"onceshop/checkout"
	"onceshop/payment"
	"onceshop/shoptest"
	"onceshop/store"
	"onceshop/store/db"
)

// snapshotOf is the platform's record of a payment as ApplyTx takes it.
func snapshotOf(ref string, revision int64, status payment.Status) payment.Snapshot {
	s := payment.Snapshot{Ref: ref, Revision: payment.NewAmount(revision), Status: status, RefundStatus: payment.NotRefunded,
		Amount: payment.NewAmount(50000), Currency: "USDC", Risk: payment.NotAssessed()}
	if status == payment.Paid {
		s.Received = s.Amount
	}
	return s
}

func apply(s *shoptest.Shop, snapshot payment.Snapshot) (out checkout.Outcome, err error) {
	err = s.DB.InTx(s.Context(), func(tx *store.Tx) (err error) {
		out, err = checkout.ApplyTx(s.Context(), tx, checkout.Application{
			Provider: "stablein", Snapshot: snapshot, Source: store.FromWebhook, Actor: "stablein"})
		return err
	})
	return out, err
}

// TestABookingWaitsForTheOrdersLock holds the order in another transaction: ApplyTx
// has to stand in the server's queue behind it, and to see what that one wrote.
func TestABookingWaitsForTheOrdersLock(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	order, ref := s.Buy(1)
	done := make(chan error, 1)
	err := s.DB.InTx(t.Context(), func(tx *store.Tx) error {
		row, err := tx.LockOrder(t.Context(), order.ID)
		if err != nil {
			return err
		}
		go func() {
			_, err := apply(s, snapshotOf(ref, 2, payment.Paid))
			done <- err
		}()
		const waits = "SELECT COUNT(*) FROM information_schema.processlist WHERE db = DATABASE() AND info LIKE '%FOR UPDATE%' AND info NOT LIKE '%processlist%'"
		// The list may hold other sessions' statements with bytes that it can't show, and
		// fails then; the next look finds others.
		waiting := func() bool {
			var n int
			err := s.DB.Pool().QueryRowContext(t.Context(), waits).Scan(&n)
			return err == nil && n > 0
		}
		for !waiting() {
			select {
			case err := <-done:
				t.Fatalf("the booking didn't wait for the order's lock: %v", err)
			case <-t.Context().Done():
				return t.Context().Err()
			default:
			}
		}
		after := row.Order
		after.CancelledAt, after.PaymentStatus = &row.DbNow, payment.Cancelled
		_, err = tx.SaveOrder(t.Context(), row.Order, after, store.Entry{Kind: "cancelled", Source: store.FromStaff, Actor: "anna"})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if o := s.Order(order.ID); store.Deref(o.ReviewReason) != checkout.PaidAfterCancellation || o.Revision != 3 {
		t.Errorf("review %q at revision %d: the booking didn't see the cancellation", store.Deref(o.ReviewReason), o.Revision)
	}
}

// TestWritesBehindTheirFenceTouchNothing goes around the rules and tries the
// statements themselves.
func TestWritesBehindTheirFenceTouchNothing(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	order, ref := s.Buy(1)
	if _, err := apply(s, snapshotOf(ref, 5, payment.Confirming)); err != nil {
		t.Fatal(err)
	}
	provider := "stablein"
	p, err := s.DB.FindPayment(t.Context(), provider, &ref)
	if err != nil {
		t.Fatal(err)
	}
	write := func(rowVersion uint64, revision int64) int64 {
		n, err := s.DB.UpdatePayment(t.Context(), db.UpdatePaymentParams{
			ProviderRef: &ref, Status: payment.Pending, RefundStatus: payment.NotRefunded, DisputeStatus: payment.NotDisputed, ID: p.ID,
			RowVersion: rowVersion, ProviderRevision: payment.NewAmount(revision),
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if n := write(p.RowVersion-1, 6); n != 0 {
		t.Error("a write with an old row version was taken")
	}
	if n := write(p.RowVersion, 4); n != 0 {
		t.Error("a write with a lower provider revision was taken")
	}
	if n := write(p.RowVersion, 6); n != 1 {
		t.Error("the write at the fence was refused")
	}
	o := s.Order(order.ID)
	err = s.DB.InTx(t.Context(), func(tx *store.Tx) error {
		before, after := o, o
		before.Revision--
		after.RefundStatus = payment.FullyRefunded
		_, err := tx.SaveOrder(t.Context(), before, after, store.Entry{Kind: "test", Source: store.FromStaff})
		return err
	})
	if err == nil {
		t.Error("an order was saved over an old revision")
	}
}

func TestTheEventsWordIsNotTakenForTheRecord(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	order, ref := s.Buy(1)
	s.Platform.Set(shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "confirming"})
	lying := shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "paid"}
	s.Deliver(shoptest.Event{Type: "payment.paid", Order: lying})
	s.Settle()
	if o := s.Order(order.ID); o.PaymentStatus != payment.Confirming || len(s.Licenses(order.ID)) != 0 {
		t.Errorf("%s, %d licenses: the event was believed", o.PaymentStatus, len(s.Licenses(order.ID)))
	}
}
