package checkoutcom_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"onceshop/payment"
)

func TestARefundIsTakenFromTheAttemptThatHoldsEnough(t *testing.T) {
	t.Parallel()
	spent := captured("pay_1", 2500)
	spent.refunded = 2000
	reserved := captured("pay_2", 2500)
	reserved.withheld = 2400
	p := &platform{payments: []*pay{attempted("pay_5", "Declined"), captured("pay_4", 2500), captured("pay_3", 2500), reserved, spent}}
	a := serve(t, p)
	if err := a.Refund(t.Context(), "refund:1", ref, amount(1000), "asked for"); err != nil {
		t.Fatal(err)
	}
	if last := p.asked[len(p.asked)-1]; last != "POST /payments/pay_3/refunds" {
		t.Error(last)
	}
	if body := p.bodies[len(p.bodies)-1]; body != `{"amount":1000,"metadata":{"reason":"asked for","refund_key":"refund:1"}}` {
		t.Error(body)
	}
	if !slices.Equal(p.keys, []string{"refund:1"}) {
		t.Errorf("keys %q", p.keys)
	}
}

func TestTheSameKeyAgainRefundsNothingMore(t *testing.T) {
	t.Parallel()
	p := &platform{payments: []*pay{captured("pay_2", 2500), captured("pay_1", 2500)}}
	a := serve(t, p)
	for _, ref := range []string{ref, ref, "pay_1", "pay_2"} {
		// The first attempt is empty now; the second must not be taken instead.
		if err := a.Refund(t.Context(), "refund:1", ref, amount(2500), ""); err != nil {
			t.Fatal(err)
		}
	}
	if len(p.keys) != 1 || p.payments[1].refunded != 2500 || p.payments[0].refunded != 0 {
		t.Errorf("refunded %d times", len(p.keys))
	}
	if err := a.Refund(t.Context(), "refund:2", ref, amount(2500), ""); err != nil || p.payments[0].refunded != 2500 {
		t.Errorf("another key: %v", err)
	}
	s, err := a.Fetch(t.Context(), ref)
	if err != nil || !s.Refunded.Equal(amount(5000)) || len(s.Refunds) != 2 {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestARefundThatWasDeclinedCanBeAskedForAgainAndOneUnderWayCannot(t *testing.T) {
	t.Parallel()
	one := captured("pay_1", 2500)
	declined := func(id string) {
		one.actions = append(one.actions, `{"id":"`+id+`","type":"Refund","amount":1000,"approved":false,"response_code":"20005","metadata":{"refund_key":"refund:1"}}`)
	}
	p := &platform{payments: []*pay{one}}
	a := serve(t, p)
	for i, want := range []string{"refund:1-1", "refund:1-2"} {
		declined("act_" + want)
		before := slices.Clone(one.actions)
		for range 2 {
			if err := a.Refund(t.Context(), "refund:1", ref, amount(1000), ""); err != nil {
				t.Fatal(err)
			}
		}
		if len(p.keys) != i+1 || p.keys[i] != want {
			t.Errorf("keys %q, want %d of them, the last %s", p.keys, i+1, want)
		}
		one.actions, one.refunded = before, 0 // it was declined as well
	}
	one.actions = append(one.actions[:1], `{"id":"act_9","type":"Refund","amount":1000,"approved":false,"metadata":{"refund_key":"refund:1"}}`)
	if err := a.Refund(t.Context(), "refund:1", ref, amount(1000), ""); err != nil || len(p.keys) != 2 {
		t.Errorf("%d refunds were asked for while one is under way, %v", len(p.keys), err)
	}
}

func TestWhatNoAttemptHoldsIsRefused(t *testing.T) {
	t.Parallel()
	p := &platform{payments: []*pay{attempted("pay_2", "Authorized"), captured("pay_1", 2500)}}
	a := serve(t, p)
	for _, n := range []int64{2501, 1_000_000_000, 0, -1} {
		if err := a.Refund(t.Context(), "k", ref, amount(n), ""); !errors.Is(err, payment.ErrRefused) {
			t.Errorf("%d: %v", n, err)
		}
	}
	for _, key := range []string{"", "k\r\nX: y", "zwölf", strings.Repeat("k", 256)} {
		if err := a.Refund(t.Context(), key, ref, amount(1), ""); !errors.Is(err, payment.ErrRefused) {
			t.Errorf("key %q: %v", key, err)
		}
	}
	for _, unknown := range []string{"another", "pay_9", ""} {
		if err := a.Refund(t.Context(), "k", unknown, amount(1), ""); !errors.Is(err, payment.ErrNotFound) {
			t.Errorf("%q: %v", unknown, err)
		}
	}
	if len(p.keys) != 0 {
		t.Errorf("%d refunds", len(p.keys))
	}
	p.refuse = 403
	if err := a.Refund(t.Context(), "k", ref, amount(1), ""); !errors.Is(err, payment.ErrRefused) || !strings.Contains(err.Error(), "403 refund_not_allowed") {
		t.Errorf("a payment that can't be refunded: %v", err)
	}
	p.refuse = 401
	if err := a.Refund(t.Context(), "k", ref, amount(1), ""); !errors.Is(err, payment.ErrUnauthorised) {
		t.Errorf("our key: %v", err)
	}
}

func TestRefundsCountInTheCurrencysOwnDecimals(t *testing.T) {
	t.Parallel()
	dinars := captured("pay_1", 2950)
	dinars.currency = "KWD"
	p := &platform{payments: []*pay{dinars}}
	a := serve(t, p)
	if err := a.Refund(t.Context(), "k", ref, amount(1), ""); !errors.Is(err, payment.ErrRefused) {
		t.Error(err)
	}
	if err := a.Refund(t.Context(), "k", ref, amount(950), ""); err != nil || !strings.Contains(p.bodies[len(p.bodies)-1], `"amount":950,`) {
		t.Errorf("%v %s", err, p.bodies[len(p.bodies)-1])
	}
}
