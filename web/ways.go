package web

import (
	"slices"

	"onceshop/checkout"
	"onceshop/payment"
	"onceshop/store"
	"onceshop/web/view"
)

// ways are the providers that this much can be paid with, the preferred one first.
func (s *site) ways(m payment.Money) []view.Way {
	var list []view.Way
	for _, name := range s.Shop.Ways(m) {
		list = append(list, s.way(name))
	}
	return list
}

// way is what people read of a provider; of one that nobody has described, its name.
func (s *site) way(name string) view.Way {
	for _, w := range s.Ways {
		if w.Name == name {
			return w
		}
	}
	return view.Way{Name: name, Label: name}
}

// offerPayment puts onto an order's page how it can be paid: with the provider that
// was asked last, or with another.
func (s *site) offerPayment(v *view.Order, r record, action string) {
	o, paying := r.order, checkout.PayingOf(r.order, r.payments)
	if !paying.Open && !paying.Elsewhere {
		return
	}
	ways := s.ways(payment.Money{Amount: o.Total, Currency: o.Currency})
	last := paying.Last
	switch url := store.Deref(last.PaymentURL); {
	case paying.Open && url != "":
		v.PayURL, v.PayWith = url, s.way(last.Provider)
	case len(ways) == 0:
		v.Unpayable = true
	default: // it ended, or the provider could not be asked yet
		v.PayAgainURL, v.PayWith = action, ways[0]
		if slices.Contains(ways, s.way(last.Provider)) {
			v.PayWith = s.way(last.Provider)
		}
	}
	if paying.Elsewhere {
		v.OthersURL = action
		v.Others = slices.DeleteFunc(ways, func(w view.Way) bool { return w.Name == v.PayWith.Name })
	}
}

// isUnstarted tells whether the payment that was asked for last has no page to lead
// to, and nothing has arrived elsewhere.
func isUnstarted(v view.Order, r record) bool {
	paying := checkout.PayingOf(r.order, r.payments)
	return paying.Open && paying.Elsewhere && v.PayAgainURL != ""
}
