package sandbox

import (
	"slices"
	"time"

	"onceshop/payment"
)

// Record is an order with all that belongs to it.
type Record struct {
	Order
	Payments []Payment // in the order in which they were tried
	Refunds  []Refund  // oldest first
	Disputes []Dispute // oldest first
}

// Payment is one attempt to pay an order: most providers keep a record of each,
// under an id of its own.
type Payment struct {
	ID        string
	Ref       string // the provider's id, where it has one
	Number    int    // 1, 2, 3 within the order
	Status    PaymentState
	Amount    payment.Amount
	Captured  payment.Amount // what came for good, and still counts unless Status is TakenBack
	ChangedIn uint64         // revision of the order at its last change

	CreatedAt, UpdatedAt time.Time
}

// PaymentState is where one attempt to pay stands.
type PaymentState string

// The states of an attempt.
const (
	AttemptFailed     PaymentState = "failed"
	AttemptConfirming PaymentState = "confirming" // seen, not final
	AttemptAuthorised PaymentState = "authorised" // reserved; Captured may be a part
	AttemptCaptured   PaymentState = "captured"
	AttemptCancelled  PaymentState = "cancelled" // given up while reserved
	AttemptExpired    PaymentState = "expired"   // ran out while reserved
	AttemptTakenBack  PaymentState = "taken_back"
)

// Refund is money given back, once per idempotency key.
type Refund struct {
	ID        string
	Ref       string // the provider's id, where it has one
	OrderID   string
	PaymentID string // what it gives back; empty: nothing had been paid by attempts
	Revision  uint64 // of the order, made by this refund
	ChangedIn uint64 // revision of the order at its last change
	Amount    payment.Amount
	Reason    string
	Extra     []byte // what the dialect keeps of the request, in its own form
	Status    payment.RefundState

	CreatedAt, UpdatedAt time.Time
}

// Dispute is money that a buyer's bank claims back.
type Dispute struct {
	ID        string
	Ref       string // the provider's id, where it has one
	PaymentID string // what is disputed
	ChangedIn uint64 // revision of the order at its last change
	Amount    payment.Amount
	Reason    string
	Status    payment.DisputeStatus

	CreatedAt, UpdatedAt time.Time
}

// Payment returns an attempt by its id.
func (r Record) Payment(id string) (Payment, bool) {
	i := slices.IndexFunc(r.Payments, func(p Payment) bool { return p.ID == id })
	if i < 0 {
		return Payment{}, false
	}
	return r.Payments[i], true
}

// PaymentByRef returns an attempt by the provider's id.
func (r Record) PaymentByRef(ref string) (Payment, bool) {
	i := slices.IndexFunc(r.Payments, func(p Payment) bool { return ref != "" && p.Ref == ref })
	if i < 0 {
		return Payment{}, false
	}
	return r.Payments[i], true
}

// Latest returns the newest attempt to pay.
func (r Record) Latest() (Payment, bool) {
	if len(r.Payments) == 0 {
		return Payment{}, false
	}
	return r.Payments[len(r.Payments)-1], true
}

// RefundByRef returns a refund by the provider's id.
func (r Record) RefundByRef(ref string) (Refund, bool) {
	i := slices.IndexFunc(r.Refunds, func(f Refund) bool { return ref != "" && f.Ref == ref })
	if i < 0 {
		return Refund{}, false
	}
	return r.Refunds[i], true
}

// DisputeByRef returns a dispute by the provider's id.
func (r Record) DisputeByRef(ref string) (Dispute, bool) {
	i := slices.IndexFunc(r.Disputes, func(d Dispute) bool { return ref != "" && d.Ref == ref })
	if i < 0 {
		return Dispute{}, false
	}
	return r.Disputes[i], true
}

// RefundedOf is what of an attempt has gone back and stayed away.
func (r Record) RefundedOf(p Payment) (sum payment.Amount) {
	for _, f := range r.Refunds {
		if f.PaymentID == p.ID && f.Status == payment.RefundDone {
			sum = sum.Add(f.Amount)
		}
	}
	return sum
}

// newest is the newest attempt of which something can go back.
func (r Record) newest() Payment {
	for _, p := range slices.Backward(r.Payments) {
		if p.Status != AttemptTakenBack && p.Captured.Sub(r.RefundedOf(p)).Sign() > 0 {
			return p
		}
	}
	return Payment{}
}

// refundable is the attempt that a refund of so much gives back: the first that
// has so much left, or else the newest that was captured.
func (r Record) refundable(amount payment.Amount) (paid Payment) {
	for _, p := range r.Payments {
		if p.Captured.Sign() <= 0 || p.Status == AttemptTakenBack {
			continue
		}
		paid = p
		if p.Captured.Sub(r.RefundedOf(p)).Cmp(amount) >= 0 {
			break
		}
	}
	return paid
}
