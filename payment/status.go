package payment

// Status is where a payment stands, in the provider's view.
type Status string

// The payment states. A payment moves forward through them and may skip any;
// Failed and Expired are overtaken by money that arrives late.
const (
	Pending    Status = "pending"    // asked for, nothing certain yet
	Confirming Status = "confirming" // the provider has it and waits
	Authorised Status = "authorised" // money is reserved, not taken: nothing may be delivered
	Paid       Status = "paid"       // the whole amount has arrived
	Failed     Status = "failed"     // ended without money
	Expired    Status = "expired"    // ended by time
	Cancelled  Status = "cancelled"  // of orders only: a person ended it
)

// RefundStatus tells how much of a payment was given back.
type RefundStatus string

// The refund states, in the order in which they may follow one another.
const (
	NotRefunded       RefundStatus = "none"
	PartiallyRefunded RefundStatus = "partial"
	FullyRefunded     RefundStatus = "full"
)

// RefundStatusOf tells how much of what was asked for has gone back, for providers
// that tell amounts and no word. What has arrived doesn't matter: more may follow, and
// a full refund never becomes a partial one.
func RefundStatusOf(refunded, asked Amount) RefundStatus {
	switch {
	case refunded.Sign() <= 0:
		return NotRefunded
	case refunded.Cmp(asked) < 0:
		return PartiallyRefunded
	}
	return FullyRefunded
}
