package web

import (
	"slices"

	"onceshop/payment"
	"onceshop/store"
	"onceshop/store/db"
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
	o := r.order
	open := o.PaymentStatus == payment.Pending
	ended := o.PaymentStatus == payment.Failed || o.PaymentStatus == payment.Expired
	if !open && !ended && !v.Status.AsksPay {
		return
	}
	ways := s.ways(payment.Money{Amount: o.Total, Currency: o.Currency})
	last := lastAsked(r.payments)
	switch url := store.Deref(last.PaymentURL); {
	case !ended && url != "":
		v.PayURL, v.PayWith = url, s.way(last.Provider)
	case len(ways) == 0:
		v.Unpayable = true
	default: // it ended, or the provider could not be asked yet
		v.PayAgainURL, v.PayWith = action, ways[0]
		if slices.Contains(ways, s.way(last.Provider)) {
			v.PayWith = s.way(last.Provider)
		}
	}
	// A part that has arrived stays where it is: the rest can't go elsewhere.
	if ended || open && o.ReviewReason == nil && o.ReceivedAmount.Sign() == 0 {
		v.OthersURL = action
		v.Others = slices.DeleteFunc(ways, func(w view.Way) bool { return w.Name == v.PayWith.Name })
	}
}

// lastAsked is the newest payment that was asked for and may still be paid, or else
// the newest; one that was opened by hand has no page that we know.
func lastAsked(payments []db.Payment) (last db.Payment) {
	over := func(p db.Payment) bool {
		return p.ID == "" || p.Status == payment.Failed || p.Status == payment.Expired
	}
	for _, p := range payments {
		if p.IdempotencyKey != nil && (over(last) || !over(p)) {
			last = p
		}
	}
	return last
}
