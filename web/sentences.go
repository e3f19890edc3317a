package web

import (
	"strings"
	"time"

	"onceshop/checkout"
	"onceshop/payment"
	"onceshop/web/view"
)

// sentence words a kind of change for the buyer.
func sentence(kind string, changes []payment.Change, r record) string {
	if strings.HasPrefix(kind, "payment_") && before(changes, "payment_status") == string(payment.Paid) {
		return "The payment had arrived and was taken back."
	}
	switch kind {
	case "placed":
		return "Order placed."
	case "payment_retried":
		return retried(changes, r)
	case "payment_pending":
		return "Waiting for the payment."
	case "payment_confirming":
		return "The payment was seen and is being confirmed."
	case "payment_authorised":
		return "The payment was reserved; it is not taken yet."
	case "payment_paid":
		return "Paid in full."
	case "payment_failed":
		return "The payment failed."
	case "payment_expired", "expired":
		return "The time to pay ran out."
	case "cancelled":
		return "The order was cancelled."
	case "reopened":
		return "The cancellation was taken back."
	case "received":
		return "Money arrived."
	case "surplus":
		if shrank(changes, "surplus_amount") {
			return "What was paid too much went back."
		}
		return "More arrived than was asked for."
	case "refund_requested":
		return "We asked the provider to send money back."
	case "refund_taken":
		return "The provider took our refund."
	case "refund_refused":
		return "The provider did not take our refund."
	case "refunded":
		return "Money was sent back."
	case "refund_reversed":
		return "A refund did not arrive and came back to us."
	case "dispute_open":
		return "Your bank disputes the payment."
	case "dispute_won":
		return "The dispute is settled: the payment stands."
	case "dispute_lost":
		return "Your bank took money back."
	case "dispute_none":
		return "The dispute no longer concerns this order."
	case "review":
		return "The payment is under review."
	case "review_over":
		return "The review is over."
	case "risk":
		return "The provider assessed the risk of this payment."
	case "withheld":
		return "The delivery is held back."
	case "delivered":
		return "Delivered."
	case "mail_refused":
		return "The mail could not be delivered."
	case "mail_sent":
		return "The mail was delivered."
	}
	return detail(changes)
}

// detail words a change of a payment that changes nothing of the order.
func detail(changes []payment.Change) string {
	for _, c := range changes {
		switch what, _, _ := strings.Cut(c.Field, " "); {
		case what == "refund" && c.After == string(payment.RefundFailed):
			return "A refund did not arrive."
		case what == "refund":
			return "A refund moved on."
		case what == "dispute":
			return "A dispute moved on."
		}
	}
	if len(changes) == 1 && changes[0].Field == "attempt" {
		return "The provider knows of the payment."
	}
	return "The payment's details changed."
}

func retried(changes []payment.Change, r record) string {
	for _, c := range changes {
		if c.Field == "provider" && c.Before != c.After {
			return "A new payment was started: " + r.way(c.After).Label + "."
		}
	}
	return "A new payment was started."
}

func before(changes []payment.Change, field string) string {
	for _, c := range changes {
		if c.Field == field {
			return c.Before
		}
	}
	return ""
}

// shrank tells whether an amount became less.
func shrank(changes []payment.Change, field string) bool {
	for _, c := range changes {
		was, err1 := payment.ParseAmount(c.Before)
		is, err2 := payment.ParseAmount(c.After)
		if c.Field == field && err1 == nil && err2 == nil {
			return is.Cmp(was) < 0
		}
	}
	return false
}

// field names a column for people.
func field(name string) string {
	switch what, ref, _ := strings.Cut(name, " "); what {
	case "refund":
		return "Refund " + ref
	case "dispute":
		return "Dispute " + ref
	}
	switch name {
	case "provider":
		return "Pay with"
	case "payment_status":
		return "Payment"
	case "refund_status":
		return "Refund"
	case "dispute_status":
		return "Dispute"
	case "received_amount", "received":
		return "Received"
	case "refunded_amount", "refunded":
		return "Refunded"
	case "refund_asked":
		return "To be sent back"
	case "reversed":
		return "Refunds that came back"
	case "taken_back":
		return "Taken back"
	case "surplus_amount":
		return "Paid too much"
	case "fulfillment_status":
		return "Delivery"
	case "review_reason":
		return "Review"
	case "fulfillment_decision":
		return "Decision"
	case "service_status":
		return "Merchant service"
	case "chain_enforcement":
		return "Chain enforcement"
	case "risk_valid_until":
		return "Assessment valid until"
	case "risk_assessed_at":
		return "Assessed"
	case "provider_ref":
		return "Provider reference"
	case "confirmations":
		return "Confirmations"
	case "licenses":
		return "Licenses"
	case "licenses_active":
		return "Licenses valid again"
	case "licenses_suspended":
		return "Licenses suspended"
	case "licenses_revoked":
		return "Licenses revoked"
	case "blocked_by":
		return "Held back by"
	case "mail_refusal":
		return "Because"
	case "mail_refused_at":
		return "Mail refused"
	case "cancelled_at":
		return "Cancelled"
	case "expires_at":
		return "To be paid until"
	case "attempt":
		return "Payment no."
	case "amount":
		return "Amount"
	case "currency":
		return "Currency"
	case "provider_revision":
		return "Provider revision"
	}
	return name
}

// value words a field's content for people: times in UTC, codes in words.
func value(name, v string, r record) string {
	switch what, ref, _ := strings.Cut(name, " "); {
	case what == "refund" && ref != "":
		return refundWord(payment.RefundState(v))
	case what == "dispute" && ref != "":
		return disputeWord(payment.DisputeStatus(v))
	}
	switch name {
	case "risk_valid_until", "risk_assessed_at", "mail_refused_at", "cancelled_at", "expires_at":
		if t, err := time.Parse(time.RFC3339Nano, v); err == nil {
			return view.At(t, r.now).Full
		}
	case "provider":
		if v != "" {
			return r.way(v).Label
		}
	case "payment_status":
		if v == string(payment.Authorised) {
			return "reserved"
		}
	case "dispute_status":
		return disputeWord(payment.DisputeStatus(v))
	case "review_reason":
		return reviewReason(v)
	}
	return v
}

// disputeWord tells how a dispute stands as the buyer sees it: the one that the shop
// has won, the bank has settled.
func disputeWord(s payment.DisputeStatus) string {
	switch s {
	case payment.DisputeWon:
		return "settled, the payment stands"
	case payment.DisputeLost:
		return "charged back"
	}
	return string(s)
}

func refundWord(s payment.RefundState) string {
	switch s {
	case payment.RefundPending:
		return "on its way"
	case payment.RefundDone:
		return "sent back"
	case payment.RefundFailed:
		return "did not arrive"
	}
	return string(s)
}

func reviewReason(code string) string {
	switch code {
	case payment.AmountMismatch:
		return "not the amount that was asked for"
	case payment.CurrencyMismatch:
		return "not the currency that was asked for"
	case payment.RefundExceedsPayment:
		return "more was sent back than ever arrived"
	case payment.ImpossibleChange:
		return "the provider reports a step backwards"
	case payment.UnknownStatus:
		return "the provider uses a word that we don't know"
	case checkout.PaidAfterCancellation:
		return "money arrived after the order was cancelled"
	}
	return code
}
