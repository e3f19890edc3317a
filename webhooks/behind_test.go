package webhooks_test

import (
	"testing"

	"onceshop/payment"
	"onceshop/shoptest"
	"onceshop/store"
)

// A provider's record may be behind what it tells. An event of a refund or a dispute of
// which the record shows nothing would otherwise be the only word about it, and gone.
func TestAnEventOfARefundOrADisputeWaitsForARecordThatShowsIt(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		effect  payment.Effect
		happens func(*payment.Snapshot)
		want    string
	}{
		"refunded":      {payment.EffectRefund, func(p *payment.Snapshot) { p.Refunded = p.Amount }, store.DeliveryRevoked},
		"a refund back": {payment.EffectRefundReversed, func(p *payment.Snapshot) { p.Reversed = payment.NewAmount(5) }, store.DeliveryDone},
		"disputed": {payment.EffectDisputeOpened, func(p *payment.Snapshot) {
			p.Disputes = []payment.Dispute{{Ref: "dp", Amount: p.Amount, Status: payment.DisputeOpen}}
		}, store.DeliverySuspended},
		"dispute won": {payment.EffectDisputeWon, func(p *payment.Snapshot) {
			p.Disputes = []payment.Dispute{{Ref: "dp", Amount: p.Amount, Status: payment.DisputeWon}}
		}, store.DeliveryDone},
		"dispute lost": {payment.EffectDisputeLost, func(p *payment.Snapshot) {
			p.Disputes = []payment.Dispute{{Ref: "dp", Amount: p.Amount, Status: payment.DisputeLost}}
		}, store.DeliveryRevoked},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			plain := &shoptest.Plain{}
			s := shoptest.New(t, shoptest.Options{Others: map[string]any{shoptest.PlainName: plain}})
			s.Product("plain", "Plain product", "10000", "EUR")
			order, ref := s.BuyWith(shoptest.PlainName, "plain", 1)
			plain.Change(ref, shoptest.Paid)
			s.Tell(shoptest.PlainName, shoptest.Told{ID: "paid", Type: "paid", Payment: ref, Status: payment.Paid})
			s.Settle()
			if c.effect == payment.EffectDisputeLost || c.effect == payment.EffectDisputeWon {
				plain.Change(ref, func(p *payment.Snapshot) {
					p.Disputes = []payment.Dispute{{Ref: "dp", Amount: p.Amount, Status: payment.DisputeOpen}}
				})
				s.Tell(shoptest.PlainName, shoptest.Told{ID: "opened", Type: "opened", Payment: ref, Effect: payment.EffectDisputeOpened})
				s.Settle()
			}
			s.Tell(shoptest.PlainName, shoptest.Told{ID: "event", Type: name, Payment: ref, Effect: c.effect})
			s.Settle()
			if n := s.Count("SELECT COUNT(*) FROM shop_events WHERE status = 'pending' AND last_error LIKE ?", "%behind the event ("+name+")%"); n != 1 {
				t.Error("the event doesn't wait")
			}
			plain.Change(ref, c.happens)
			s.MakeDue()
			s.Settle()
			if o := s.Order(order.ID); o.FulfillmentStatus != c.want {
				t.Errorf("delivery %s, want %s", o.FulfillmentStatus, c.want)
			}
		})
	}
}

func TestARecordThatNeverShowsARefundCountsInTheEnd(t *testing.T) {
	t.Parallel()
	plain := &shoptest.Plain{}
	s := shoptest.New(t, shoptest.Options{Others: map[string]any{shoptest.PlainName: plain}})
	s.Product("plain", "Plain product", "10000", "EUR")
	_, ref := s.BuyWith(shoptest.PlainName, "plain", 1)
	plain.Change(ref, shoptest.Paid)
	s.Tell(shoptest.PlainName, shoptest.Told{ID: "event", Type: "refunded", Payment: ref, Effect: payment.EffectRefund})
	for range 4 {
		s.MakeDue()
		s.Settle()
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_events WHERE status = 'done' AND verdict = 'applied' AND attempts = 4"); n != 1 || plain.Fetches() != 4 {
		t.Errorf("%d events done after 4 tries, %d fetches", n, plain.Fetches())
	}
}
