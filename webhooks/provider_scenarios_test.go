package webhooks_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"onceshop/payment"
	"onceshop/providers/adyen"
	"onceshop/providers/checkoutcom"
	"onceshop/providers/payflow"
	"onceshop/providers/razorpay"
	"onceshop/providers/signing"
	"onceshop/providers/standardwebhooks"
	"onceshop/providers/stripe"
	"onceshop/providers/vectortest"
	"onceshop/shoptest"
	"onceshop/store/db"
)

// vectorProvider is a provider whose published scenarios the shop is put through.
type vectorProvider struct {
	vectors string // its name in the vector files
	new     func(vectortest.Set, []signing.Secret) (payment.Verifier, error)
}

var vectorProviders = map[string]vectorProvider{
	stripe.Name: {"stripe", func(_ vectortest.Set, s []signing.Secret) (payment.Verifier, error) {
		return stripe.New(stripe.Config{Secrets: s})
	}},
	checkoutcom.Name: {"checkout", func(_ vectortest.Set, s []signing.Secret) (payment.Verifier, error) {
		return checkoutcom.New(checkoutcom.Config{Secrets: s})
	}},
	razorpay.Name: {"razorpay", func(_ vectortest.Set, s []signing.Secret) (payment.Verifier, error) {
		return razorpay.New(razorpay.Config{Secrets: s})
	}},
	adyen.Name: {"adyen", func(set vectortest.Set, s []signing.Secret) (payment.Verifier, error) {
		return adyen.New(adyen.Config{
			Secrets: s, MerchantAccounts: []string{set.Events.MerchantAccount}, CaptureMode: adyen.CaptureMode(set.Events.CaptureMode),
		})
	}},
	payflow.Name: {"payflow", func(_ vectortest.Set, s []signing.Secret) (payment.Verifier, error) {
		return payflow.New(payflow.Config{Secrets: s})
	}},
	standardwebhooks.Name: {"standard-webhooks", func(_ vectortest.Set, s []signing.Secret) (payment.Verifier, error) {
		return standardwebhooks.New(standardwebhooks.Config{Secrets: s})
	}},
}

// authority is what a provider knows after the events that it has sent: the record
// that its API would answer with. Only the API is scripted here; verifying, reading,
// storing and applying are the shop's own.
type authority struct {
	payment.Verifier
	record payment.Snapshot
}

// ref is what every provider of this test calls the payment.
const ref = "ORD-1001"

func (a *authority) Takes(payment.Money) bool { return true }

func (a *authority) Create(_ context.Context, c payment.Creation) (payment.Created, error) {
	a.record = payment.Snapshot{Ref: ref, OrderRef: c.OrderRef, Status: payment.Pending, RefundStatus: payment.NotRefunded,
		Amount: c.Amount, Currency: c.Currency, Risk: payment.NotAssessed()}
	return payment.Created{Ref: ref, URL: "https://pay.test/"}, nil
}

func (a *authority) Fetch(context.Context, string) (payment.Snapshot, error) { return a.record, nil }

// sends lets the provider know what it tells by e.
func (a *authority) sends(e vectortest.Event) {
	r := &a.record
	dispute := func(s payment.DisputeStatus) {
		r.Disputes = []payment.Dispute{{Ref: "dispute", Amount: r.Amount, Status: s}}
	}
	switch payment.Effect(e.Effect) {
	case payment.EffectAdvance:
		a.reaches(payment.Status(e.State))
	case payment.EffectRefund:
		a.reaches(payment.Paid)
		if total := payment.NewAmount(*e.RefundedTotalMinor); total.Cmp(r.Refunded) > 0 {
			r.Refunded = total
		}
		r.RefundStatus = payment.PartiallyRefunded
		if r.Refunded.Cmp(r.Amount) >= 0 {
			r.RefundStatus = payment.FullyRefunded
		}
	case payment.EffectRefundUncaptured:
		r.Status, r.Received = payment.Failed, payment.Amount{}
	case payment.EffectDisputeOpened:
		dispute(payment.DisputeOpen)
	case payment.EffectDisputeWon:
		dispute(payment.DisputeWon)
	case payment.EffectDisputeLost:
		dispute(payment.DisputeLost)
	}
}

