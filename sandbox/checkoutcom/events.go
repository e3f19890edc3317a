package checkoutcom

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
	"onceshop/sandbox"
)

// envelope is an event; its time is in one of two members.
type envelope struct {
	ID        string          `json:"id"`
	Type      string          `json:"type"`
	Version   string          `json:"version"`
	CreatedOn *instant        `json:"created_on,omitzero"`
	Timestamp *instant        `json:"timestamp,omitzero"`
	Data      any             `json:"data"`
	Links     map[string]link `json:"_links"`
}

// version is that of the events' form.
const version = "1.0.0"

// told is one event to be.
type told struct {
	kind    string
	payment string // its id
	dispute bool
	data    any
}

// Announce tells of each attempt, refund or dispute that a change touched, in the
// order in which things happened; receivers must not count on it.
func (*Dialect) Announce(c sandbox.Change) ([]sandbox.Event, error) {
	var events []sandbox.Event
	for _, t := range tell(c) {
		e := c.Event(t.kind)
		id := derived("evt_", event, e.ID)
		out := envelope{ID: id, Type: t.kind, Version: version, Data: t.data, Links: map[string]link{
			"self": {"/workflows/events/" + id}, "subject": {"/workflows/events/subject/" + t.payment}, "payment": {"/payments/" + t.payment},
		}}
		at := instant(e.CreatedAt)
		if out.CreatedOn = &at; t.dispute {
			out.CreatedOn, out.Timestamp = nil, &at
		}
		var err error
		if e.Body, err = json.Marshal(out, json.Deterministic(true)); err != nil {
			return nil, err
		}
		events = append(events, e)
	}
	return events, nil
}

// tell is what Checkout.com says of a change. A page is nothing to tell of.
func tell(c sandbox.Change) []told {
	if f, ok := c.Refund(); ok {
		return tellRefund(c, f)
	}
	if d, ok := c.Dispute(); ok {
		return tellDispute(c, d)
	}
	var all []told
	for _, p := range c.After.Payments {
		if p.ChangedIn == c.After.Revision {
			all = append(all, tellPayment(c, p)...)
		}
	}
	return all
}

// paid is what events say of a payment.
type paid struct {
	ID              string         `json:"id"`
	ActionID        string         `json:"action_id,omitzero"`
	Reference       string         `json:"reference,omitzero"`
	Amount          minor          `json:"amount"`
	Currency        string         `json:"currency"`
	ProcessedOn     *instant       `json:"processed_on,omitzero"`
	ResponseCode    string         `json:"response_code,omitzero"`
	ResponseSummary string         `json:"response_summary,omitzero"`
	Metadata        jsontext.Value `json:"metadata,omitzero"`
	Balances        *balances      `json:"balances,omitzero"`
}

// paidOf begins what an event says of an attempt.
func paidOf(c sandbox.Change, p sandbox.Payment, amount payment.Amount) paid {
	x := sandbox.Kept[extra](c.After.Extra)
	return paid{
		ID: p.Ref, Reference: x.Reference, Amount: units.To(amount, c.After.Currency), Currency: c.After.Currency, Metadata: x.Metadata,
	}
}

// with is what a bank has said to an action.
func (d paid) with(c sandbox.Change, actionID, code, words string) paid {
	at := instant(c.After.UpdatedAt)
	d.ActionID, d.ProcessedOn, d.ResponseCode, d.ResponseSummary = actionID, &at, code, words
	return d
}

func (d paid) and(b balances) paid { d.Balances = &b; return d }

func tellPayment(c sandbox.Change, p sandbox.Payment) []told {
	r := c.After
	before, _ := c.Before.Payment(p.ID) // none before the first of it
	say := func(kind string, data paid) told { return told{kind: kind, payment: p.Ref, data: data} }
	authorised := paidOf(c, p, p.Amount).with(c, derived("act_", authorization, p.ID), approvedCode, approvedWords)
	reserved := p
	reserved.Status, reserved.Captured = sandbox.AttemptAuthorised, payment.Amount{}
	approval := say("payment_approved", authorised.and(balancesOf(r, reserved)))
	captureID := derived("act_", capture, p.ID)
	captured := say("payment_captured", paidOf(c, p, p.Captured.Sub(before.Captured)).
		with(c, captureID, approvedCode, approvedWords).and(balancesOf(r, p)))
	switch p.Status {
	case sandbox.AttemptFailed:
		return []told{say("payment_declined", paidOf(c, p, p.Amount).with(c, derived("act_", authorization, p.ID), declinedCode, declinedWords))}
	case sandbox.AttemptConfirming:
		return []told{say("payment_pending", paidOf(c, p, p.Amount))}
	case sandbox.AttemptAuthorised:
		if before.Status == sandbox.AttemptAuthorised {
			return []told{captured}
		}
		return []told{approval}
	case sandbox.AttemptCaptured:
		pending := say("payment_capture_pending", paidOf(c, p, p.Amount).
			with(c, captureID, approvedCode, approvedWords).and(balancesOf(r, reserved)))
		if before.Status == sandbox.AttemptAuthorised {
			return []told{captured}
		}
		return []told{approval, pending, captured}
	case sandbox.AttemptCancelled:
		return []told{say("payment_voided", paidOf(c, p, p.Amount.Sub(p.Captured)).
			with(c, derived("act_", void, p.ID), approvedCode, approvedWords).and(balancesOf(r, p)))}
	case sandbox.AttemptExpired:
		return []told{say("payment_expired", paidOf(c, p, p.Amount.Sub(p.Captured)).with(c, derived("act_", authorization, p.ID), "", ""))}
	}
	return nil
}

func tellRefund(c sandbox.Change, f sandbox.Refund) []told {
	p, _ := c.After.Payment(f.PaymentID)
	data := paidOf(c, p, f.Amount).with(c, f.Ref, approvedCode, approvedWords).and(balancesOf(c.After, p))
	return []told{{kind: "payment_refunded", payment: p.Ref, data: data}}
}

// disputeData is what events say of a dispute.
type disputeData struct {
	disputed
	Date instant `json:"date"`
}

func tellDispute(c sandbox.Change, d sandbox.Dispute) []told {
	kind := map[payment.DisputeStatus]string{
		payment.DisputeOpen: "dispute_evidence_required", payment.DisputeWon: "dispute_won", payment.DisputeLost: "dispute_lost",
	}[d.Status]
	data := disputeData{disputedOf(c.After, d), instant(c.After.UpdatedAt)}
	return []told{{kind: kind, payment: data.PaymentID, dispute: true, data: data}}
}
