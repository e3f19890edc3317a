package checkout_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"onceshop/checkout"
	"onceshop/payment"
	"onceshop/problem"
	"onceshop/shoptest"
	"onceshop/store/db"
)

// counter is a provider that takes a key with what it first came with only, and keeps a
// page for each.
type counter struct {
	shoptest.Plain
	mu    sync.Mutex
	lose  bool // the answers get lost
	spent bool // every key had another request
	asked map[string]payment.Creation
}

func (c *counter) Create(ctx context.Context, q payment.Creation) (payment.Created, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if q.ExpiresAt.Before(time.Now()) {
		return payment.Created{}, fmt.Errorf("%w: expires_at must be in the future", payment.ErrRefused)
	}
	first, known := c.asked[q.IdempotencyKey]
	if c.spent || known && fmt.Sprint(first) != fmt.Sprint(q) {
		return payment.Created{}, fmt.Errorf("%w, %w", payment.ErrLater, payment.ErrKeyUsed)
	}
	c.asked[q.IdempotencyKey] = q
	created, err := c.Plain.Create(ctx, q)
	if c.lose {
		return payment.Created{}, payment.ErrLater
	}
	return created, err
}

// lostPage is an order whose provider's answer got lost.
func lostPage(t *testing.T) (*shoptest.Shop, *counter, db.Order) {
	t.Helper()
	c := &counter{asked: map[string]payment.Creation{}, lose: true}
	s := shoptest.New(t, shoptest.Options{Others: map[string]any{shoptest.PlainName: c}})
	s.Product("product", "Product", "50000", "USDC")
	token, err := s.Shop.AddToCart(t.Context(), "", "product", 1)
	if err != nil {
		t.Fatal(err)
	}
	started, err := s.Shop.Begin(t.Context(), token, shoptest.Buyer, shoptest.PlainName)
	if problem.KindOf(err) != problem.Unavailable {
		t.Fatalf("the answer got lost: %v", err)
	}
	c.lose = false
	return s, c, started.Order
}

func wantPage(t *testing.T, started checkout.Started, err error, attempt string) {
	t.Helper()
	if want := "https://plain.test/plain-" + started.Order.ID + attempt; err != nil || started.PayURL != want {
		t.Errorf("led to %q, %v; want %s", started.PayURL, err, want)
	}
}

func TestAPageWhoseAnswerGotLostIsAskedForAgain(t *testing.T) {
	t.Parallel()
	s, c, order := lostPage(t)
	started, err := s.Shop.PayAgain(t.Context(), order.ID, shoptest.PlainName)
	wantPage(t, started, err, "")
	if len(c.asked) != 1 {
		t.Errorf("asked under %d keys", len(c.asked))
	}
}

func TestWhoComesBackToAProviderWhoseAnswerGotLostGetsItsPage(t *testing.T) {
	t.Parallel()
	s, c, order := lostPage(t)
	c.lose = true
	for range 3 {
		if _, err := s.Shop.PayAgain(t.Context(), order.ID, "stablein"); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Shop.PayAgain(t.Context(), order.ID, shoptest.PlainName); problem.KindOf(err) != problem.Unavailable {
			t.Errorf("the answer got lost: %v", err)
		}
	}
	c.lose = false
	started, err := s.Shop.PayAgain(t.Context(), order.ID, shoptest.PlainName)
	wantPage(t, started, err, "")
	if n := s.Count("SELECT COUNT(*) FROM shop_payments"); n != 2 || len(c.asked) != 1 {
		t.Errorf("%d payments, one of them asked for under %d keys; want 2 and one", n, len(c.asked))
	}
}

func TestAPaymentWhoseTimeIsOverBeforeItHasAPageGivesWayToANewOne(t *testing.T) {
	t.Parallel()
	s, c, order := lostPage(t)
	s.Exec("UPDATE shop_payments SET created_at = created_at - INTERVAL 1 DAY")
	for range 2 {
		started, err := s.Shop.PayAgain(t.Context(), order.ID, shoptest.PlainName)
		wantPage(t, started, err, "/2")
	}
	if end := s.Order(order.ID).ExpiresAt; c.asked["pay:"+order.ID+":2"].ExpiresAt.Sub(end).Abs() > time.Minute {
		t.Errorf("the page ends at %v, the order's time at %v", c.asked["pay:"+order.ID+":2"].ExpiresAt, end)
	}
	change(s, &c.Plain, "plain-"+order.ID+"/2", "paid", shoptest.Paid)
	if o := s.Order(order.ID); o.PaymentStatus != payment.Paid || len(s.Licenses(order.ID)) != 1 {
		t.Errorf("%s, %d licenses", o.PaymentStatus, len(s.Licenses(order.ID)))
	}
}

func TestAKeyThatHadAnotherRequestIsLeftForOneNewPayment(t *testing.T) {
	t.Parallel()
	s, _, order := lostPage(t)
	s.Shop.BaseURL = "https://moved.example" // which is in the request
	shoptest.Together(5, func(int) {
		started, err := s.Shop.PayAgain(t.Context(), order.ID, shoptest.PlainName)
		wantPage(t, started, err, "/2")
	})
	if n := s.Count("SELECT COUNT(*) FROM shop_payments"); n != 2 {
		t.Errorf("%d payments, want 2", n)
	}
}

func TestAProviderThatTakesNoKeyIsAskedTwice(t *testing.T) {
	t.Parallel()
	s, c, order := lostPage(t)
	c.spent = true
	if _, err := s.Shop.PayAgain(t.Context(), order.ID, shoptest.PlainName); problem.KindOf(err) != problem.Unavailable {
		t.Error(err)
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_payments"); n != 2 {
		t.Errorf("%d payments, want 2", n)
	}
	c.spent = false
	started, err := s.Shop.PayAgain(t.Context(), order.ID, shoptest.PlainName)
	wantPage(t, started, err, "/2")
}

func TestNothingIsBegunAnewWhileAPartHasArrived(t *testing.T) {
	t.Parallel()
	s, c, order := lostPage(t)
	change(s, &c.Plain, "plain-"+order.ID, "a part", func(p *payment.Snapshot) {
		p.OrderRef, p.Received = order.ID, payment.NewAmount(20000)
	})
	c.spent = true
	if _, err := s.Shop.PayAgain(t.Context(), order.ID, shoptest.PlainName); problem.KindOf(err) != problem.Unavailable {
		t.Error(err)
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_payments"); n != 1 {
		t.Errorf("%d payments, want 1", n)
	}
}
