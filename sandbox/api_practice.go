package sandbox

import (
	"net/http"
	"time"

	"github.com/google/uuid"

	"onceshop/payment"
)

// actionJSON is the body of POST /v1/test/orders/{id}/{action}; every member
// may be left out, and each action looks at its own.
type actionJSON struct {
	Amount        *payment.Amount `json:"amount"`        // pay, underpay, overpay, refund
	Confirmations *int            `json:"confirmations"` // pay: how many are wanted; confirm: how many come
	Reason        string          `json:"reason"`        // refund

	Decision         *string    `json:"decision"` // risk
	ServiceStatus    *string    `json:"serviceStatus"`
	ChainEnforcement *string    `json:"chainEnforcement"`
	ValidUntil       *time.Time `json:"validUntil"`
	ValidForSeconds  *int       `json:"validForSeconds"` // instead of validUntil; negative is the past

	Faults *Faults `json:"faults"` // of the deliveries that this causes
}

// changedJSON answers a practice action.
type changedJSON struct {
	Order orderJSON     `json:"order"`
	Event announcedJSON `json:"event"`
}

type announcedJSON struct {
	ID   string `json:"id"`
	Type string `json:"type"`
}

func (s *Server) postAction(r *http.Request) (int, any, error) {
	var body actionJSON
	if err := readJSON(r, &body); err != nil {
		return 0, nil, err
	}
	if err := body.Faults.check(); err != nil {
		return 0, nil, err
	}
	id, action := r.PathValue("id"), r.PathValue("action")
	var o Order
	var e Event
	var err error
	if action == "refund" {
		o, e, err = s.practiceRefund(r, id, body)
	} else {
		decide := body.decide(action)
		if decide == nil {
			return 0, nil, notFound("action; there are pay, confirm, underpay, overpay, fail, expire, risk, refund")
		}
		o, e, err = s.change(r.Context(), id, body.Faults, decide)
	}
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, changedJSON{o.json(), announcedJSON{e.ID, e.Type}}, nil
}

// decide returns what an action does, or nil if there is no such action.
func (a actionJSON) decide(action string) decision {
	switch action {
	case "pay":
		return a.pay
	case "confirm":
		return func(o Order, _ time.Time) (Order, string, error) { return o.confirm(orOne(a.Confirmations)) }
	case "underpay":
		return a.underpay
	case "overpay":
		return a.overpay
	case "fail":
		return func(o Order, _ time.Time) (Order, string, error) { return o.fail() }
	case "expire":
		return func(o Order, _ time.Time) (Order, string, error) { return o.expire() }
	case "risk":
		return a.assess
	}
	return nil
}

// pay without an amount makes the order paid by the shortest way: what is due,
// or, when that is on its way already, all the blocks it waits for.
func (a actionJSON) pay(o Order, _ time.Time) (Order, string, error) {
	if a.Amount != nil {
		return o.pay(*a.Amount, orZero(a.Confirmations))
	}
	missing := o.Missing()
	switch {
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
		return o, "", invalid("amount", "must be less than the missing "+o.Missing().String())
	}
	return o.pay(amount, orZero(a.Confirmations))
}

func (a actionJSON) overpay(o Order, _ time.Time) (Order, string, error) {
	amount := o.TooMuch()
	if a.Amount != nil {
		amount = *a.Amount
	}
	if amount.Cmp(o.Missing()) <= 0 {
		return o, "", invalid("amount", "must be more than the missing "+o.Missing().String())
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
func (s *Server) practiceRefund(r *http.Request, id string, a actionJSON) (Order, Event, error) {
	o, err := findOrder(r.Context(), s.db, id)
	if err != nil {
		return o, Event{}, err
	}
	amount := o.Refundable()
	if a.Amount != nil {
		amount = *a.Amount
	}
	_, e, err := s.refund(r.Context(), id, "practice-"+uuid.NewString(), amount, a.Reason, a.Faults)
	if err != nil {
		return o, e, err
	}
	o, err = findOrder(r.Context(), s.db, id)
	return o, e, err
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
