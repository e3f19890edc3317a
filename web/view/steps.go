package view

// steps draws the way from ordered to delivered. A step is done only when its
// fact is known, so the line never runs ahead of the records.
func steps(f Facts) []Step {
	ordered := Step{Label: "Ordered", State: StepDone}
	confirming := Step{Label: "Confirming", State: StepTodo}
	paid := Step{Label: "Paid", State: StepTodo}
	delivered := Step{Label: "Delivered", State: StepTodo}

	switch {
	case f.Payment == "paid":
		confirming.State, paid.State = StepDone, StepDone
		switch f.Delivery {
		case DeliveryDone:
			delivered.State = StepDone
		case DeliveryWithheld, DeliveryCancelled:
			delivered.State = StepStopped
		default:
			delivered.State = StepCurrent
		}
	case f.Review:
		confirming.State = StepStopped
	case over(f.Payment):
		confirming.State = StepStopped
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
	if f.Refund == "full" {
		delivered.Label, delivered.State = "Refunded", StepStopped
	}
	return []Step{ordered, confirming, paid, delivered}
}
