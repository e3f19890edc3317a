package razorpay

import (
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"

	"onceshop/payment"
	"onceshop/sandbox"
)

// envelope is an event. Its id is in a header only.
type envelope struct {
	Entity    string   `json:"entity"`
	AccountID string   `json:"account_id"`
	Event     string   `json:"event"`
	Contains  []string `json:"contains"`
	Payload   payload  `json:"payload"`
	CreatedAt int64    `json:"created_at"`
}

// payload holds what the event names in contains.
type payload struct {
	Link    *within[linkEntity]    `json:"payment_link,omitzero"`
	Order   *within[orderEntity]   `json:"order,omitzero"`
	Refund  *within[refundEntity]  `json:"refund,omitzero"`
	Payment *within[paymentEntity] `json:"payment,omitzero"`
	Dispute *within[disputeEntity] `json:"dispute,omitzero"`
}

type within[T any] struct {
	Entity T `json:"entity"`
}

func hold[T any](e T) *within[T] { return &within[T]{e} }

func (p payload) contains() (names []string) {
	for _, part := range []struct {
		name string
		held bool
	}{
		{"payment_link", p.Link != nil}, {"order", p.Order != nil}, {"refund", p.Refund != nil}, {"payment", p.Payment != nil}, {"dispute", p.Dispute != nil},
	} {
		if part.held {
			names = append(names, part.name)
		}
	}
	return names
}

// told is one event to be.
type told struct {
	kind    string
	payload payload
}

// Announce tells of the payment first, then of its order, then of its link. All of
// them show how things are after the change, so payment.authorized may carry a
// payment that is captured already.
func (d *Dialect) Announce(c sandbox.Change) ([]sandbox.Event, error) {
	list, err := tell(c)
	if err != nil {
		return nil, err
	}
	var events []sandbox.Event
	for _, t := range list {
		e := c.Event(t.kind)
		at := e.CreatedAt.Unix()
		if t.payload.Link != nil {
			at = c.After.CreatedAt.Unix() // the link's own, as Razorpay has it
		}
		e.Body, err = json.Marshal(envelope{"event", d.Account, t.kind, t.payload.contains(), t.payload, at}, json.Deterministic(true))
		if err != nil {
			return nil, err
		}
		events = append(events, e)
	}
	return events, nil
}

// tell is what Razorpay says of a change, in the order in which it happened.
func tell(c sandbox.Change) ([]told, error) {
	r := c.After
	if c.Created() {
		return nil, nil
	}
	if f, ok := c.Refund(); ok {
		return tellRefund(r, f), nil
	}
	if d, ok := c.Dispute(); ok {
		paid, _ := r.Payment(d.PaymentID)
		word := map[payment.DisputeStatus]string{payment.DisputeOpen: "created", payment.DisputeWon: "won", payment.DisputeLost: "lost"}[d.Status]
		return []told{{"payment.dispute." + word, payload{Payment: hold(paymentOf(r, paid)), Dispute: hold(disputeOf(r, d))}}}, nil
	}
	var list []told
	if p, ok := c.Payment(); ok {
		var err error
		if list, err = tellPayment(c, p); err != nil {
			return nil, err
		}
	}
	if ends := c.Before.Status != r.Status && (r.Status == payment.Failed || r.Status == payment.Expired); ends {
		list = append(list, told{"payment_link." + linkStatus(r), payload{Link: hold(linkOf(r))}})
	}
	return list, nil
}

func tellPayment(c sandbox.Change, p sandbox.Payment) ([]told, error) {
	r := c.After
	entity := hold(paymentOf(r, p))
	authorised := told{"payment.authorized", payload{Payment: entity}}
	switch {
	case p.Status == sandbox.AttemptFailed:
		return []told{{"payment.failed", payload{Payment: entity}}}, nil
	case givenBack(p):
		back := payload{Refund: hold(automaticRefund(r, p)), Payment: entity}
		return []told{{"refund.created", back}, {"refund.processed", back}}, nil
	case p.Status == sandbox.AttemptConfirming:
		return nil, nil // Razorpay has no word for it
	case p.Status == sandbox.AttemptAuthorised && c.Before.Status == payment.Authorised:
		return nil, &sandbox.Error{Status: http.StatusConflict, Code: "CAPTURE_ALL", Detail: "Razorpay captures all that is authorised, or nothing"}
	case p.Status == sandbox.AttemptAuthorised:
		return []told{authorised}, nil
	}
	var list []told
	if c.Before.Status != payment.Authorised {
		list = append(list, authorised)
	}
	list = append(list, told{"payment.captured", payload{Payment: entity}})
	order := orderOf(r)
	short := order
	short.ID = strings.TrimPrefix(order.ID, orderPrefix) // as Razorpay has it beside a link
	link := payload{Link: hold(linkOf(r)), Order: hold(short), Payment: entity}
	switch {
	case r.Status == payment.Paid && c.Before.Status != payment.Paid:
		list = append(list, told{"order.paid", payload{Order: hold(order), Payment: entity}}, told{"payment_link.paid", link})
	case r.Status != payment.Paid:
		list = append(list, told{"payment_link.partially_paid", link})
	}
	return list, nil
}

// tellRefund shows a payment that goes on counting a refund which has just failed.
func tellRefund(r sandbox.Record, f sandbox.Refund) []told {
	refund := hold(refundOf(r, f))
	if f.Status == payment.RefundFailed {
		for i := range r.Refunds {
			if r.Refunds[i].ID == f.ID {
				r.Refunds = append([]sandbox.Refund(nil), r.Refunds...)
				r.Refunds[i].Status = payment.RefundDone
			}
		}
	}
	paid, _ := r.Payment(f.PaymentID)
	p := payload{Refund: refund, Payment: hold(paymentOf(r, paid))}
	if f.Status == payment.RefundFailed {
		return []told{{"refund.failed", p}}
	}
	return []told{{"refund.created", p}, {"refund.processed", p}}
}
