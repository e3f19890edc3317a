package sandbox

import (
	"regexp"
	"time"

	"onceshop/payment"
)

// The functions of this file decide what an order becomes; they touch nothing.
// Each returns the changed order and the word for what happened. Revision and
// times are the business of the transaction that stores the change.
//
// An order that failed or expired keeps that state until the whole amount has
// come for good; then late money makes it paid. Nothing ever leaves paid, and
// what was received or refunded never shrinks, but for two things that some
// providers do, and then count: captured money taken back, a refund come back.

// The words for changes that are not named after a payment status.
const (
	attemptFailed   = "payment.attempt_failed"
	takenBack       = "payment.taken_back"
	refundCompleted = "refund.completed"
	refundFailed    = "refund.failed"
	disputeOpened   = "dispute.opened"
	riskUpdated     = "risk.updated"
)

// maxDigits keeps sums of amounts far below the 65 digits of the columns.
const maxDigits = 60

// maxConfirmations bounds what one practice payment may ask for.
const maxConfirmations = 1000

func statusEvent(o Order) string { return "payment." + string(o.Status) }

// pay adds money. With confirmations it counts only after so many blocks; what
// comes while other money waits for blocks waits along, so that a second
// transfer can't shorten the wait of the first.
func (o Order) pay(amount payment.Amount, confirmations int) (Order, string, error) {
	if err := checkAmount("amount", amount); err != nil {
		return o, "", err
	}
	if confirmations < 0 || confirmations > maxConfirmations {
		return o, "", Invalid("confirmations", "must be from 0 to 1000")
	}
	if o.RefundStatus == payment.FullyRefunded {
		return o, "", conflict("ORDER_CLOSED", "everything was refunded; a full refund is final")
	}
	if o.Status == payment.Authorised {
		return o, "", conflict("CAPTURE_FIRST", "the whole amount is reserved; capture it")
	}
	switch {
	case o.AwaitsBlocks():
		o.Incoming = o.Incoming.Add(amount)
	case confirmations > 0:
		o.Incoming, o.Confirmations, o.WantedConfirmations = amount, 0, confirmations
		if o.Status == payment.Pending {
			o.Status = payment.Confirming
		}
	default:
		o = o.receive(amount)
	}
	return o, statusEvent(o), nil
}

// receive books money that is final. A part changes no state.
func (o Order) receive(amount payment.Amount) Order {
	o.Received = o.Received.Add(amount)
	if o.Due().Sign() == 0 {
		o.Status = payment.Paid
	}
	return o
}

// confirm counts blocks; with the last one wanted the money is received.
func (o Order) confirm(blocks int) (Order, string, error) {
	if blocks < 1 || blocks > maxConfirmations {
		return o, "", Invalid("confirmations", "must be from 1 to 1000")
	}
	if !o.AwaitsBlocks() {
		return o, "", conflict("NOT_CONFIRMING", "no money of this order waits for confirmations")
	}
	o.Confirmations = min(o.Confirmations+blocks, o.WantedConfirmations)
	if o.Confirmations == o.WantedConfirmations {
		incoming := o.Incoming
		o.Incoming = payment.Amount{}
		o = o.receive(incoming)
	}
	return o, statusEvent(o), nil
}

// authorise reserves the whole amount; nothing is received by that.
func (o Order) authorise() (Order, string, error) {
	if o.Status != payment.Pending || o.Received.Sign() > 0 {
		return o, "", conflict("NOT_AUTHORISABLE", "only an order that nothing was paid of can be authorised; this one is "+string(o.Status))
	}
	o.Status = payment.Authorised
	return o, statusEvent(o), nil
}

// capture takes what was reserved, or a part of it; after a part the rest stays
// reserved.
func (o Order) capture(amount payment.Amount) (Order, string, error) {
	if o.Status != payment.Authorised {
		return o, "", conflict("NOT_AUTHORISED", "only an authorised order can be captured; this one is "+string(o.Status))
	}
	if err := checkAmount("amount", amount); err != nil {
		return o, "", err
	}
	if amount.Cmp(o.Due()) > 0 {
		return o, "", Invalid("amount", "must be at most the reserved "+o.Due().String())
	}
	o = o.receive(amount)
	return o, statusEvent(o), nil
}

// attemptFail lets one attempt to pay fail; the order stays open for the next.
func (o Order) attemptFail() (Order, string, error) {
	if !o.open() || o.Status == payment.Authorised {
		return o, "", conflict("ORDER_ENDED", "only an order that waits for money can see an attempt fail; this one is "+string(o.Status))
	}
	return o, attemptFailed, nil
}

