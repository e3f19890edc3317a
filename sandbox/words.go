package sandbox

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"onceshop/payment"
	"onceshop/sandbox/pages"
)

// money words an amount for people.
func (o Order) money(a payment.Amount) string {
	return payment.Money{Amount: a, Currency: o.Currency}.Format("en")
}

// sentence turns an error's text into one: capital and full stop.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(text)
	text = string(unicode.ToUpper(first)) + text[size:]
	if !strings.HasSuffix(text, ".") {
		text += "."
	}
	return text
}

// payState words where the payment stands: a pill, a headline, what follows.
func (o Order) payState(p Profile) (pill pages.Pill, headline, lead string) {
	part := o.Received.Sign() > 0 && o.Due().Sign() > 0
	switch {
	case o.RefundStatus == payment.FullyRefunded:
		return pages.Pill{Words: "Refunded", Tone: pages.Warn}, "This payment was refunded", "Nothing more can be paid here."
	case o.Status == payment.Paid && o.AwaitsBlocks():
		return pages.Pill{Words: "Paid", Tone: pages.Good}, "Payment complete", "A further transfer is on its way."
	case o.Status == payment.Paid:
		return pages.Pill{Words: "Paid", Tone: pages.Good}, "Payment complete", "You can go back to the shop."
	case o.AwaitsBlocks() && !p.Chain:
		return pages.Pill{Words: "Confirming", Tone: pages.Calm}, "Confirming your payment",
			"The money was seen. It is final when the bank confirms."
	case o.AwaitsBlocks():
		return pages.Pill{Words: "Confirming", Tone: pages.Calm}, "Confirming your payment",
			"The money was seen. It is final after the confirmations below."
	case o.Status == payment.Authorised:
		return pages.Pill{Words: "Reserved", Tone: pages.Calm}, "The amount is reserved", "It is taken when the shop captures it."
	case o.Status == payment.Failed && o.TakenBack.Sign() > 0:
		return pages.Pill{Words: "Taken back", Tone: pages.Bad}, "The payment failed after all", "The money that was captured didn’t arrive."
	case o.Status == payment.Failed:
		return pages.Pill{Words: "Failed", Tone: pages.Bad}, "The payment failed", "No money was taken. Money that still arrives is counted."
	case o.Status == payment.Expired:
		return pages.Pill{Words: "Expired", Tone: pages.Bad}, "The time to pay is over", "Money that still arrives is counted."
	case part:
		return pages.Pill{Words: "Partly paid", Tone: pages.Warn}, "Part of the amount has arrived", "Pay the rest to complete the order."
	}
	return pages.Pill{Words: "Waiting for payment", Tone: pages.Calm}, "Choose how to pay", "Nothing has arrived yet."
}

// refundPill is nil while nothing went back.
func (o Order) refundPill() *pages.Pill {
	switch o.RefundStatus {
	case payment.FullyRefunded:
		return &pages.Pill{Words: "refunded", Tone: pages.Warn}
	case payment.PartiallyRefunded:
		return &pages.Pill{Words: "partly refunded", Tone: pages.Warn}
	}
	return nil
}

// disputePill is nil while nothing is disputed.
func disputePill(status payment.DisputeStatus) *pages.Pill {
	switch status {
	case payment.DisputeOpen:
		return &pages.Pill{Words: "disputed", Tone: pages.Bad}
	case payment.DisputeLost:
		return &pages.Pill{Words: "dispute lost", Tone: pages.Bad}
	case payment.DisputeWon:
		return &pages.Pill{Words: "dispute won", Tone: pages.Good}
	}
	return nil
}

// title is what the order is called on pages.
func (o Order) title() string {
	if o.Description != "" {
		return o.Description
	}
	return "Order " + o.MerchantOrderID
}

// eventTone colours a revision by what happened.
func eventTone(word string) pages.Tone {
	switch word {
	case "payment.paid", "dispute.won":
		return pages.Good
	case "payment.failed", "payment.expired", takenBack, disputeOpened, "dispute.lost":
		return pages.Bad
	case refundCompleted, refundFailed, riskUpdated, attemptFailed:
		return pages.Warn
	}
	return pages.Calm
}

// deliveryPill words a delivery's status.
func deliveryPill(status string) pages.Pill {
	switch status {
	case "done":
		return pages.Pill{Words: "delivered", Tone: pages.Good}
	case "dead":
		return pages.Pill{Words: "given up", Tone: pages.Bad}
	case "leased":
		return pages.Pill{Words: "being sent", Tone: pages.Calm}
	case "pending":
		return pages.Pill{Words: "waiting", Tone: pages.Calm}
	}
	return pages.Pill{Words: status, Tone: pages.Warn}
}
