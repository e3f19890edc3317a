package sandbox

import (
	"slices"
	"time"

	"onceshop/payment"
)

// decision is a change of one order: what it becomes and the word for it.
type decision func(r Record, now time.Time) (Record, string, error)

// ofOrder lifts a change of an order's figures to the whole record: what it did
// to the attempts to pay follows from the figures.
func ofOrder(change func(o Order, now time.Time) (Order, string, error)) decision {
	return func(r Record, now time.Time) (Record, string, error) {
		next, word, err := change(r.Order, now)
		if err != nil {
			return r, "", err
		}
		r.Payments = followed(r.Payments, r.Order, next, word)
		r.Order = next
		return r, word, nil
	}
}

// plainly is for changes that don't ask for the time.
func plainly(change func(o Order) (Order, string, error)) decision {
	return ofOrder(func(o Order, _ time.Time) (Order, string, error) { return change(o) })
}

// followed returns the attempts to pay after a change of the order: money that
// comes or is reserved is an attempt of its own, unless it was waiting in one.
func followed(list []Payment, before, after Order, word string) []Payment {
	list = slices.Clone(list)
	revision := before.Revision + 1
	add := func(state PaymentState, amount, captured payment.Amount) {
		list = append(list, Payment{
			Number: len(list) + 1, Status: state, Amount: amount, Captured: captured, ChangedIn: revision,
		})
	}
	turn := func(from, to PaymentState, captured func(Payment) payment.Amount) {
		for i, p := range list {
			if p.Status == from {
				list[i].Status, list[i].Captured, list[i].ChangedIn = to, captured(p), revision
			}
		}
	}
	unchanged := func(p Payment) payment.Amount { return p.Captured }
	received := after.Received.Sub(before.Received)
	switch {
	case word == attemptFailed:
		add(AttemptFailed, before.Due(), payment.Amount{})
	case after.Incoming.Cmp(before.Incoming) > 0:
		add(AttemptConfirming, after.Incoming.Sub(before.Incoming), payment.Amount{})
	case before.Status != payment.Authorised && after.Status == payment.Authorised:
		add(AttemptAuthorised, before.Due(), payment.Amount{})
	case received.Sign() > 0 && before.Status == payment.Authorised:
		to := AttemptCaptured
		if after.Status == payment.Authorised {
			to = AttemptAuthorised
		}
		turn(AttemptAuthorised, to, func(p Payment) payment.Amount { return p.Captured.Add(received) })
	case received.Sign() > 0 && before.AwaitsBlocks():
		turn(AttemptConfirming, AttemptCaptured, func(p Payment) payment.Amount { return p.Amount })
	case received.Sign() > 0:
		add(AttemptCaptured, received, received)
	case after.TakenBack.Cmp(before.TakenBack) > 0:
		turn(AttemptCaptured, AttemptTakenBack, unchanged)
	}
	if before.open() && after.Status == payment.Failed {
		if before.Status != payment.Authorised && !before.AwaitsBlocks() {
			add(AttemptFailed, before.Due(), payment.Amount{}) // what it failed by
		}
		turn(AttemptConfirming, AttemptFailed, unchanged)
		turn(AttemptAuthorised, AttemptCancelled, unchanged)
	}
	if before.open() && after.Status == payment.Expired {
		turn(AttemptAuthorised, AttemptExpired, unchanged)
	}
	return list
}

// refund gives money back, of one attempt or of whichever has it. Where one attempt
// is refunded at a time, "all" without its name is what is left of the newest.
func (r Record) refund(q refundOf) (Record, string, error) {
	paid, named := r.Payment(q.paymentID)
	if !named && q.single && !q.all {
		paid, named = r.refundable(q.amount), true
	}
	if !named && q.single {
		paid, named = r.newest(), true
	}
	left := paid.Captured.Sub(r.RefundedOf(paid))
	amount := q.amount
	switch {
	case q.all && named:
		amount = left
	case q.all:
		amount = r.Refundable()
	}
	if q.all && amount.Sign() == 0 { // nobody has named an amount that could be wrong
		err := r.checkEnded()
		if err == nil {
			err = conflict("REFUND_TOO_LARGE", "nothing of this payment is left to refund")
		}
		return r, "", err
	}
	next, word, err := r.Order.refund(amount)
	if err != nil {
		return r, "", err
	}
	if named && amount.Cmp(left) > 0 || q.paymentID != "" && paid.ID != q.paymentID {
		return r, "", conflict("REFUND_TOO_LARGE", "only "+left.String()+" of this payment can be refunded")
	}
	if !named {
		paid = r.refundable(amount)
	}
	r.Refunds = append(slices.Clone(r.Refunds), Refund{
		OrderID: r.ID, PaymentID: paid.ID, Revision: r.Revision + 1, ChangedIn: r.Revision + 1,
		Amount: amount, Reason: q.reason, Extra: q.extra, Status: payment.RefundDone,
	})
	r.Order = next
	return r, word, nil
}

// refundFail lets the newest refund in force come back.
func (r Record) refundFail() (Record, string, error) {
	for i, f := range slices.Backward(r.Refunds) {
		if f.Status != payment.RefundDone {
			continue
		}
		r.Refunds = slices.Clone(r.Refunds)
		r.Refunds[i].Status, r.Refunds[i].ChangedIn = payment.RefundFailed, r.Revision+1
		r.Order = r.Order.reverse(f.Amount)
		return r, refundFailed, nil
	}
	return r, "", conflict("NO_REFUND", "no refund of this order is in force")
}

// dispute opens a dispute about what was received and is still here.
func (r Record) dispute(amount payment.Amount, reason string) (Record, string, error) {
	if err := checkAmount("amount", amount); err != nil {
		return r, "", err
	}
	if amount.Cmp(r.Received) > 0 {
		return r, "", conflict("DISPUTE_TOO_LARGE", "only "+r.Received.String()+" was received")
	}
	if _, open := r.openDispute(); open {
		return r, "", conflict("DISPUTE_OPEN", "a dispute of this order is open already")
	}
	var paid Payment
	for _, p := range r.Payments {
		if p.Captured.Sign() > 0 && p.Status != AttemptTakenBack {
			paid = p
		}
	}
	r.Disputes = append(slices.Clone(r.Disputes), Dispute{
		PaymentID: paid.ID, ChangedIn: r.Revision + 1, Amount: amount, Reason: reason, Status: payment.DisputeOpen,
	})
	return r, disputeOpened, nil
}

// endDispute ends the open dispute.
func (r Record) endDispute(status payment.DisputeStatus) (Record, string, error) {
	i, open := r.openDispute()
	if !open {
		return r, "", conflict("NO_DISPUTE", "no dispute of this order is open")
	}
	r.Disputes = slices.Clone(r.Disputes)
	r.Disputes[i].Status, r.Disputes[i].ChangedIn = status, r.Revision+1
	return r, "dispute." + string(status), nil
}

func (r Record) openDispute() (int, bool) {
	i := slices.IndexFunc(r.Disputes, func(d Dispute) bool { return d.Status == payment.DisputeOpen })
	return i, i >= 0
}
