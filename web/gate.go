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
		g.Heading = "Why it was delivered"
		g.Sentence = "All of these held when the license was issued; this is how they stand now."
	case view.DeliverySuspended:
		g.Heading = "Why it rests"
		g.Sentence = "The license was issued, and rests while the payment is disputed."
	case view.DeliveryRevoked:
		g.Heading = "Why it has ended"
		switch fulfillment.Ended(o) {
		case fulfillment.Refunded:
			g.Sentence = "The license was issued, and has ended with the full refund."
		case fulfillment.DisputeLost:
			g.Sentence = "The license was issued, and has ended because your bank took money back."
		default:
			g.Sentence = "The license was issued, and has ended because the payment was taken back."
		}
	case view.DeliveryWithheld:
		g.Open = true
	case view.DeliveryCancelled:
		g.Heading = "Why it was not delivered"
	}
	for _, c := range checkout.Explain(o, r.payments, r.now) {
		if !c.OK || !isUntold(c, o) {
			g.Clauses = append(g.Clauses, clause(c, o))
		}
	}
	return g
}

// isUntold tells whether a condition is about what the order's provider doesn't tell:
// most know no risk and count no revisions. Of those that hold, a buyer needs no word.
func isUntold(c payment.Clause, o db.Order) bool {
	decision, service, chain := o.FulfillmentDecision == payment.Unassessed, o.ServiceStatus == payment.Unassessed, o.ChainEnforcement == payment.Unassessed
	switch c.Name {
	case "Risk assessment":
		return decision && service && chain
	case "Decision":
		return decision
	case "Merchant service":
		return service
	case "Chain enforcement":
		return chain
	case "Provider revision":
		return c.Has == "0"
	}
	return false
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