// reaches moves on and never back: a late event tells of what was before.
func (a *authority) reaches(s payment.Status) {
	order := []payment.Status{payment.Pending, payment.Failed, payment.Expired, payment.Confirming, payment.Authorised, payment.Paid}
	rank := func(s payment.Status) int {
		for i, o := range order {
			if o == s {
				return i
			}
		}
		return -1
	}
	if rank(s) > rank(a.record.Status) {
		a.record.Status = s
	}
	if a.record.Status == payment.Paid {
		a.record.Received = a.record.Amount
	}
}

func TestEveryProvidersScenariosEndAsStated(t *testing.T) {
	t.Parallel()
	for name, p := range vectorProviders {
		set := vectortest.Read(t, p.vectors, "../providers/"+name+"/testdata")
		for _, sc := range set.Events.Scenarios {
			t.Run(name+": "+sc.Name, func(t *testing.T) {
				t.Parallel()
				runScenario(t, name, p, set, sc)
			})
		}
	}
}

func runScenario(t *testing.T, name string, p vectorProvider, set vectortest.Set, sc vectortest.Scenario) {
	adapter, err := p.new(set, []signing.Secret{{ID: "vectors", Key: set.Events.Secret}})
	if err != nil {
		t.Fatal(err)
	}
	provider := &authority{Verifier: adapter}
	var other any = provider
	if _, ok := adapter.(payment.Folder); ok {
		other = folding{provider, adapter.(fold)} // what it knows is what it has told
	}
	s := shoptest.New(t, shoptest.Options{Others: map[string]any{name: other}})
	s.Handler.Now = func() time.Time { return set.Events.Time() }
	events, price, currency := map[string]vectortest.Event{}, "2500", "EUR"
	for _, e := range set.Events.Events {
		events[e.ID] = e
	}
	if paid, ok := events["paid"]; ok {
		price, currency = payment.NewAmount(*paid.AmountMinor).String(), paid.Currency
	}
	s.Product("vector", "Vector", price, currency)
	order, _ := s.BuyWith(name, "vector", 1)
	for i, id := range sc.Deliver {
		provider.sends(events[id])
		answer := s.Do(delivery(t, s, name, events[id]))
		if answer.Status != 200 {
			t.Errorf("%s: answer %d %s", id, answer.Status, answer.Body)
		}
		if len(sc.Answers) > 0 && answer.Status != sc.Answers[i] {
			t.Errorf("%s: answer %d, want %d", id, answer.Status, sc.Answers[i])
		}
		s.Settle()
	}

	o := s.Order(order.ID)
	if got := shown(o); got != sc.FinalState || o.ReviewReason != nil {
		t.Errorf("state %s, want %s", got, sc.FinalState)
	}
	if n := len(s.Licenses(order.ID)); n != sc.Fulfilments {
		t.Errorf("%d licenses, want %d", n, sc.Fulfilments)
	}
	if sc.RefundedTotalMinor != nil && !o.RefundedAmount.Equal(payment.NewAmount(*sc.RefundedTotalMinor)) {
		t.Errorf("refunded %s, want %d", o.RefundedAmount, *sc.RefundedTotalMinor)
	}
}

// folding is a provider that can't be asked: of its authority nothing but the creation
// is left.
type folding struct {
	payment.Creator
	fold
}

type fold interface {
	payment.Verifier
	payment.Folder
	Accepted() string
}

func delivery(t *testing.T, s *shoptest.Shop, provider string, e vectortest.Event) *http.Request {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, s.Server.URL+"/webhooks/"+provider, strings.NewReader(e.Body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = e.Header()
	return r
}

// shown is an order's state in the vectors' words.
func shown(o db.Order) string {
	switch {
	case o.PaymentStatus != payment.Paid:
		return string(o.PaymentStatus)
	case o.DisputeStatus == payment.DisputeOpen || o.DisputeStatus == payment.DisputeLost:
		return "disputed"
	case o.RefundStatus == payment.FullyRefunded:
		return "refunded"
	case o.RefundStatus == payment.PartiallyRefunded:
		return "partially_refunded"
	}
	return string(o.PaymentStatus)
}
