package stripe

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
	"onceshop/sandbox"
)

// envelope is an event.
type envelope struct {
	ID              string  `json:"id"`
	Object          string  `json:"object"`
	APIVersion      string  `json:"api_version"`
	Created         int64   `json:"created"`
	Data            data    `json:"data"`
	Livemode        bool    `json:"livemode"`
	PendingWebhooks int     `json:"pending_webhooks"`
	Request         request `json:"request"`
	Type            string  `json:"type"`
}

type data struct {
	Object             any            `json:"object"`
	PreviousAttributes map[string]any `json:"previous_attributes,omitzero"`
}

type request struct {
	ID             *string `json:"id"`
	IdempotencyKey *string `json:"idempotency_key"`
}

// told is one event to be.
type told struct {
	kind     string
	object   any
	previous map[string]any
}

// Announce tells of intents and charges first and of the session last, as they
// depend on one another; receivers must not count on it.
func (*Dialect) Announce(c sandbox.Change) ([]sandbox.Event, error) {
	var events []sandbox.Event
	for _, t := range tell(c) {
		e := c.Event(t.kind)
		var err error
		e.Body, err = json.Marshal(envelope{
			ID: eventID(e), Object: "event", APIVersion: Version, Created: e.CreatedAt.Unix(),
			Data: data{t.object, t.previous}, PendingWebhooks: 1, Type: t.kind,
		}, json.Deterministic(true), jsontext.WithIndent("  "))
		if err != nil {
			return nil, err
		}
		events = append(events, e)
	}
	return events, nil
}

// tell is what Stripe says of a change, in the order in which it happened.
func tell(c sandbox.Change) []told {
	if c.Created() {
		return nil
	}
	if _, ok := c.Refund(); ok {
		return tellRefund(c)
	}
	if d, ok := c.Dispute(); ok {
		return tellDispute(c.After, d)
	}
	paid, attempted := c.Payment()
	if !attempted {
		if c.After.Status == payment.Expired && !c.After.AwaitsBlocks() {
			return tellExpired(c)
		}
		return nil
	}
	return tellPayment(c, paid)
}

func tellPayment(c sandbox.Change, paid sandbox.Payment) []told {
	r := c.After
	intent := func(kind string) told { return told{kind: "payment_intent." + kind, object: intentOf(r, false)} }
	charge := func(kind string) told { return told{kind: "charge." + kind, object: chargeOf(r, paid)} }
	session := func(kind string) told {
		return told{kind: "checkout.session." + kind, object: sessionOf(r, "", expansion{})}
	}
	var list []told
	if c.Before.IntentRef == "" {
		list = append(list, intent("created"))
	}
	first := c.Before.Status == payment.Pending
	switch {
	case c.Word == "payment.attempt_failed":
		return append(list, charge("failed"), intent("payment_failed"))
	case r.Status == payment.Failed && paid.Status == sandbox.AttemptCancelled:
		return append(list, intent("canceled"))
	case r.Status == payment.Failed && paid.Status == sandbox.AttemptFailed:
		list = append(list, charge("failed"), intent("payment_failed"))
		if first { // the buyer left the page in good faith
			list = append(list, session("completed"))
		}
		return append(list, session("async_payment_failed"))
	case paid.Status == sandbox.AttemptExpired:
		return append(list, charge("expired"), intent("canceled"))
	case paid.Status == sandbox.AttemptConfirming && c.Before.AwaitsBlocks():
		return list // another one beside it
	case paid.Status == sandbox.AttemptConfirming:
		list = append(list, intent("processing"))
	case paid.Status == sandbox.AttemptAuthorised && c.Before.Status == payment.Authorised:
		return append(list, intent("amount_capturable_updated")) // a part was captured
	case paid.Status == sandbox.AttemptAuthorised:
		list = append(list, charge("succeeded"), intent("amount_capturable_updated"))
	case c.Before.Status == payment.Authorised:
		return append(list, charge("captured"), intent("succeeded"))
	case r.Status == payment.Paid && c.Before.Status != payment.Paid:
		list = append(list, charge("succeeded"), intent("succeeded"))
		if c.Before.AwaitsBlocks() {
			return append(list, session("async_payment_succeeded"))
		}
	default: // more than was asked for, or less
		return append(list, charge("succeeded"))
	}
	if first {
		list = append(list, session("completed"))
	}
	return list
}

func tellExpired(c sandbox.Change) []told {
	var list []told
	if c.After.IntentRef != "" {
		list = append(list, told{kind: "payment_intent.canceled", object: intentOf(c.After, false)})
	}
	return append(list, told{kind: "checkout.session.expired", object: sessionOf(c.After, "", expansion{})})
}

func tellRefund(c sandbox.Change) []told {
	r := c.After
	f, _ := c.Refund()
	paid, _ := r.Payment(f.PaymentID)
	object := refundOf(r, f)
	if f.Status == payment.RefundFailed {
		was := map[string]any{"status": "succeeded"}
		return []told{
			{kind: "charge.refund.updated", object: object, previous: was},
			{kind: "refund.updated", object: object, previous: was},
			{kind: "refund.failed", object: object},
		}
	}
	charge := chargeOf(r, paid)
	was := map[string]any{"amount_refunded": units.To(c.Before.RefundedOf(paid), r.Currency)}
	if charge.Refunded {
		was["refunded"] = false
	}
	return []told{{kind: "refund.created", object: object}, {kind: "charge.refunded", object: charge, previous: was}}
}

func tellDispute(r sandbox.Record, d sandbox.Dispute) []told {
	object := disputeOf(r, d)
	switch d.Status {
	case payment.DisputeOpen:
		return []told{{kind: "charge.dispute.created", object: object}, {kind: "charge.dispute.funds_withdrawn", object: object}}
	case payment.DisputeWon:
		return []told{{kind: "charge.dispute.closed", object: object}, {kind: "charge.dispute.funds_reinstated", object: object}}
	}
	return []told{{kind: "charge.dispute.closed", object: object}}
}
