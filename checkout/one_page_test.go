package checkout_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"onceshop/payment"
	"onceshop/shoptest"
)

// pages is a provider that makes a page of its own for every request, as one without
// idempotency keys does. Its first answers wait until two have asked.
type pages struct {
	shoptest.Plain
	mu   sync.Mutex
	made int
	both chan struct{}
}

func (p *pages) Create(ctx context.Context, c payment.Creation) (payment.Created, error) {
	created, err := p.Plain.Create(ctx, c)
	p.mu.Lock()
	p.made++
	created.URL += fmt.Sprintf("?page=%d", p.made)
	if p.made == 2 {
		close(p.both)
	}
	p.mu.Unlock()
	<-p.both
	return created, err
}

func TestTwoWindowsThatPayAtOnceGetOnePage(t *testing.T) {
	t.Parallel()
	provider := &pages{both: make(chan struct{})}
	s := shoptest.New(t, shoptest.Options{Others: map[string]any{shoptest.PlainName: provider}})
	s.Product("plain", "Plain product", "10000", "EUR")
	token, err := s.Shop.AddToCart(t.Context(), "", "plain", 1)
	if err != nil {
		t.Fatal(err)
	}
	var urls [2]string
	shoptest.Together(2, func(i int) {
		started, err := s.Shop.Begin(t.Context(), token, shoptest.Buyer, shoptest.PlainName)
		if err != nil {
			t.Error(err)
		}
		urls[i] = started.PayURL
	})
	if provider.made != 2 || urls[0] != urls[1] || urls[0] == "" {
		t.Errorf("%d pages were made, and the windows went to %q", provider.made, urls)
	}
}