// takeBack undoes all that was captured: the payment has failed after all. What
// was refunded meanwhile can't be taken back.
func (o Order) takeBack() (Order, string, error) {
	if o.Status != payment.Paid || o.Refunded.Sign() > 0 || o.AwaitsBlocks() {
		return o, "", conflict("NOT_CAPTURED", "only a paid order of which nothing was refunded and nothing is on its way can lose its money")
	}
	o.TakenBack, o.Received, o.Status = o.TakenBack.Add(o.Received), payment.Amount{}, payment.Failed
	return o, takenBack, nil
}

// fail ends an unpaid order; what was waiting for blocks never arrives.
func (o Order) fail() (Order, string, error) {
	if !o.open() {
		return o, "", o.ended("fail")
	}
	o.Incoming = payment.Amount{}
	o.Status = payment.Failed
	return o, statusEvent(o), nil
}

// expire ends an unpaid order by time. What came or is coming still counts.
func (o Order) expire() (Order, string, error) {
	if !o.open() {
		return o, "", o.ended("expire")
	}
	o.Status = payment.Expired
	return o, statusEvent(o), nil
}

// open reports whether the payment has not ended yet, one way or the other.
func (o Order) open() bool {
	return o.Status == payment.Pending || o.Status == payment.Confirming || o.Status == payment.Authorised
}

func (o Order) ended(verb string) error {
	return conflict("ORDER_ENDED", "only an order that has not ended can "+verb+"; this one is "+string(o.Status))
}

// refund gives money back: never more than came in, and only once the payment
// has ended and nothing is on its way.
func (o Order) refund(amount payment.Amount) (Order, string, error) {
	if err := checkAmount("amount", amount); err != nil {
		return o, "", err
	}
	if err := o.checkEnded(); err != nil {
		return o, "", err
	}
	if amount.Cmp(o.Refundable()) > 0 {
		return o, "", conflict("REFUND_TOO_LARGE", "only "+o.Refundable().String()+" can be refunded")
	}
	o.Refunded = o.Refunded.Add(amount)
	return o.refundWord(), refundCompleted, nil
}

func (o Order) checkEnded() error {
	switch {
	case o.Status == payment.Pending && o.Received.Sign() == 0:
		return conflict("NOT_REFUNDABLE", "nothing has been paid yet that could be refunded")
	case o.open() || o.AwaitsBlocks():
		return conflict("NOT_REFUNDABLE", "the payment has not ended yet")
	}
	return nil
}

// reverse books a refund that came back.
func (o Order) reverse(amount payment.Amount) Order {
	o.Refunded, o.Reversed = o.Refunded.Sub(amount), o.Reversed.Add(amount)
	return o.refundWord()
}

// refundWord sets the refund's status to what its amount says. A surplus may
// stay: full means that the price has gone back. Of an order that never became
// paid, full means all that came.
func (o Order) refundWord() Order {
	switch {
	case o.Refunded.Sign() == 0:
		o.RefundStatus = payment.NotRefunded
	case o.Refunded.Cmp(o.Amount) >= 0 || o.Status != payment.Paid && o.Refundable().Sign() == 0:
		o.RefundStatus = payment.FullyRefunded
	default:
		o.RefundStatus = payment.PartiallyRefunded
	}
	return o
}

var riskWord = regexp.MustCompile(`^[a-z_]{1,32}$`)

// assess replaces the risk. Any word is taken: a shop must treat words it does
// not know as "no", and that wants practice too.
func (o Order) assess(r payment.Risk, now time.Time) (Order, string, error) {
	for _, f := range []struct{ name, word string }{
		{"decision", r.Decision}, {"serviceStatus", r.ServiceStatus}, {"chainEnforcement", r.ChainEnforcement},
	} {
		if !riskWord.MatchString(f.word) {
			return o, "", Invalid(f.name, "must be a word of 1 to 32 small letters or underscores")
		}
	}
	r.AssessedAt = &now
	o.Risk = r
	return o, riskUpdated, nil
}

func checkAmount(field string, a payment.Amount) error {
	if a.Sign() <= 0 {
		return Invalid(field, "must be more than 0")
	}
	if len(a.String()) > maxDigits {
		return Invalid(field, "must have at most 60 digits")
	}
	return nil
}
