package razorpay

import (
	"slices"

	"onceshop/payment"
	"onceshop/providers/wire"
)

// snapshot puts together what the page's records say.
func (p *page) snapshot() (payment.Snapshot, error) {
	amount, err := units.From(p.amount.Amount, p.currency)
	if err != nil {
		return payment.Snapshot{}, wire.Faultf("has a currency that isn't in Razorpay's table")
	}
	s := payment.Snapshot{
		Ref: p.ref, OrderRef: string(p.orderRef), Amount: amount, Currency: p.currency,
		RefundStatus: payment.NotRefunded, Risk: payment.NotAssessed(),
	}
	counted, err := p.count(&s)
	if err != nil || s.Currency != p.currency {
		return s, err
	}
	if err := p.addRefunds(&s, counted); err != nil {
		return s, err
	}
	if err := p.addDisputes(&s); err != nil {
		return s, err
	}
	s.Status, err = p.standing(s)
	return s, err
}

// count adds up what was captured, and what Razorpay counts as given back of it. An
// attempt that brought another currency than was asked for makes the snapshot one
// of that currency, which nobody takes for the right one.
func (p *page) count(s *payment.Snapshot) (refunded payment.Amount, err error) {
	var captured payment.Amount
	for _, attempt := range p.attempts {
		if attempt.status.S == "refunded" && !attempt.captured.Given {
			return refunded, wire.Faultf("doesn't tell whether a refunded payment was captured")
		}
		if attempt.currency.S != p.currency && (attempt.isCaptured() || attempt.status.S == "authorized") {
			s.Currency, s.Status = attempt.currency.S, payment.Pending
			if s.Amount, err = units.From(attempt.amount.Amount, attempt.currency.S); err != nil {
				return refunded, wire.Faultf("has a currency that isn't in Razorpay's table")
			}
			return refunded, nil
		}
		if attempt.isCaptured() {
			captured = captured.Add(attempt.amount.Amount)
			refunded = refunded.Add(attempt.refunded.Amount)
		}
	}
	if captured.Cmp(p.paid.Amount) < 0 {
		return refunded, wire.Faultf("lists fewer payments than it counts")
	}
	s.Received, err = units.From(captured, p.currency)
	return refunded, err
}

// addRefunds takes the total from the single refunds, because the payment may go
// on counting one that failed. One that is pending has left our balance already.
func (p *page) addRefunds(s *payment.Snapshot, counted payment.Amount) error {
	states := map[string]payment.RefundState{
		"pending": payment.RefundPending, "processed": payment.RefundDone, "failed": payment.RefundFailed,
	}
	var listed payment.Amount
	for _, r := range p.refunds {
		state, known := states[r.status.S]
		switch {
		case !known:
			return wire.Faultf("has a refund with an unknown status")
		case r.currency.S != "" && r.currency.S != p.currency:
			return wire.Faultf("has a refund in another currency")
		}
		amount, err := units.From(r.amount.Amount, p.currency)
		if err != nil {
			return err
		}
		listed = listed.Add(r.amount.Amount)
		if state == payment.RefundFailed {
			s.Reversed = s.Reversed.Add(amount)
		} else {
			s.Refunded = s.Refunded.Add(amount)
		}
		s.Refunds = append(s.Refunds, payment.Refund{Ref: string(r.id), Amount: amount, Status: state})
	}
	if listed.Cmp(counted) < 0 {
		return wire.Faultf("lists fewer refunds than it counts")
	}
	s.RefundStatus = payment.RefundStatusOf(s.Refunded, s.Amount)
	return nil
}

// addDisputes leaves out questions, unless one has cost money.
func (p *page) addDisputes(s *payment.Snapshot) error {
	for _, d := range p.disputes {
		if !slices.ContainsFunc(p.attempts, func(attempt paymentEntity) bool { return attempt.id == d.paymentID }) {
			continue
		}
		status, err := d.standing()
		if err != nil {
			return err
		}
		if d.isQuestion() && status != payment.DisputeLost {
			continue
		}
		dispute := payment.Dispute{Ref: string(d.id), Reason: string(d.reason), Status: status}
		if d.currency.S == p.currency {
			if dispute.Amount, err = units.From(d.amount.Amount, p.currency); err != nil {
				return err
			}
		}
		s.Disputes = append(s.Disputes, dispute)
	}
	return nil
}

func (d *disputeEntity) standing() (payment.DisputeStatus, error) {
	switch d.status.S {
	case "open", "under_review":
		return payment.DisputeOpen, nil
	case "won":
		return payment.DisputeWon, nil
	case "lost":
		return payment.DisputeLost, nil
	case "closed":
		if d.deducted.Sign() > 0 {
			return payment.DisputeLost, nil
		}
		return payment.DisputeWon, nil
	}
	return "", wire.Faultf("has a dispute with an unknown status")
}

// standing is the best of what the attempts have come to, and for want of any what
// the link says.
func (p *page) standing(s payment.Snapshot) (payment.Status, error) {
	var authorised, open, returned, failed bool
	for _, attempt := range p.attempts {
		switch attempt.status.S {
		case "created":
			open = true
		case "authorized":
			authorised = true
		case "captured":
		case "refunded":
			returned = returned || !attempt.captured.True
		case "failed":
			failed = true
		default:
			return "", wire.Faultf("has a payment with an unknown status")
		}
	}
	switch p.status {
	case "", "created", "partially_paid", "expired", "cancelled":
	case "paid":
		if s.Received.Sign() == 0 {
			return "", wire.Faultf("is paid without any payment")
		}
	default:
		return "", wire.Faultf("has a payment link with an unknown status")
	}
	switch {
	case s.Received.Sign() > 0 && s.Received.Cmp(s.Amount) >= 0:
		return payment.Paid, nil
	case authorised:
		return payment.Authorised, nil
	case p.status == "expired":
		return payment.Expired, nil
	case p.status == "cancelled":
		return payment.Failed, nil
	case open || s.Received.Sign() > 0:
		return payment.Pending, nil
	case returned, failed && !p.hasOrder:
		return payment.Failed, nil
	}
	// A failed attempt isn't the end: another may follow, and this one may still
	// be authorised days later.
	return payment.Pending, nil
}
