package view

import (
	"strconv"
	"strings"
)

// Describe words an order's facts. A refund speaks before everything else, then a
// dispute, a review, the payment and at last the delivery: the first thing a reader
// must know becomes the headline.
func Describe(f Facts) Status {
	s := Status{Payment: paymentPill(f), Delivery: deliveryPill(f), Steps: steps(f)}
	s.Headline, s.Sentence, s.Tone = headline(f)
	s.GetInTouch = strings.HasSuffix(s.Sentence, getInTouch)
	s.Mail = f.Mail
	s.Waiting = waiting(f)
	s.AsksPay = asksPay(f)
	return s
}

// getInTouch ends what only a person can go on from.
const getInTouch = " Please get in touch with us."

func headline(f Facts) (headline, sentence, tone string) {
	switch {
	case f.Refund == "full" && delivered(f):
		return "Refunded", "The whole amount was sent back. " + yourLicenses(f, "is", "are") + " no longer valid.", ToneIdle
	case f.Refund == "full":
		return "Refunded", "The whole amount was sent back. Nothing will be delivered.", ToneIdle
	case disputed(f):
		return disputeHeadline(f)
	case f.Review && delivered(f):
		return "Payment under review", "A person looks at this payment again. You do not need to do anything; this page tells what comes of it.", ToneWarn
	case f.Review:
		return "Payment under review", "A person looks at this payment before anything is delivered. You do not need to do anything; your license comes by mail once it is cleared.", ToneWarn
	case f.Payment == "paid":
		return paidHeadline(f)
	case f.Payment == "authorised":
		return reservedHeadline(f)
	case f.TakenBack && over(f.Payment):
		if delivered(f) {
			return "Payment taken back", "The payment had arrived and was taken back, so " + noun(f.Licenses, "your license has", "your licenses have") +
				" ended. Pay again, and the same " + noun(f.Licenses, "license is", "licenses are") + " valid again.", ToneBad
		}
		return "Payment taken back", "The payment had arrived and was taken back before anything was delivered. You can pay again; it stays one order.", ToneBad
	case f.Received != "":
		h := "Partly paid: " + f.Received + " of " + f.Total + " received"
		if over(f.Payment) {
			return h, "The payment ended before the rest arrived. Nothing is lost: what arrived is booked to this order.", ToneWarn
		}
		return h, "The rest is still missing. Delivery starts as soon as it arrives.", ToneWarn
	case f.Payment == "confirming":
		return confirmingHeadline(f)
	case f.Payment == "failed":
		return "Payment failed", "The payment did not go through and nothing was taken. You can pay again; it stays one order.", ToneBad
	case f.Payment == "expired":
		return "Payment expired", "The time to pay ran out and nothing arrived. You can pay again; it stays one order.", ToneIdle
	case f.Payment == "cancelled":
		return "Order cancelled", "This order was cancelled. Nothing was delivered and nothing needs to be paid.", ToneIdle
	case f.Returned:
		return confirmingHeadline(f)
	case f.TakenBack && delivered(f):
		return "Waiting for payment", "The earlier payment was taken back. " + yourLicenses(f, "is", "are") + " valid again as soon as the new one arrives.", ToneWait
	}
	return "Waiting for payment", "Nothing has arrived yet. This page changes by itself as soon as it does.", ToneWait
}

func paidHeadline(f Facts) (headline, sentence, tone string) {
	part := f.Refund == "partial"
	switch f.Delivery {
	case DeliveryDone:
		switch {
		case part:
			return "Partially refunded", "A part of the amount was sent back. " + yourLicenses(f, "stays", "stay") + " valid.", ToneGood
		case f.Dispute == "won":
			return "Paid", "The dispute is settled and the payment stands: " + noun(f.Licenses, "your license is", "your licenses are") + " valid, " + where(f), ToneGood
		}
		return "Paid", "Delivered: your " + noun(f.Licenses, "license is", "licenses are") + " " + where(f), ToneGood
	case DeliverySuspended:
		return "Paid", yourLicenses(f, "rests", "rest") + " for the moment. This page tells when that ends.", ToneWarn
	case DeliveryRevoked:
		return "Paid", yourLicenses(f, "has", "have") + " ended." + getInTouch, ToneWarn
	}
	switch {
	case part && f.Delivery == DeliveryPreparing:
		return "Partially refunded", "A part of the amount was sent back. Your key is being prepared.", ToneWait
	case part:
		return "Partially refunded", "A part of the amount was sent back.", ToneWarn
	case f.Delivery == DeliveryWithheld:
		return "Payment under review", "The payment arrived, but the delivery is held back until it is cleared. You do not need to pay again; your license comes by mail then.", ToneWarn
	case f.Delivery == DeliveryCancelled:
		return "Paid", "The payment arrived, but this order will not be delivered." + getInTouch, ToneWarn
	}
	return "Your key is being prepared", "The payment arrived. Your " + noun(f.Licenses, "license", "licenses") + " will appear here and in your mail.", ToneWait
}

