package view

// steps draws the way from ordered to delivered. A step is done only when its
// fact is known, so the line never runs ahead of the records.
func steps(f Facts) []Step {
	ordered := Step{Label: "Ordered", State: StepDone}
	confirming := Step{Label: "Confirming", State: StepTodo}
	paid := Step{Label: "Paid", State: StepTodo}
	last := Step{Label: "Delivered", State: StepTodo}

	switch {
	case f.Payment == "paid":
		confirming.State, paid.State = StepDone, StepDone
		last = deliveryStep(f)
	case f.Review:
		confirming.State = StepStopped
	case f.TakenBack && over(f.Payment):
		confirming.State = StepDone
		paid.Label, paid.State = "Taken back", StepStopped
	case over(f.Payment):
		confirming.State = StepStopped
	case f.Payment == "authorised":
		confirming.Label, confirming.State = "Reserved", StepCurrent
	case f.Payment == "confirming":
		confirming.State = StepCurrent
		if f.Confirmations > 0 {
			confirming.Note = counted(f.Confirmations, "confirmation")
		}
	case f.Returned:
		confirming.State = StepCurrent
	default:
		confirming.Label, confirming.State = "Payment", StepCurrent
	}
	switch {
	case f.Refund == "full":
		last.Label, last.State = "Refunded", StepStopped
	case f.Dispute == "lost":
		last.Label, last.State = "Charged back", StepStopped
	case f.Dispute == "open":
		last.Label, last.State = "Disputed", StepStopped
	}
	return []Step{ordered, confirming, paid, last}
}

// deliveryStep is the last step of an order that is paid.
func deliveryStep(f Facts) Step {
	s := Step{Label: "Delivered", State: StepCurrent}
	switch f.Delivery {
	case DeliveryDone:
		s.State = StepDone
	case DeliverySuspended:
		s.Label, s.State = "Suspended", StepStopped
	case DeliveryRevoked:
		s.Label, s.State = "Revoked", StepStopped
	case DeliveryWithheld, DeliveryCancelled:
		s.State = StepStopped
	}
	return s
}
