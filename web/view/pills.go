package view

func paymentPill(f Facts) Pill {
	switch {
	case f.Refund == "full":
		return Pill{"Refunded", ToneIdle}
	case f.Dispute == "lost":
		return Pill{"Charged back", ToneIdle}
	case f.Dispute == "open":
		return Pill{"Disputed", ToneWarn}
	case f.Review:
		return Pill{"Under review", ToneWarn}
	case f.Payment == "paid" && f.Refund == "partial":
		return Pill{"Partially refunded", ToneGood}
	case f.Payment == "paid":
		return Pill{"Paid", ToneGood}
	case f.Payment == "authorised":
		return Pill{"Reserved", ToneWait}
	case f.TakenBack && over(f.Payment):
		return Pill{"Taken back", ToneBad}
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
		return Pill{"Delivered", ToneGood}
	case DeliverySuspended:
		return Pill{"Suspended", ToneWarn}
	case DeliveryRevoked:
		return Pill{"Revoked", ToneIdle}
	case DeliveryPreparing:
		return Pill{"In preparation", ToneWait}
	case DeliveryWithheld:
		return Pill{"Held back", ToneWarn}
	case DeliveryCancelled:
		return Pill{"Not delivered", ToneIdle}
	}
	return Pill{"After payment", ToneIdle}
}
