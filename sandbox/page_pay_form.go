package sandbox

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"onceshop/payment"
	"onceshop/sandbox/pages"
)

// errPressed says that the page was drawn before the order's newest revision:
// the button was pressed twice, or something else happened meanwhile.
var errPressed = conflict("PAGE_OLD", "the order has changed since this page was drawn")

// payForm presses one button of the payment page. It acts only on the revision
// that the page showed, so that a double click pays once.
func (s *Server) payForm(w http.ResponseWriter, r *http.Request) (templ.Component, int, error) {
	if err := r.ParseForm(); err != nil {
		return nil, 0, &Error{http.StatusBadRequest, "BAD_FORM", "the form can't be read"}
	}
	id := r.PathValue("id")
	seen, err := strconv.ParseUint(r.PostForm.Get("revision"), 10, 64)
	if err != nil {
		return nil, 0, &Error{http.StatusBadRequest, "BAD_FORM", "the form has no revision"}
	}
	err = s.press(r.Context(), id, seen, r.PostForm)
	if err != nil && !errors.Is(err, errPressed) {
		e := asError(err)
		if e.Status >= 500 || e.Status == http.StatusNotFound {
			return nil, 0, err
		}
		return s.payAgain(r, id, e)
	}
	return redirect(w, r, "/pay/"+url.PathEscape(id))
}

// payAgain shows the page as it is now and why nothing happened.
func (s *Server) payAgain(r *http.Request, id string, e *Error) (templ.Component, int, error) {
	o, err := findRecord(r.Context(), s.db, id)
	if err != nil {
		return nil, 0, err
	}
	now, err := databaseNow(r.Context(), s.db)
	if err != nil {
		return nil, 0, err
	}
	return pages.PayPage(s.payView(o, now, sentence(e.Detail))), e.Status, nil
}

func (s *Server) press(ctx context.Context, id string, seen uint64, form url.Values) error {
	switch do := form.Get("do"); do {
	case "refund", "refund_half", "refund_all":
		return s.pressRefund(ctx, id, seen, do, form.Get("amount"))
	case "late":
		if _, _, err := s.change(ctx, id, nil, onRevision(seen, pressed("expire", form))); err != nil {
			return err
		}
		_, _, err := s.change(ctx, id, nil, onRevision(seen+1, pressed("pay", form)))
		return err
	default:
		decide := pressed(do, form)
		if decide == nil {
			return &Error{http.StatusBadRequest, "BAD_FORM", "there is no such button"}
		}
		o, err := findOrder(ctx, s.db, id)
		if err != nil {
			return err
		}
		if p := s.profile(o.Dialect); !p.has(do) {
			return conflict("NOT_AT_THIS_PROVIDER", p.Title+" knows nothing of that")
		}
		_, _, err = s.change(ctx, id, nil, onRevision(seen, decide))
		return err
	}
}

// onRevision lets a decision act on one revision only.
func onRevision(seen uint64, decide decision) decision {
	return func(r Record, now time.Time) (Record, string, error) {
		if r.Revision != seen {
			return r, "", errPressed
		}
		return decide(r, now)
	}
}

// pressed is what a button does; most do what the API's practice calls do.
func pressed(do string, form url.Values) decision {
	switch do {
	case "pay3":
		three := 3
		return ofOrder(actionJSON{Confirmations: &three}.pay)
	case "debit":
		once := 1
		return ofOrder(actionJSON{Confirmations: &once}.pay)
	case "capture_half":
		return plainly(func(o Order) (Order, string, error) { return o.capture(half(o.Due())) })
	case "twice":
		return plainly(func(o Order) (Order, string, error) { return o.pay(o.Amount, 0) })
	case "risk":
		return pressedRisk(form)
	}
	return actionJSON{}.decide(do)
}

func pressedRisk(form url.Values) decision {
	word := func(name string) *string { w := form.Get(name); return &w }
	a := actionJSON{Decision: word("decision"), ServiceStatus: word("service"), ChainEnforcement: word("chain")}
	if seconds, err := strconv.Atoi(form.Get("validity")); err == nil {
		a.ValidForSeconds = &seconds
	}
	return ofOrder(a.assess)
}

// pressRefund refunds under a key made of order and revision: the same button
// on the same page is the same refund.
func (s *Server) pressRefund(ctx context.Context, id string, seen uint64, do, typed string) error {
	o, err := findRecord(ctx, s.db, id)
	if err != nil {
		return err
	}
	if o.Revision != seen {
		return errPressed
	}
	q := refundOf{orderID: id, key: "page-" + id + "-" + strconv.FormatUint(seen, 10), reason: "refunded on the payment page"}
	switch left := o.atOnce(s.profile(o.Dialect)); do {
	case "refund_all":
		q.amount = left
	case "refund_half":
		if q.amount = half(left); q.amount.Sign() == 0 {
			q.amount = left
		}
	case "refund":
		if q.amount, err = o.typed(typed); err != nil {
			return Invalid("amount", err.Error())
		}
	}
	_, _, _, err = s.refund(ctx, q, nil)
	return err
}

// atOnce is what one refund can give back.
func (r Record) atOnce(p Profile) payment.Amount {
	if p.Chain {
		return r.Refundable()
	}
	paid := r.newest()
	return paid.Captured.Sub(r.RefundedOf(paid))
}

// typed reads an amount as a person writes it: in the major unit, or in minor
// units where the currency's decimals aren't known.
func (o Order) typed(text string) (payment.Amount, error) {
	if _, known := payment.Exponent(o.Currency); !known {
		return payment.ParseAmount(text)
	}
	return payment.ParseMajor(o.Currency, text)
}
