package checkout

import (
	"onceshop/payment"
	"onceshop/store/db"
)

// Paying tells how an order may be paid that isn't. Both false: it may not.
type Paying struct {
	Last      db.Payment // to go on with, of those that we asked a provider for; none: its ID is empty
	Open      bool       // Last may still be paid
	Elsewhere bool       // a new payment may be begun, at any provider
}

// PayingOf looks at an order and its payments, oldest first. A part that has arrived
// stays where it is: as long as its payment is open, the rest can't go elsewhere.
func PayingOf(o db.Order, payments []db.Payment) Paying {
	var p Paying
	p.Last, _ = asked(payments, "")
	part := o.ReceivedAmount.Sign() > 0
	switch o.PaymentStatus {
	case payment.Pending:
		p.Open, p.Elsewhere = true, !part && o.ReviewReason == nil
	case payment.Confirming:
		p.Open = part && o.ReceivedAmount.Cmp(o.Total) < 0 && o.ReviewReason == nil
	case payment.Failed, payment.Expired:
		p.Elsewhere = true
	}
	return p
}

// asked is the payment to go on with, of those that we asked a provider for, that
// provider if way isn't empty: the newest that is open, before it one that has a part
// of the price; else the newest. One that was opened by hand has no idempotency key,
// and nothing to go on with.
func asked(payments []db.Payment, way string) (p db.Payment, ok bool) {
	for _, candidate := range payments {
		if candidate.IdempotencyKey == nil || way != "" && candidate.Provider != way {
			continue
		}
		if !ok || promise(candidate) >= promise(p) {
			p, ok = candidate, true
		}
	}
	return p, ok
}

// promise orders payments by how much speaks for going on with them.
func promise(p db.Payment) int {
	switch {
	case p.Status == payment.Failed || p.Status == payment.Expired || p.Status == payment.Cancelled:
		return 0
	case p.Received.Sign() == 0:
		return 1
	}
	return 2
}
