package payment

// OrderState is what all payments of one order mean for the order.
type OrderState struct {
	PaymentStatus Status
	RefundStatus  RefundStatus  // of what the order costs; surplus that went back doesn't count
	Refunded      Amount        // likewise
	Received      Amount        // over all payments, before refunds
	Surplus       Amount        // what we hold and owe the buyer back
	PaidBy        int           // index of the payment that paid the order, -1: none yet
	Risk          Risk          // of the payment that paid, else of the newest
	DisputeStatus DisputeStatus // likewise
}

// Summarize reads the payments of an order, in order of their creation, against
// its total. An order is paid as soon as one payment is: another session that
// expires later changes nothing, and a second success is surplus, whose refund
// isn't the order's. Which payment was the first to pay isn't in the order of
// creation, so the caller passes what it noted as PaidBy when that happened, or
// -1.
//
// Surplus is, of the payment that paid, what it holds beyond the total, and of the
// others all that they hold. Refunds are taken from the surplus first, whatever
// the provider calls them: giving back what was paid too much is no refund of the
// order, and must not end its licenses. Before an order is paid, partial payments
// are surplus only beyond its total.
func Summarize(total Amount, paidBy int, records []Record) OrderState {
	o := OrderState{PaymentStatus: Pending, RefundStatus: NotRefunded, DisputeStatus: NotDisputed, PaidBy: payingRecord(paidBy, records)}
	var held Amount
	for i, r := range records {
		r = r.normal()
		o.Received = o.Received.Add(r.Received)
		if i != o.PaidBy {
			held = held.Add(r.Received.Sub(r.Refunded))
		}
	}
	if o.PaidBy >= 0 {
		p := records[o.PaidBy].normal()
		o.PaymentStatus, o.Risk, o.DisputeStatus = Paid, p.Risk, p.DisputeStatus
		beyond := p.Received.Sub(total).OrZero()
		o.Refunded = p.Refunded.Sub(beyond).OrZero()
		o.RefundStatus = RefundStatusOf(o.Refunded, total)
		o.Surplus = held.Add(beyond.Sub(p.Refunded).OrZero())
		return o
	}
	o.Surplus = held.Sub(total).OrZero()
	if len(records) > 0 {
		newest := records[len(records)-1].normal()
		o.Risk, o.RefundStatus, o.Refunded, o.DisputeStatus = newest.Risk, newest.RefundStatus, newest.Refunded, newest.DisputeStatus
		o.PaymentStatus = unpaidStatus(records)
	}
	return o
}

// payingRecord trusts the hint only if that payment is paid.
func payingRecord(hint int, records []Record) int {
	if hint >= 0 && hint < len(records) && records[hint].Status == Paid {
		return hint
	}
	for i, r := range records {
		if r.Status == Paid {
			return i
		}
	}
	return -1
}

// unpaidStatus is the most hopeful state among the payments: an order with one
// failed and one open payment is still open.
func unpaidStatus(records []Record) Status {
	best := records[len(records)-1].normal().Status
	for _, hope := range []Status{Pending, Confirming, Authorised} {
		for _, r := range records {
			if r.normal().Status == hope {
				best = hope
			}
		}
	}
	return best
}
