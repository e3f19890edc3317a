package web

import (
	"slices"

	"onceshop/checkout"
	"onceshop/payment"
	"onceshop/store/db"
	"onceshop/web/view"
)

// amounts are the sums below an order's total: only those that there are.
func amounts(r record) []view.Amount {
	var list []view.Amount
	o := r.order
	add := func(label string, a payment.Amount, note string) {
		if a.Sign() > 0 {
			list = append(list, view.Amount{Label: label, Value: price(a, o.Currency), Note: note})
		}
	}
	var takenBack, chargedBack, sentBack payment.Amount
	for _, p := range r.payments {
		takenBack, sentBack = takenBack.Add(p.TakenBack), sentBack.Add(p.Refunded)
	}
	for _, d := range r.disputes {
		if d.Status == payment.DisputeLost {
			chargedBack = chargedBack.Add(d.Amount)
		}
	}
	add("Received", o.ReceivedAmount, "")
	add("Taken back", takenBack, "")
	add("Refunded", o.RefundedAmount, "")
	add("Charged back", chargedBack, "")
	add("Paid too much", o.SurplusAmount, "We owe you this and will send it back.")
	if o.PaymentStatus == payment.Paid {
		add("Paid too much and sent back", sentBack.Sub(o.RefundedAmount), "")
	}
	return list
}

// refunds are the single refunds, where the provider tells of them, oldest first.
func refunds(r record) []view.Movement {
	var list []view.Movement
	for _, f := range r.refunds {
		m := view.Movement{Amount: price(f.Amount, r.order.Currency), At: view.At(f.CreatedAt, r.now)}
		switch f.Status {
		case payment.RefundPending:
			m.State = view.Pill{Word: "On its way", Tone: view.ToneWait}
			m.Sentence = "Your bank may take some days to show it."
		case payment.RefundDone:
			m.State = view.Pill{Word: "Sent back", Tone: view.ToneGood}
			m.Sentence = "It goes to where you paid from."
		case payment.RefundFailed:
			m.State = view.Pill{Word: "Did not arrive", Tone: view.ToneBad}
			m.Sentence = "It could not be sent to where you paid from."
			if isOwed(f, r) {
				m.Sentence, m.Promised = "It could not be sent to where you paid from, and the money is with us. We will get in touch.", true
			}
		}
		list = append(list, m)
	}
	return list
}

// isOwed tells whether the money of a refund that failed still waits for a person, as
// store.CountOrdersToLookAt counts: nobody has asked for it anew, and the payment holds
// it, because neither refunds nor the provider took it since, nor does the bank want it.
func isOwed(f db.Refund, r record) bool {
	var held payment.Amount
	for _, p := range r.payments {
		if p.ID == f.PaymentID {
			held = p.Received.Sub(p.Refunded).Sub(disputedOf(p, r, payment.DisputeOpen, payment.DisputeLost))
		}
	}
	anew := func(n db.Refund) bool {
		return n.PaymentID == f.PaymentID && n.Status != payment.RefundFailed && !n.CreatedAt.Before(f.UpdatedAt)
	}
	return held.Cmp(f.Amount) >= 0 && !slices.ContainsFunc(r.refunds, anew)
}

// disputedOf is what a payment's disputes that stand so keep of it.
func disputedOf(p db.Payment, r record, statuses ...payment.DisputeStatus) (sum payment.Amount) {
	for _, d := range checkout.Keeping(p, r.disputes) {
		if slices.Contains(statuses, d.Status) {
			sum = sum.Add(d.Amount)
		}
	}
	return sum
}

// disputes are what the buyer's bank has asked for.
func disputes(r record) []view.Movement {
	var list []view.Movement
	for _, d := range r.disputes {
		m := view.Movement{Amount: price(d.Amount, r.order.Currency), At: view.At(d.CreatedAt, r.now)}
		switch d.Status {
		case payment.DisputeOpen:
			m.State = view.Pill{Word: "Open", Tone: view.ToneWarn}
			m.Sentence = "Your bank asks for this amount back. It decides; there is nothing to do here."
		case payment.DisputeWon:
			m.State = view.Pill{Word: "Settled", Tone: view.ToneGood}
			m.Sentence = "It was decided that the payment stands."
		case payment.DisputeLost:
			m.State = view.Pill{Word: "Charged back", Tone: view.ToneIdle}
			m.Sentence = "Your bank has taken this amount back."
		}
		list = append(list, m)
	}
	return list
}
