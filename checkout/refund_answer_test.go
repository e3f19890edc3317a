package checkout_test

import (
	"context"
	"fmt"
	"testing"

	"onceshop/payment"
	"onceshop/shoptest"
	"onceshop/store/db"
)

// lossy is a provider whose answers fail as the test says, whatever it did.
type lossy struct {
	*shoptest.Plain
	refund, fetch error
}

func (l *lossy) Refund(ctx context.Context, key, ref string, amount payment.Amount, reason string) error {
	if err := l.Plain.Refund(ctx, key, ref, amount, reason); err != nil {
		return err
	}
	return l.refund
}

func (l *lossy) Fetch(ctx context.Context, ref string) (payment.Snapshot, error) {
	if l.fetch != nil {
		return payment.Snapshot{}, l.fetch
	}
	return l.Plain.Fetch(ctx, ref)
}

func lossyShop(t *testing.T) (*shoptest.Shop, *lossy, db.Order, string) {
	t.Helper()
	l := &lossy{Plain: &shoptest.Plain{}}
	s := shoptest.New(t, shoptest.Options{Others: map[string]any{shoptest.PlainName: l}})
	s.Product("plain", "Plain product", "10000", "EUR")
	order, ref := sold(t, s, l.Plain)
	return s, l, order, ref
}

func wantRefunded(t *testing.T, s *shoptest.Shop, id, amount string) {
	t.Helper()
	if o := s.Order(id); o.RefundedAmount.String() != amount {
		t.Errorf("refunded %s, want %s", o.RefundedAmount, amount)
	}
}

func TestARefundWhoseAnswerWasLostIsTheSameOneAlsoAfterItWasTold(t *testing.T) {
	t.Parallel()
	s, l, order, ref := lossyShop(t)
	l.refund = fmt.Errorf("%w: timed out", payment.ErrLater)
	if err := refund(s, order.ID, 98); err == nil {
		t.Fatal("nobody noticed that the answer was lost")
	}
	change(s, l.Plain, ref, "told meanwhile", func(*payment.Snapshot) {})
	wantRefunded(t, s, order.ID, "98")

	// What the provider says of our key doesn't tell what became of the refund.
	l.refund = payment.ErrUnauthorised
	if err := refund(s, order.ID, 98); err == nil {
		t.Error("nobody noticed that we were refused")
	}
	l.refund = nil
	for _, want := range []string{"98", "196", "294"} {
		if err := refund(s, order.ID, 98); err != nil {
			t.Fatal(err)
		}
		wantRefunded(t, s, order.ID, want)
	}
}

func TestAnotherAmountIsAnotherRefundWhateverIsUnanswered(t *testing.T) {
	t.Parallel()
	s, l, order, _ := lossyShop(t)
	l.refund = payment.ErrLater
	if err := refund(s, order.ID, 98); err == nil {
		t.Fatal("nobody noticed that the answer was lost")
	}
	l.refund = nil
	for _, amount := range []int64{50, 98} {
		if err := refund(s, order.ID, amount); err != nil {
			t.Fatal(err)
		}
	}
	wantRefunded(t, s, order.ID, "148")
}

func TestARefundThatWasTakenIsNoFailureWhenItCannotBeReadBack(t *testing.T) {
	t.Parallel()
	s, l, order, ref := lossyShop(t)
	l.fetch = payment.ErrUnauthorised
	if err := refund(s, order.ID, 98); err != nil {
		t.Errorf("who is told that it failed decides it once more: %v", err)
	}
	l.fetch = nil
	change(s, l.Plain, ref, "told", func(*payment.Snapshot) {})
	wantRefunded(t, s, order.ID, "98")
}
