package payment

// OrderState is what all payments of one order mean for the order.
type OrderState struct {
	PaymentStatus Status
	RefundStatus  RefundStatus // of the payment that paid the order, else of the newest
	Refunded      Amount       // likewise
	Received      Amount       // over all payments, before refunds
	Surplus       Amount       // what we hold and owe the buyer back
	PaidBy        int          // index of the payment that paid the order, -1: none yet
	Risk          Risk         // of the payment that paid, else of the newest
}

// Summarize reads the payments of an order, in order of their creation, against
// its total. An order is paid as soon as one payment is: another session that
// expires later changes nothing, and a second success is surplus, whose refund
// isn't the order's. Which payment was the first to pay isn't in the order of
// creation, so the caller passes what it noted as PaidBy when that happened, or
// -1.
//
// Surplus is, of the payment that paid, what it holds beyond the total (refunds
// are taken from the surplus first; after a full refund all that is left is
// surplus), and of the others all that they hold. Before an order is paid,
// partial payments are surplus only beyond its total.
func Summarize(total Amount, paidBy int, records []Record) OrderState {
	o := OrderState{PaymentStatus: Pending, RefundStatus: NotRefunded, PaidBy: payingRecord(paidBy, records)}
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
		o.PaymentStatus, o.RefundStatus, o.Refunded, o.Risk = Paid, p.RefundStatus, p.Refunded, p.Risk
		own := p.Received.Sub(p.Refunded)
		if p.RefundStatus != FullyRefunded {
			own = own.Sub(total)
		}
		o.Surplus = held.Add(atLeastZero(own))
		return o
	}
	o.Surplus = atLeastZero(held.Sub(total))
	if len(records) > 0 {
		newest := records[len(records)-1].normal()
		o.Risk, o.RefundStatus, o.Refunded = newest.Risk, newest.RefundStatus, newest.Refunded
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
	for _, r := range records {
		switch s := r.normal().Status; {
		case s == Confirming:
			return Confirming
		case s == Pending:
			best = Pending
		}
	}
	return best
}

func atLeastZero(a Amount) Amount {
	if a.Sign() < 0 {
		return Amount{}
	}
	return a
}
