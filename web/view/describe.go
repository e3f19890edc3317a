package view

import "strconv"

// Describe words an order's facts. A refund speaks before everything else, a
// review before a payment, a payment before a delivery: the first thing a
// reader must know becomes the headline.
func Describe(f Facts) Status {
	s := Status{Payment: paymentPill(f), Delivery: deliveryPill(f), Steps: steps(f)}
	s.Headline, s.Sentence, s.Tone = headline(f)
	s.Waiting = waiting(f)
	s.AsksPay = asksPay(f)
	return s
}

func headline(f Facts) (headline, sentence, tone string) {
	paid := f.Payment == "paid"
	switch {
	case f.Refund == "full":
		if f.Licenses > 0 && f.Delivery == DeliveryDone {
			return "Refunded", "The whole amount was sent back. The licenses of this order are no longer valid.", ToneIdle
		}
		return "Refunded", "The whole amount was sent back. Nothing will be delivered.", ToneIdle
	case f.Review && f.Delivery == DeliveryDone:
		return "Payment under review", "A person looks at this payment again. You do not need to do anything; this page tells what comes of it.", ToneWarn
	case f.Review:
		return "Payment under review", "A person looks at this payment before anything is delivered. You do not need to do anything; your license comes by mail once it is cleared.", ToneWarn
	case paid && f.Refund == "partial":
		switch f.Delivery {
		case DeliveryDone:
			return "Partially refunded", "A part of the amount was sent back. Your " + noun(f.Licenses, "license stays", "licenses stay") + " valid.", ToneGood
		case DeliveryPreparing:
			return "Partially refunded", "A part of the amount was sent back. Your key is being prepared.", ToneWait
		}
		return "Partially refunded", "A part of the amount was sent back.", ToneWarn
	case paid:
		return paidHeadline(f)
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
	}
	return "Waiting for payment", "Nothing has arrived yet. This page changes by itself as soon as it does.", ToneWait
}

func paidHeadline(f Facts) (headline, sentence, tone string) {
	switch f.Delivery {
	case DeliveryDone:
		return "Paid", "Delivered: your " + noun(f.Licenses, "license is", "licenses are") + " below and in your mail.", ToneGood
	case DeliveryWithheld:
		return "Payment under review", "The payment arrived, but the delivery is held back until it is cleared. You do not need to pay again; your license comes by mail then.", ToneWarn
	case DeliveryCancelled:
		return "Paid", "The payment arrived, but this order will not be delivered. Please get in touch with us.", ToneWarn
	}
	return "Your key is being prepared", "The payment arrived. Your " + noun(f.Licenses, "license", "licenses") + " will appear here and in your mail.", ToneWait
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

func paymentPill(f Facts) Pill {
	switch {
	case f.Refund == "full":
		return Pill{"Refunded", ToneIdle}
	case f.Review:
		return Pill{"Under review", ToneWarn}
	case f.Payment == "paid" && f.Refund == "partial":
		return Pill{"Partially refunded", ToneGood}
	case f.Payment == "paid":
		return Pill{"Paid", ToneGood}
	case f.Received != "":
		return Pill{"Partly paid", ToneWarn}
	case f.Payment == "confirming", f.Payment == "pending" && f.Returned:
		return Pill{"Confirming", ToneWait}
	case f.Payment == "failed":
		return Pill{"Failed", ToneBad}
	case f.Payment == "expired":
		return Pill{"Expired", ToneIdle}
	case f.Payment == "cancelled":
		return Pill{"Cancelled", ToneIdle}
	}
	return Pill{"Waiting", ToneWait}
}

func deliveryPill(f Facts) Pill {
	switch f.Delivery {
	case DeliveryDone:
		if f.Refund == "full" {
			return Pill{"Revoked", ToneIdle}
		}
		return Pill{"Delivered", ToneGood}
	case DeliveryPreparing:
		return Pill{"In preparation", ToneWait}
	case DeliveryWithheld:
		return Pill{"Held back", ToneWarn}
	case DeliveryCancelled:
		return Pill{"Not delivered", ToneIdle}
	}
	return Pill{"After payment", ToneIdle}
}

// waiting tells whether news may come without anybody's doing. A failed or
// expired payment stays on the list only as long as money is on its way.
func waiting(f Facts) bool {
	switch {
	case f.Refund == "full":
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
	if f.Review || f.Payment == "paid" || over(f.Payment) {
		return false
	}
	return f.Received != "" || f.Payment == "pending" && !f.Returned
}

// over tells whether a payment has ended without its full amount.
func over(payment string) bool {
	return payment == "failed" || payment == "expired" || payment == "cancelled"
}
