package web_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"onceshop/payment"
	"onceshop/shoptest"
)

// conditions are the labels in the panel that tells why an order is or isn't delivered.
func conditions(s *shoptest.Pages, number string) (labels []string, open bool) {
	doc := parse(s, s.Browser().Get(pathOf(s, number)))
	_, open = doc.Find("details#gate").Attr("open")
	for _, e := range doc.Find("#gate .what").EachIter() {
		labels = append(labels, e.Contents().First().Text())
	}
	return labels, open
}

func TestABuyerIsToldOfNoConditionThatTheProviderKnowsNothingOf(t *testing.T) {
	t.Parallel()
	s := open(t)
	byCard := []string{"Payment", "Refund", "Refunded amount", "Dispute", "Review"}
	all := []string{"Payment", "Refund", "Refunded amount", "Dispute", "Risk assessment", "Decision", "Merchant service", "Chain enforcement", "Provider revision", "Review"}
	card := func(told ...func(*payment.Snapshot)) func(id, ref string) {
		return func(id, _ string) {
			for _, change := range told {
				tell(s, id, change)
			}
			s.Exec("UPDATE shop_payments SET provider_revision = 0 WHERE order_id = ?", id) // nor does it count revisions
		}
	}
	for name, c := range map[string]struct {
		happen func(id, ref string)
		want   []string
		open   bool
	}{
		"waiting":                {card(reserved), byCard, false},
		"delivered":              {card(arrived), byCard, false},
		"disputed":               {card(arrived, disputed(payment.DisputeOpen)), byCard, false},
		"held back by a dispute": {card(disputed(payment.DisputeOpen)), byCard, true},
		"held back for risk": {func(_, ref string) {
			report(s, ref, "payment.paid", func(o *shoptest.Order) { paid(o); o.FulfillmentDecision = "review" })
		}, all, true},
		"assessed": {func(_, ref string) { report(s, ref, "payment.paid", paid) }, all, false},
	} {
		o, ref := s.Buy(1)
		c.happen(o.ID, ref)
		labels, open := conditions(s, o.Number)
		if diff := cmp.Diff(c.want, labels); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if open != c.open {
			t.Errorf("%s: that the panel stands open is %t", name, open)
		}
	}
}
