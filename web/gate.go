package web

import (
	"onceshop/checkout"
	"onceshop/payment"
	"onceshop/store"
	"onceshop/store/db"
	"onceshop/web/view"
)

func gate(r record) view.Gate {
	o := r.order
	g := view.Gate{Sentence: "Delivered once all of these hold."}
	switch o.FulfillmentStatus {
	case store.DeliveryDone:
		g.Delivered = true
		g.Sentence = "All of these held when the license was issued; this is how they stand now."
	case store.DeliverySuspended:
		g.Delivered = true
		g.Sentence = "The license was issued and rests while the payment is disputed."
	case store.DeliveryRevoked:
		g.Delivered = true
		g.Sentence = "The license was issued and has ended with the full refund."
		switch {
		case o.PaymentStatus != payment.Paid:
			g.Sentence = "The license was issued and has ended: the payment was taken back."
		case o.RefundStatus != payment.FullyRefunded:
			g.Sentence = "The license was issued and has ended: your bank took the payment back."
		}
	default:
		g.Ended = delivery(o) == view.DeliveryCancelled
	}
	for _, c := range checkout.Explain(o, r.payments, r.now) {
		// Most providers don't count the revisions of their records.
		if c.Name != "Provider revision" || !c.OK || c.Has != "0" {
			g.Clauses = append(g.Clauses, clause(c, o))
		}
	}
	return g
}

// clause words the rule's minor units and codes for people.
func clause(c payment.Clause, o db.Order) view.Clause {
	v := view.Clause{Label: c.Name, Has: c.Has, Wants: c.Wants, OK: c.OK}
	switch c.Name {
	case "Refunded amount":
		v.Has, v.Wants = price(o.RefundedAmount, o.Currency), "less than "+price(o.Total, o.Currency)
	case "Dispute":
		v.Has = disputeWord(payment.DisputeStatus(c.Has))
	case "Review":
		v.Has = reviewReason(c.Has)
	}
	return v
}
