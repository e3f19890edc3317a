package checkout_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"onceshop/payment"
	"onceshop/problem"
	"onceshop/shoptest"
)

// strict is a provider that takes a key with the words it first came with only.
type strict struct {
	lossy
	words map[string]string // key -> reason
}

func (s *strict) Refund(ctx context.Context, key, ref string, amount payment.Amount, reason string) error {
	if first, known := s.words[key]; known && first != reason {
		return fmt.Errorf("%w, %w: not with %q", payment.ErrLater, payment.ErrKeyUsed, reason)
	}
	s.words[key] = reason
	return s.lossy.Refund(ctx, key, ref, amount, reason)
}

func TestARefundWhoseAnswerWasLostGoesOnWithItsFirstReason(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a very long story, ", 20)
	for first, second := range map[string]string{"broken": "broken key", "": "broken", "duplicate": "", long: long + "with an end", "canary \xff": "canary"} {
		provider := &strict{lossy: lossy{Plain: &shoptest.Plain{}}, words: map[string]string{}}
		s := shoptest.New(t, shoptest.Options{Others: map[string]any{shoptest.PlainName: provider}})
		s.Product("plain", "Plain product", "10000", "EUR")
		order, ref := sold(t, s, provider.Plain)
		decide := func(reason string) error {
			r := shoptest.RefundOf(order.ID, 98)
			r.Reason = reason
			_, err := s.Shop.Refund(t.Context(), r)
			return err
		}
		provider.refund = payment.ErrLater
		if err := decide(first); err == nil {
			t.Fatal("nobody noticed that the answer was lost")
		}
		provider.refund = nil
		if err := decide(second); err != nil {
			t.Errorf("%q, then %q: %v", first, second, err)
		}
		change(s, provider.Plain, ref, "told", func(*payment.Snapshot) {})
		wantRefunded(t, s, order.ID, "98")
		if len(provider.words) != 1 {
			t.Errorf("%q, then %q: went out as %q", first, second, provider.words)
		}

		// It is known now: the next one is another, and has a reason of its own.
		if err := decide("another"); err != nil {
			t.Error(err)
		}
		wantRefunded(t, s, order.ID, "196")
	}
}

func TestAKeyThatHadAnotherRequestIsNotWrittenDownAsARefusal(t *testing.T) {
	t.Parallel()
	s, l, order, _ := lossyShop(t)
	l.refund = fmt.Errorf("%w, %w", payment.ErrLater, payment.ErrKeyUsed)
	err := refund(s, order.ID, 98)
	if problem.KindOf(err) != problem.Unavailable || !errors.Is(err, payment.ErrKeyUsed) || !strings.Contains(err.Error(), "another request under the key") {
		t.Error(err)
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_order_revisions WHERE kind = 'refund_refused'"); n != 0 {
		t.Errorf("%d refusals are written down", n)
	}
	l.refund = nil
	if err := refund(s, order.ID, 98); err != nil {
		t.Error(err)
	}
	wantRefunded(t, s, order.ID, "98")
}
