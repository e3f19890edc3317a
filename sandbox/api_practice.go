package sandbox

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"onceshop/payment"
)

// actionJSON is the body of POST /v1/test/orders/{id}/{action}; every member
// may be left out, and each action looks at its own.
type actionJSON struct {
	Amount        *payment.Amount `json:"amount"`        // pay, underpay, overpay, capture, refund, dispute
	Confirmations *int            `json:"confirmations"` // pay: how many are wanted; confirm: how many come
	Reason        string          `json:"reason"`        // refund, dispute

	Decision         *string    `json:"decision"` // risk
	ServiceStatus    *string    `json:"serviceStatus"`
	ChainEnforcement *string    `json:"chainEnforcement"`
	ValidUntil       *time.Time `json:"validUntil"`
	ValidForSeconds  *int       `json:"validForSeconds"` // instead of validUntil; negative is the past

	Faults *Faults `json:"faults"` // of the deliveries that this causes
}

// changedJSON answers a practice action, in the engine's words whatever the
// dialect. Event is the first of Events, or null where the provider told nothing.
type changedJSON struct {
	Order  practiceJSON    `json:"order"`
	Event  *announcedJSON  `json:"event"`
	Events []announcedJSON `json:"events"`
}

type announcedJSON struct {
	ID   string `json:"id"`
	Type string `json:"type"`
}

// practiceJSON is an order in the practice API: as StableIn's, and what only other
// dialects have.
type practiceJSON struct {
	orderJSON
	Dialect         string         `json:"dialect"`
	PageRef         string         `json:"pageRef,omitzero"`
	IntentRef       string         `json:"intentRef,omitzero"`
	ReversedAmount  payment.Amount `json:"reversedAmount"`
	TakenBackAmount payment.Amount `json:"takenBackAmount"`
	Payments        []namedJSON    `json:"payments"`
	Refunds         []namedJSON    `json:"refunds"`
	Disputes        []namedJSON    `json:"disputes"`
	Actions         []string       `json:"actions,omitzero"` // what its provider knows; only where the order is asked for
}

// namedJSON is an attempt to pay, a refund or a dispute.
type namedJSON struct {
	Ref    string         `json:"ref"`
	Status string         `json:"status"`
	Amount payment.Amount `json:"amount"`
}

func (r Record) practice() practiceJSON {
	out := practiceJSON{
		orderJSON: r.json(), Dialect: r.Dialect, PageRef: r.PageRef, IntentRef: r.IntentRef,
		ReversedAmount: r.Reversed, TakenBackAmount: r.TakenBack,
		Payments: []namedJSON{}, Refunds: []namedJSON{}, Disputes: []namedJSON{},
	}
	for _, p := range r.Payments {
		out.Payments = append(out.Payments, namedJSON{cmp.Or(p.Ref, p.ID), string(p.Status), p.Amount})
	}
	for _, f := range r.Refunds {
		out.Refunds = append(out.Refunds, namedJSON{cmp.Or(f.Ref, f.ID), string(f.Status), f.Amount})
	}
	for _, d := range r.Disputes {
		out.Disputes = append(out.Disputes, namedJSON{cmp.Or(d.Ref, d.ID), string(d.Status), d.Amount})
	}
	return out
}

// Actions are what can be done with an order to practise, in the engine's words.
func Actions() []string {
	return []string{
		"pay", "confirm", "underpay", "overpay", "authorise", "capture", "attempt_fail", "capture_fail", "fail", "expire",
		"refund", "refund_fail", "dispute", "dispute_win", "dispute_lose", "risk",
	}
}

// postAction does one thing with an order, which may be named by its id, by any id
// of its provider's, or by the merchant's reference.
func (s *Server) postAction(r *http.Request) (int, any, error) {
	var body actionJSON
	if err := ReadJSON(r, &body); err != nil {
		return 0, nil, err
	}
	if err := body.Faults.check(); err != nil {
		return 0, nil, err
	}
	action := r.PathValue("action")
	if !slices.Contains(Actions(), action) {
		return 0, nil, NotFound("action; there are " + strings.Join(Actions(), ", "))
	}
	id, err := s.named(r.Context(), r.PathValue("id"))
	if err != nil {
		return 0, nil, err
	}
	record, events, err := s.act(r.Context(), id, action, body)
	if err != nil {
		return 0, nil, err
	}
	answer := changedJSON{Order: record.practice(), Events: []announcedJSON{}}
	for _, e := range events {
		answer.Events = append(answer.Events, announcedJSON{e.ID, e.Type})
	}
	if len(events) > 0 {
		answer.Event = &answer.Events[0]
	}
	return http.StatusOK, answer, nil
}

// getNamed tells of an order in the engine's words, faults or not.
func (s *Server) getNamed(r *http.Request) (int, any, error) {
	id, err := s.named(r.Context(), r.PathValue("id"))
	if err != nil {
		return 0, nil, err
	}
	record, err := findRecord(r.Context(), s.db, id)
	answer := record.practice()
	answer.Actions = slices.DeleteFunc(Actions(), func(action string) bool { return !s.profile(record.Dialect).has(action) })
	return http.StatusOK, answer, err
}

