package web

import (
	"strconv"
	"time"

	"onceshop/fulfillment"
	"onceshop/payment"
	"onceshop/store"
	"onceshop/store/db"
	"onceshop/web/view"
)

// facts words the records for view.Describe.
func facts(r record, returned string) view.Facts {
	o := r.order
	f := view.Facts{
		Payment: string(o.PaymentStatus), Refund: string(o.RefundStatus), Dispute: string(o.DisputeStatus), Review: o.ReviewReason != nil,
		Delivery: delivery(o), Mail: mailOf(r), TakenBack: takenBack(o), Total: price(o.Total, o.Currency),
	}
	for _, l := range r.lines {
		f.Licenses += l.Quantity
	}
	latest := r.payments[len(r.payments)-1]
	for _, p := range r.payments {
		if p.Status == payment.Confirming {
			latest = p
		}
	}
	f.Confirmations = latest.Confirmations
	if o.PaymentStatus != payment.Paid && o.ReceivedAmount.Sign() > 0 && o.ReceivedAmount.Cmp(o.Total) < 0 {
		f.Received = price(o.ReceivedAmount, o.Currency)
	}
	f.Overdue = o.PaymentStatus == payment.Confirming && r.now.Sub(latest.UpdatedAt) > overdueAfter
	f.ChargedBack = partChargedBack(r)
	if since, err := strconv.ParseInt(returned, 10, 64); err == nil {
		f.Returned = true
		f.Overdue = f.Overdue || o.PaymentStatus == payment.Pending && r.now.Sub(time.Unix(since, 0)) > overdueAfter
	}
	return f
}

// partChargedBack is what the bank took back of the payment that pays the order, if it
// left some of it.
func partChargedBack(r record) string {
	for _, p := range r.payments {
		if r.order.PaidBy == nil || p.ID != *r.order.PaidBy {
			continue
		}
		if lost := disputedOf(p, r, payment.DisputeLost); lost.Sign() > 0 && lost.Cmp(p.Received) < 0 {
			return price(lost, r.order.Currency)
		}
	}
	return ""
}

func delivery(o db.Order) string {
	switch o.FulfillmentStatus {
	case store.DeliveryWaiting:
		return view.DeliveryPreparing
	case store.DeliveryDone:
		return view.DeliveryDone
	case store.DeliverySuspended:
		return view.DeliverySuspended
	case store.DeliveryRevoked:
		return view.DeliveryRevoked
	case store.DeliveryWithheld:
		if fulfillment.Ended(o) != "" {
			return view.DeliveryCancelled
		}
		return view.DeliveryWithheld
	}
	if o.CancelledAt != nil {
		return view.DeliveryCancelled
	}
	return view.DeliveryWaiting
}

// mailOf tells what becomes of the mail with the licenses.
func mailOf(r record) string {
	switch o := r.order; {
	case r.mailed:
		return view.MailSent
	case o.MailRefusedAt != nil || o.CancelledAt != nil || fulfillment.Ended(o) != "":
		return ""
	}
	return view.MailComes
}

// takenBack tells whether an order was paid once and isn't any more.
func takenBack(o db.Order) bool {
	return o.PaidAt != nil && o.PaymentStatus != payment.Paid && o.CancelledAt == nil
}
