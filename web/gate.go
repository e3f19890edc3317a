package web

import (
	"onceshop/checkout"
	"onceshop/fulfillment"
	"onceshop/payment"
	"onceshop/store/db"
	"onceshop/web/view"
)

// gate is the panel that tells why an order is or isn't delivered.
func gate(r record) view.Gate {
	o := r.order
	g := view.Gate{Heading: "Why it is not delivered yet", Sentence: "Delivered once all of these hold."}
	switch delivery(o) {
	case view.DeliveryDone:
		g.Heading, g.Delivered = "Why it was delivered", true
		g.Sentence = "All of these held when the license was issued; this is how they stand now."
	case view.DeliverySuspended:
		g.Heading = "Why it rests"
		g.Sentence = "The license was issued, and rests while the payment is disputed."
	case view.DeliveryRevoked:
		g.Heading, g.Delivered = "Why it has ended", true
		switch fulfillment.Ended(o) {
		case fulfillment.Refunded:
			g.Sentence = "The license was issued, and has ended with the full refund."
		case fulfillment.DisputeLost:
			g.Sentence = "The license was issued, and has ended because your bank took the payment back."
		default:
			g.Sentence = "The license was issued, and has ended because the payment was taken back."
		}
	case view.DeliveryCancelled:
		g.Heading = "Why it was not delivered"
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