// where tells where delivered licenses are found.
func where(f Facts) string {
	switch f.Mail {
	case MailSent:
		return "below and in your mail."
	case MailComes:
		return "below, and a mail is on its way."
	}
	return "below."
}

// reservedHeadline is for money that is promised but not taken. A part may be.
func reservedHeadline(f Facts) (headline, sentence, tone string) {
	const soon = " You do not need to pay again."
	keys := noun(f.Licenses, "key", "keys")
	if f.Received != "" {
		return "Payment reserved", f.Received + " of " + f.Total + " is taken, the rest is reserved. We send your " + keys + " as soon as all of it is taken." + soon, ToneWait
	}
	return "Payment reserved", "Your payment is reserved. We send your " + keys + " as soon as it is taken." + soon, ToneWait
}

func disputeHeadline(f Facts) (headline, sentence, tone string) {
	lost := f.Dispute == "lost"
	headline, sentence = "Payment charged back", "Your bank took this payment back. "
	if f.ChargedBack != "" {
		headline, sentence = "Payment partly charged back", "Your bank took "+f.ChargedBack+" of this payment back. "
	}
	switch {
	case lost && delivered(f):
		return headline, sentence + yourLicenses(f, "is", "are") + " no longer valid.", ToneIdle
	case lost:
		return headline, sentence + "Nothing will be delivered.", ToneIdle
	case delivered(f):
		return "Payment disputed", "Your bank disputes this payment. " + yourLicenses(f, "rests", "rest") + " until that is settled.", ToneWarn
	}
	return "Payment disputed", "Your bank disputes this payment. Nothing is delivered until that is settled.", ToneWarn
}

func confirmingHeadline(f Facts) (headline, sentence, tone string) {
	if f.Overdue {
		return "Confirming your payment", "Still confirming – you do not need to pay again; we will mail you.", ToneWait
	}
	if f.Payment != "confirming" {
		return "Confirming your payment", "We are waiting for the payment provider's word. This takes a moment; you do not need to pay again.", ToneWait
	}
	switch f.Confirmations {
	case 0:
		return "Confirming your payment", "The payment was seen and is being confirmed. You do not need to pay again.", ToneWait
	case 1:
		return "Confirming your payment", "1 confirmation so far. You do not need to pay again.", ToneWait
	}
	return "Confirming your payment", strconv.Itoa(f.Confirmations) + " confirmations so far. You do not need to pay again.", ToneWait
}

// waiting tells whether news may come without anybody's doing. A failed or
// expired payment stays on the list only as long as money is on its way; a bank
// takes weeks.
func waiting(f Facts) bool {
	switch {
	case f.Refund == "full", disputed(f):
		return false
	case f.Payment == "paid":
		return f.Delivery == DeliveryPreparing || f.Delivery == DeliveryWaiting
	case f.Review:
		return false
	}
	return !over(f.Payment)
}

// asksPay tells whether the next step is the buyer's: nothing is known to be on
// its way, or a part is missing.
func asksPay(f Facts) bool {
	if f.Review || disputed(f) || f.Payment == "paid" || f.Payment == "authorised" || over(f.Payment) {
		return false
	}
	return f.Received != "" || f.Payment == "pending" && !f.Returned
}

// over tells whether a payment has ended without its full amount.
func over(payment string) bool {
	return payment == "failed" || payment == "expired" || payment == "cancelled"
}

// disputed tells whether the buyer's bank wants the money back, or has it.
func disputed(f Facts) bool { return f.Dispute == "open" || f.Dispute == "lost" }

// delivered tells whether licenses were given, whatever has become of them.
func delivered(f Facts) bool {
	return f.Delivery == DeliveryDone || f.Delivery == DeliverySuspended || f.Delivery == DeliveryRevoked
}

func yourLicenses(f Facts, one, many string) string {
	return noun(f.Licenses, "Your license "+one, "Your licenses "+many)
}
