package webhooks_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"onceshop/payment"
	"onceshop/providers/signing"
	"onceshop/providers/stablein"
	"onceshop/providers/vectortest"
	"onceshop/shoptest"
	"onceshop/store"
	"onceshop/store/db"
)

const vectors = "../providers/stablein/testdata"

// vectorShop holds the vectors' secret and one order for the vectors' payment.
func vectorShop(t *testing.T, set vectortest.Set) (*shoptest.Shop, db.Order) {
	t.Helper()
	s := shoptest.New(t, shoptest.Options{Secrets: []signing.Secret{{ID: "vectors", Key: set.Events.Secret}}})
	s.Handler.Now = func() time.Time { return set.Events.Time() }
	s.Product("vector", "Vector", "2500", "EUR")
	s.Platform.NextID("00000000-0000-4000-8000-000000001001")
	order, _ := s.BuyProduct("vector", 1)
	return s, order
}

func TestVectorScenariosEndAsStated(t *testing.T) {
	t.Parallel()
	set := vectortest.Read(t, stablein.Name, vectors)
	events := map[string]vectortest.Event{}
	for _, e := range set.Events.Events {
		events[e.ID] = e
	}
	if len(set.Events.Scenarios) == 0 {
		t.Fatal("no scenarios were read")
	}
	for _, sc := range set.Events.Scenarios {
		t.Run(sc.Name, func(t *testing.T) {
			t.Parallel()
			s, order := vectorShop(t, set)
			if snapshot := set.Events.Snapshots[sc.Authoritative]; snapshot != nil {
				s.Platform.SetRaw("00000000-0000-4000-8000-000000001001", snapshot)
			}
			for i, id := range sc.Deliver {
				e := events[id]
				r, err := http.NewRequest(http.MethodPost, s.URL(), strings.NewReader(e.Body))
				if err != nil {
					t.Fatal(err)
				}
				r.Header = e.Header()
				want := sc.Answers[i]
				if want == 503 {
					want = 200 // stored before it is fetched: the event waits, not the answer
				}
				if a := s.Do(r); a.Status != want {
					t.Errorf("%s: answer %d %s, want %d", id, a.Status, a.Body, want)
				}
			}
			s.Settle()

			o := s.Order(order.ID)
			if got := state(o); got != sc.FinalState {
				t.Errorf("state %s, want %s", got, sc.FinalState)
			}
			if n := len(s.Licenses(order.ID)); n != sc.Fulfilments {
				t.Errorf("%d licenses, want %d", n, sc.Fulfilments)
			}
			if sc.RefundedTotalMinor != nil && o.RefundedAmount.Cmp(payment.NewAmount(*sc.RefundedTotalMinor)) != 0 {
				t.Errorf("refunded %s, want %d", o.RefundedAmount, *sc.RefundedTotalMinor)
			}
		})
	}
}

// state words an order as the vectors do.
func state(o db.Order) string {
	switch {
	case o.RefundStatus == payment.FullyRefunded:
		return "refunded"
	case o.RefundStatus == payment.PartiallyRefunded:
		return "partially_refunded"
	case o.Revision == 1:
		return "unchanged"
	}
	return string(o.PaymentStatus)
}

func TestVectorSignaturesAreAnsweredAsStated(t *testing.T) {
	t.Parallel()
	set := vectortest.Read(t, stablein.Name, vectors)
	for _, v := range set.Vectors {
		t.Run(v.ID, func(t *testing.T) {
			t.Parallel()
			var secrets []signing.Secret
			for i, key := range v.Secrets {
				secrets = append(secrets, signing.Secret{ID: string(rune('a' + i)), Key: key})
			}
			if _, err := stablein.New(stablein.Config{Secrets: secrets}); err != nil {
				if v.Accept() {
					t.Fatal(err)
				}
				return // no such shop would start
			}
			s := shoptest.New(t, shoptest.Options{Secrets: secrets})
			s.Handler.Now = v.Time
			r, err := http.NewRequest(http.MethodPost, s.URL(), strings.NewReader(v.Body))
			if err != nil {
				t.Fatal(err)
			}
			r.Header = v.Header()
			a := s.Do(r)
			if accepted := a.Status == 200; accepted != v.Accept() {
				t.Errorf("answer %d %s, want %s: %s", a.Status, a.Body, v.Want, v.Reason)
			}
			want := 0
			if v.Accept() {
				want = 1
			}
			if n := s.Count("SELECT COUNT(*) FROM shop_events"); n != want {
				t.Errorf("%d events stored, want %d", n, want)
			}
		})
	}
}

func TestADeliveryHeldBackForRiskFollowsOnceItIsCleared(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	order, ref := s.Buy(1)
	paid := shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "paid", FulfillmentDecision: "review"}
	s.Report("payment.paid", paid)
	s.Settle()
	if o := s.Order(order.ID); o.PaymentStatus != payment.Paid || o.FulfillmentStatus != store.DeliveryWithheld || len(s.Licenses(order.ID)) != 0 {
		t.Fatalf("%s, %s, %d licenses", o.PaymentStatus, o.FulfillmentStatus, len(s.Licenses(order.ID)))
	}
	s.Report("risk.updated", paid.With(func(o *shoptest.Order) { o.Revision, o.FulfillmentDecision = "3", "allow" }))
	s.Settle()
	if o := s.Order(order.ID); o.FulfillmentStatus != store.DeliveryDone || len(s.Licenses(order.ID)) != 1 {
		t.Fatalf("%s, %d licenses", o.FulfillmentStatus, len(s.Licenses(order.ID)))
	}
}

func TestARiskThatTurnsWhileTheJobWaitsBlocksIt(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	order, ref := s.Buy(1)
	paid := shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "paid"}
	s.Report("payment.paid", paid)
	process := func() {
		t.Helper()
		if _, err := s.Processor.RunOnce(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	process()
	s.Report("risk.updated", paid.With(func(o *shoptest.Order) {
		o.Revision, o.MerchantRisk = "3", map[string]any{"serviceStatus": "suspended", "chainEnforcement": "allowed"}
	}))
	process()
	s.Settle()
	if n := s.Count("SELECT COUNT(*) FROM shop_fulfillment_outbox WHERE status = 'blocked' AND attempts = 0 AND last_error LIKE '%Merchant service%'"); n != 1 {
		t.Errorf("%d blocked jobs, want 1", n)
	}
	if o := s.Order(order.ID); o.FulfillmentStatus != store.DeliveryWithheld || len(s.Licenses(order.ID)) != 0 {
		t.Errorf("%s, %d licenses", o.FulfillmentStatus, len(s.Licenses(order.ID)))
	}
	s.Report("risk.updated", paid.With(func(o *shoptest.Order) { o.Revision = "4" }))
	s.Settle()
	if n := len(s.Licenses(order.ID)); n != 1 {
		t.Errorf("%d licenses once it is cleared, want 1", n)
	}
}
