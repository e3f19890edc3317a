package checkout_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"onceshop/payment"
	"onceshop/problem"
	"onceshop/shoptest"
	"onceshop/store/db"
)

// replaying is a provider that answers a key as it did the first time, refusals included.
type replaying struct {
	*shoptest.Plain
	mu      sync.Mutex
	poor    bool
	before  func() // while a refund is being asked for; once
	lose    bool   // the answer gets lost
	answers map[string]error
	keys    []string
}

func (r *replaying) Refund(ctx context.Context, key, ref string, amount payment.Amount, reason string) error {
	r.mu.Lock()
	before := r.before
	r.before = nil
	r.mu.Unlock()
	if before != nil {
		before()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keys = append(r.keys, key)
	err, known := r.answers[key]
	if !known {
		if err = fmt.Errorf("%w: balance_insufficient", payment.ErrRefused); !r.poor {
			err = r.Plain.Refund(ctx, key, ref, amount, reason)
		}
		r.answers[key] = err
	}
	if r.lose {
		return payment.ErrLater
	}
	return err
}

func (r *replaying) set(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f()
}

func replayingShop(t *testing.T) (*shoptest.Shop, *replaying, db.Order, string) {
	t.Helper()
	r := &replaying{Plain: &shoptest.Plain{}, answers: map[string]error{}}
	s := shoptest.New(t, shoptest.Options{Others: map[string]any{shoptest.PlainName: r}})
	s.Product("plain", "Plain product", "10000", "EUR")
	order, ref := sold(t, s, r.Plain)
	return s, r, order, ref
}

func wantRefusal(t *testing.T, err error) {
	t.Helper()
	if !errors.Is(err, payment.ErrRefused) {
		t.Errorf("%v, want a refusal", err)
	}
}

func TestWhatWasRefusedIsAskedForAnewOnceItCanBeGivenBack(t *testing.T) {
	t.Parallel()
	s, r, order, _ := replayingShop(t)
	r.poor = true
	shoptest.Together(20, func(int) { wantRefusal(t, refund(s, order.ID, 98)) })
	wantRefusal(t, refund(s, order.ID, 98))
	r.poor = false // the merchant has topped up
	for _, want := range []string{"98", "196"} {
		if err := refund(s, order.ID, 98); err != nil {
			t.Error(err)
		}
		wantRefunded(t, s, order.ID, want)
	}
}

func TestTwentyPeopleWhoDecideWhatWasRefusedGiveItBackOnce(t *testing.T) {
	t.Parallel()
	s, r, order, _ := replayingShop(t)
	r.poor = true
	wantRefusal(t, refund(s, order.ID, 15000))
	r.poor = false
	shoptest.Together(20, func(int) { _ = refund(s, order.ID, 15000) })
	s.Settle()
	wantRefunded(t, s, order.ID, "15000")
	slices.Sort(r.keys)
	if keys := slices.Compact(r.keys); len(keys) != 2 {
		t.Errorf("asked under %q, want one key for what was refused and one for what was given back", keys)
	}
}

func TestARefusalSaysNothingOfAnotherRequestUnderItsKey(t *testing.T) {
	t.Parallel()
	s, r, order, ref := replayingShop(t)
	// One person's request is slow, and is carried out after another's was refused, who
	// hadn't got as far as the provider remembers.
	r.before = func() {
		r.set(func() { r.poor = true })
		wantRefusal(t, refund(s, order.ID, 98))
		r.set(func() { r.poor, r.answers, r.lose = false, map[string]error{}, true })
	}
	if err := refund(s, order.ID, 98); err == nil {
		t.Fatal("nobody noticed that the answer was lost")
	}
	r.lose = false
	if err := refund(s, order.ID, 98); err != nil {
		t.Error(err)
	}
	wantRefunded(t, s, order.ID, "98")

	// One whose answer was lost too, of which its failure was told.
	r.lose = true
	if err := refund(s, order.ID, 500); err == nil {
		t.Fatal("nobody noticed that the answer was lost")
	}
	r.lose = false
	change(s, r.Plain, ref, "failed", func(p *payment.Snapshot) {
		p.Refunded, p.Reversed = payment.NewAmount(98), payment.NewAmount(500)
		p.Refunds[1].Status = payment.RefundFailed
	})
	r.answers[r.keys[len(r.keys)-1]] = payment.ErrRefused
	wantRefusal(t, refund(s, order.ID, 500))
	if err := refund(s, order.ID, 500); err != nil {
		t.Error(err)
	}
	wantRefunded(t, s, order.ID, "598")
}

func TestWhatWasTakenIsNotForgottenWhenItIsRefusedLater(t *testing.T) {
	t.Parallel()
	s, l, order, ref := lossyShop(t)
	l.fetch = payment.ErrLater // it is told by webhook
	if err := refund(s, order.ID, 9800); err != nil {
		t.Fatal(err)
	}
	l.refund = payment.ErrRefused
	wantRefusal(t, refund(s, order.ID, 9800))
	wantAsked(t, returnable(t, s, order), "10200", true, "9800")
	l.refund = nil
	done, err := s.Shop.Refund(t.Context(), shoptest.RefundOf(order.ID, 9800))
	if err != nil || done.Since.IsZero() {
		t.Errorf("since %v, %v", done.Since, err)
	}
	if record, err := l.Plain.Fetch(t.Context(), ref); err != nil || record.Refunded.String() != "9800" {
		t.Errorf("the provider gave back %s, %v", record.Refunded, err)
	}
}

func TestWhatWasNeverAnsweredKeepsNoMoneyForEver(t *testing.T) {
	t.Parallel()
	s, r, order, _ := replayingShop(t)
	r.poor, r.lose = true, true
	if err := refund(s, order.ID, 15000); err == nil {
		t.Fatal("nobody noticed that the answer was lost")
	}
	r.lose = false
	for range 3 {
		wantRefusal(t, refund(s, order.ID, 15000))
	}
	err := refund(s, order.ID, 10000)
	wantRefusal(t, err)
	if !strings.Contains(err.Error(), "150.00 EUR were asked for at ") {
		t.Errorf("%v: doesn't say what may keep the money", err)
	}
	r.poor = false // the merchant has topped up
	if err := refund(s, order.ID, 10000); err != nil {
		t.Error(err)
	}
	wantRefunded(t, s, order.ID, "10000")
	if err := refund(s, order.ID, 10001); problem.KindOf(err) != problem.Invalid || !strings.Contains(err.Error(), "Only 100.00 EUR of this payment") {
		t.Error(err)
	}
}