// act does what an action says, if the order's provider knows such a thing.
func (s *Server) act(ctx context.Context, id, action string, body actionJSON) (Record, []Event, error) {
	o, err := findOrder(ctx, s.db, id)
	if err != nil {
		return Record{}, nil, err
	}
	if p := s.profile(o.Dialect); !p.has(action) {
		return Record{}, nil, conflict("NOT_AT_THIS_PROVIDER", p.Title+", as it is set up here, knows nothing of "+action)
	}
	if action == "refund" {
		return s.practiceRefund(ctx, id, body)
	}
	return s.change(ctx, id, body.Faults, body.decide(action))
}

// decide returns what an action does, or nil if there is no such action.
func (a actionJSON) decide(action string) decision {
	switch action {
	case "pay":
		return ofOrder(a.pay)
	case "confirm":
		return plainly(func(o Order) (Order, string, error) { return o.confirm(orOne(a.Confirmations)) })
	case "underpay":
		return ofOrder(a.underpay)
	case "overpay":
		return ofOrder(a.overpay)
	case "authorise":
		return plainly(Order.authorise)
	case "capture":
		return plainly(a.capture)
	case "attempt_fail":
		return plainly(Order.attemptFail)
	case "capture_fail":
		return plainly(Order.takeBack)
	case "fail":
		return plainly(Order.fail)
	case "expire":
		return plainly(Order.expire)
	case "refund_fail":
		return func(r Record, _ time.Time) (Record, string, error) { return r.refundFail() }
	case "dispute":
		return a.dispute
	case "dispute_win":
		return func(r Record, _ time.Time) (Record, string, error) { return r.endDispute(payment.DisputeWon) }
	case "dispute_lose":
		return func(r Record, _ time.Time) (Record, string, error) { return r.endDispute(payment.DisputeLost) }
	case "risk":
		return ofOrder(a.assess)
	}
	return nil
}

// capture without an amount takes all that is reserved.
func (a actionJSON) capture(o Order) (Order, string, error) {
	if a.Amount != nil {
		return o.capture(*a.Amount)
	}
	return o.capture(o.Due())
}

// dispute without an amount is about all that is still here.
func (a actionJSON) dispute(r Record, _ time.Time) (Record, string, error) {
	if a.Amount != nil {
		return r.dispute(*a.Amount, a.Reason)
	}
	if r.Refundable().Sign() <= 0 {
		return r, "", conflict("NOTHING_TO_DISPUTE", "no money of this order is here")
	}
	return r.dispute(r.Refundable(), a.Reason)
}

// pay without an amount makes the order paid by the shortest way: what is due,
// or, when that is on its way already, all the blocks it waits for, or the capture
// of what is reserved.
func (a actionJSON) pay(o Order, _ time.Time) (Order, string, error) {
	if a.Amount != nil {
		return o.pay(*a.Amount, orZero(a.Confirmations))
	}
	missing := o.Missing()
	switch {
	case o.Status == payment.Authorised:
		return o.capture(o.Due())
	case missing.Sign() > 0:
		return o.pay(missing, orZero(a.Confirmations))
	case o.AwaitsBlocks():
		return o.confirm(o.WantedConfirmations - o.Confirmations)
	}
	return o, "", conflict("ALREADY_PAID", "nothing is due; name an amount to pay more")
}

func (a actionJSON) underpay(o Order, _ time.Time) (Order, string, error) {
	amount := o.TooLittle()
	if a.Amount != nil {
		amount = *a.Amount
	}
	if amount.Cmp(o.Missing()) >= 0 {
		return o, "", Invalid("amount", "must be less than the missing "+o.Missing().String())
	}
	return o.pay(amount, orZero(a.Confirmations))
}

func (a actionJSON) overpay(o Order, _ time.Time) (Order, string, error) {
	amount := o.TooMuch()
	if a.Amount != nil {
		amount = *a.Amount
	}
	if amount.Cmp(o.Missing()) <= 0 {
		return o, "", Invalid("amount", "must be more than the missing "+o.Missing().String())
	}
	return o.pay(amount, orZero(a.Confirmations))
}

// assess changes the named words and leaves the others.
func (a actionJSON) assess(o Order, now time.Time) (Order, string, error) {
	risk := o.Risk
	for _, f := range []struct {
		given *string
		word  *string
	}{
		{a.Decision, &risk.Decision}, {a.ServiceStatus, &risk.ServiceStatus}, {a.ChainEnforcement, &risk.ChainEnforcement},
	} {
		if f.given != nil {
			*f.word = *f.given
		}
	}
	if a.ValidUntil != nil {
		until := a.ValidUntil.UTC().Truncate(time.Microsecond)
		risk.ValidUntil = &until
	}
	if a.ValidForSeconds != nil {
		until := now.Add(time.Duration(*a.ValidForSeconds) * time.Second)
		risk.ValidUntil = &until
	}
	return o.assess(risk, now)
}

// practiceRefund gives back the amount named, or all there is. Each call is a
// refund of its own.
func (s *Server) practiceRefund(ctx context.Context, id string, a actionJSON) (Record, []Event, error) {
	q := refundOf{orderID: id, key: "practice-" + uuid.NewString(), all: a.Amount == nil, reason: a.Reason}
	if a.Amount != nil {
		q.amount = *a.Amount
	}
	_, r, events, err := s.refund(ctx, q, a.Faults)
	return r, events, err
}

func orZero(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}

func orOne(n *int) int {
	if n == nil {
		return 1
	}
	return *n
}
