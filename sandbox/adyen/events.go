package adyen

import (
	"cmp"

	"github.com/go-json-experiment/json"

	"onceshop/payment"
	"onceshop/sandbox"
)

// Announce tells of each payment, refund or dispute that a change touched, in the
// order in which things happened; receivers must not count on it.
func (d *Dialect) Announce(c sandbox.Change) ([]sandbox.Event, error) {
	var events []sandbox.Event
	for _, i := range d.tell(c) {
		i.MerchantAccountCode, i.PaymentMethod, i.Success = d.MerchantAccount, "visa", cmp.Or(i.Success, "true")
		i.MerchantReference = cmp.Or(i.MerchantReference, c.After.MerchantOrderID)
		e := c.Event(i.EventCode)
		var err error
		if e.Body, err = json.Marshal(notification{"false", []wrapper{{i}}}, json.Deterministic(true)); err != nil {
			return nil, err
		}
		events = append(events, e)
	}
	return events, nil
}

// tell is what Adyen says of a change.
func (d *Dialect) tell(c sandbox.Change) []item {
	if c.Created() {
		return nil
	}
	if f, ok := c.Refund(); ok {
		return tellRefund(c.After, f)
	}
	if dispute, ok := c.Dispute(); ok {
		return tellDispute(c.After, dispute)
	}
	var all []item
	touched := false
	for _, p := range c.After.Payments {
		if p.ChangedIn == c.After.Revision {
			touched = true
			all = append(all, d.tellPayment(c, p)...)
		}
	}
	if !touched && c.After.Status == payment.Expired && !c.After.AwaitsBlocks() {
		all = append(all, item{
			EventCode: "OFFER_CLOSED", PSPReference: derived(c.After.ID, closed), Amount: theirs(c.After.Amount, c.After.Currency),
		})
	}
	return all
}

func (d *Dialect) tellPayment(c sandbox.Change, p sandbox.Payment) []item {
	r := c.After
	before, _ := c.Before.Payment(p.ID) // none before the first of it
	authorisation := item{EventCode: "AUTHORISATION", PSPReference: p.Ref, Amount: theirs(p.Amount, r.Currency)}
	authorised := authorisation
	authorised.Operations = []string{"CANCEL", "CAPTURE", "REFUND"}
	// Of is what happens to the payment: part of it, under a reference of its own.
	of := func(code, psp string, part payment.Amount) item {
		return item{EventCode: code, PSPReference: psp, OriginalReference: p.Ref, Amount: theirs(part, r.Currency)}
	}
	capture := of("CAPTURE", derived(p.ID, captured, p.Captured.String()), p.Captured.Sub(before.Captured))
	switch p.Status {
	case sandbox.AttemptFailed:
		authorisation.Success, authorisation.Reason = "false", "Refused"
		return []item{authorisation}
	case sandbox.AttemptAuthorised:
		if before.Status == sandbox.AttemptAuthorised {
			return []item{capture}
		}
		return []item{authorised}
	case sandbox.AttemptCaptured:
		switch {
		case before.Status == sandbox.AttemptAuthorised:
			return []item{capture}
		case d.CaptureMode == Automatic:
			return []item{authorised}
		}
		return []item{authorised, capture}
	case sandbox.AttemptCancelled:
		return []item{of("CANCELLATION", derived(p.ID, cancelled), p.Amount.Sub(p.Captured))}
	case sandbox.AttemptExpired:
		return []item{of("EXPIRE", derived(p.ID, expired), p.Amount.Sub(p.Captured))}
	case sandbox.AttemptTakenBack:
		return []item{of("CAPTURE_FAILED", derived(p.ID, captured, p.Captured.String()), p.Captured)}
	}
	return nil // under way
}

func tellRefund(r sandbox.Record, f sandbox.Refund) []item {
	p, _ := r.Payment(f.PaymentID)
	i := item{
		EventCode: "REFUND", PSPReference: f.Ref, OriginalReference: p.Ref, Amount: theirs(f.Amount, r.Currency),
		MerchantReference: string(f.Extra),
	}
	if f.Status == payment.RefundFailed {
		i.EventCode, i.Reason = "REFUND_FAILED", "Refund failed"
	}
	return []item{i}
}

func tellDispute(r sandbox.Record, d sandbox.Dispute) []item {
	p, _ := r.Payment(d.PaymentID)
	say := func(code, status string) item {
		return item{
			EventCode: code, PSPReference: d.Ref, OriginalReference: p.Ref, Amount: theirs(d.Amount, r.Currency), Reason: d.Reason,
			AdditionalData: additional{DisputeStatus: status},
		}
	}
	switch d.Status {
	case payment.DisputeOpen:
		return []item{say("NOTIFICATION_OF_CHARGEBACK", "Undefended"), say("CHARGEBACK", "Undefended")}
	case payment.DisputeWon:
		return []item{say("CHARGEBACK_REVERSED", "Pending"), say("PREARBITRATION_WON", "Won")}
	}
	return []item{say("CHARGEBACK_REVERSED", "Pending"), say("SECOND_CHARGEBACK", "Lost")}
}
