package crashtest_test

import (
	"context"
	"testing"

	"onceshop/checkout"
	"onceshop/payment"
	"onceshop/providers/stablein"
	"onceshop/shoptest"
	"onceshop/store"
)

// afterwards calls the provider, and then lets something happen before its answer
// reaches the shop.
type afterwards struct {
	payment.Creator
	happen func(payment.Created)
}

func (a afterwards) Create(ctx context.Context, c payment.Creation) (payment.Created, error) {
	created, err := a.Creator.Create(ctx, c)
	if err == nil {
		a.happen(created)
	}
	return created, err
}

func TestThePlatformsLateAnswerDoesNotOverwriteWhatItsEventSaid(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	s.Product("product", "Product", "50000", "USDC")
	token, err := s.Shop.AddToCart(t.Context(), "", "product", 1)
	if err != nil {
		t.Fatal(err)
	}
	// The buyer's other device pays before the answer is back.
	s.Shop.Providers[stablein.Name] = afterwards{s.Adapter, func(c payment.Created) {
		paid := s.Platform.Order(c.Ref)
		paid.Revision, paid.PaymentStatus = "2", "paid"
		report(s, "payment.paid", paid)
	}}

	started, err := s.Shop.Begin(t.Context(), token, shoptest.Buyer, "")
	if err != nil || started.PayURL == "" {
		t.Fatalf("the buyer is sent to %q: %v", started.PayURL, err)
	}
	sold(s, started.Order.ID)
	payments, err := s.DB.ListPaymentsOfOrder(t.Context(), &started.Order.ID)
	if err != nil || len(payments) != 1 {
		t.Fatalf("%d payments: %v", len(payments), err)
	}
	p := payments[0]
	if p.Status != payment.Paid || p.ProviderRevision.String() != "2" || p.Received.String() != "50000" || store.Deref(p.PaymentURL) != started.PayURL {
		t.Errorf("payment is %s at revision %s with %s, page %q", p.Status, p.ProviderRevision, p.Received, store.Deref(p.PaymentURL))
	}
	again, err := s.Shop.Begin(t.Context(), token, shoptest.Buyer, "")
	if err != nil || again.Order.ID != started.Order.ID || s.Platform.Creates() != 1 {
		t.Errorf("pressed again: order %s, %d payments at the platform: %v", again.Order.ID, s.Platform.Creates(), err)
	}
}

func TestAnAnswerThatNeverCameIsAskedForAgain(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	s.Product("product", "Product", "50000", "USDC")
	token, err := s.Shop.AddToCart(t.Context(), "", "product", 1)
	if err != nil {
		t.Fatal(err)
	}
	ctx, hangUp := context.WithCancel(t.Context())
	s.Shop.Providers[stablein.Name] = lost{s.Adapter, hangUp}
	first, err := s.Shop.Begin(ctx, token, shoptest.Buyer, "")
	if err == nil || first.PayURL != "" {
		t.Fatalf("the answer was lost, yet the buyer is sent to %q: %v", first.PayURL, err)
	}
	s.Shop.Providers[stablein.Name] = s.Adapter
	for range 2 {
		again, err := s.Shop.Begin(t.Context(), token, shoptest.Buyer, "")
		if err != nil || again.Order.ID != first.Order.ID || again.PayURL == "" {
			t.Errorf("pressed again: order %s, page %q: %v", again.Order.ID, again.PayURL, err)
		}
	}
	if n := s.Platform.Creates(); n != 1 {
		t.Errorf("%d payments at the platform, want 1", n)
	}
}

// lost has its answer lost: the buyer hangs up and the request with it.
type lost struct {
	payment.Creator
	hangUp func()
}

func (l lost) Create(ctx context.Context, c payment.Creation) (payment.Created, error) {
	if _, err := l.Creator.Create(ctx, c); err != nil {
		return payment.Created{}, err
	}
	l.hangUp()
	return payment.Created{}, ctx.Err()
}

func TestABuyerWhoHangsUpAtTheLastMomentKeepsThePayment(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	s.Product("product", "Product", "50000", "USDC")
	token, err := s.Shop.AddToCart(t.Context(), "", "product", 1)
	if err != nil {
		t.Fatal(err)
	}
	ctx, hangUp := context.WithCancel(t.Context())
	s.Shop.Providers[stablein.Name] = afterwards{s.Adapter, func(payment.Created) { hangUp() }}
	var started checkout.Started
	if started, err = s.Shop.Begin(ctx, token, shoptest.Buyer, ""); err != nil {
		t.Fatal(err)
	}
	payments, err := s.DB.ListPaymentsOfOrder(t.Context(), &started.Order.ID)
	if err != nil || len(payments) != 1 || store.Deref(payments[0].PaymentURL) != started.PayURL {
		t.Errorf("the platform's answer wasn't noted: %+v, %v", payments, err)
	}
}
