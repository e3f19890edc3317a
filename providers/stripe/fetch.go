package stripe

import (
	"context"
	"net/url"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
	"onceshop/providers/wire"
)

const sessionsPath = "/v1/checkout/sessions"

// expanded is what is answered together with a session or a list of them.
const (
	expandOne  = "payment_intent.latest_charge"
	expandEach = "data." + expandOne
)

// Fetch reads the payment's current record. It takes the ids of a session, of its
// payment intent, and of that one's charges, refunds and disputes; the record is
// the session's, and that of an intent without a session its own.
//
// It makes one call while nothing was captured, and three after: refunds and
// disputes are lists of their own. An intent without a session costs one more, an
// id of a charge, refund or dispute one more, and one further where a refund or
// dispute names only its charge. Every hundred refunds and ten disputes beyond
// the first cost one again.
func (a *Adapter) Fetch(ctx context.Context, ref string) (payment.Snapshot, error) {
	const what = "fetch a payment"
	s, err := a.find(ctx, what, ref)
	if err != nil {
		return payment.Snapshot{}, err
	}
	return a.snapshot(ctx, what, &s)
}

// find reads the session that ref belongs to.
func (a *Adapter) find(ctx context.Context, what, ref string) (session, error) {
	prefix, _, _ := strings.Cut(ref, "_")
	if !wire.IsRef(ref) {
		prefix = ""
	}
	path := url.PathEscape(ref)
	switch prefix {
	case "cs":
		s := newSession()
		err := a.get(ctx, what, sessionsPath+"/"+path, url.Values{"expand[]": {expandOne}}, &s)
		if err == nil && string(s.id) != ref {
			err = a.api.Unreadable(what, "is about another session")
		}
		return a.checked(what, s, err)
	case "pi":
		return a.findByIntent(ctx, what, ref)
	case "ch", "py":
		return a.findByCharge(ctx, what, ref)
	case "re", "pyr":
		r := newRefund()
		if err := a.get(ctx, what, "/v1/refunds/"+path, nil, &r); err != nil {
			return session{}, err
		}
		return a.findByPart(ctx, what, ref, r.id, &r.intent, &r.charge)
	case "dp", "du":
		d := newDispute()
		if err := a.get(ctx, what, "/v1/disputes/"+path, nil, &d); err != nil {
			return session{}, err
		}
		return a.findByPart(ctx, what, ref, d.id, &d.intent, &d.charge)
	}
	return session{}, a.api.Unknown(what, "its reference isn't one of Stripe's")
}

// checked refuses a session that can't be read without doubt, and one that is no
// single payment: a subscription, or a card put on file.
func (a *Adapter) checked(what string, s session, err error) (session, error) {
	if err != nil {
		return session{}, err
	}
	if err := s.check(a.live); err != nil {
		return session{}, a.api.Unreadable(what, err.Error())
	}
	if !s.single() {
		return session{}, a.api.Unknown(what, "its session isn't one of a single payment")
	}
	return s, nil
}

// findByIntent finds an intent's session, which Stripe lists by it.
func (a *Adapter) findByIntent(ctx context.Context, what, ref string) (session, error) {
	var found []session
	q := url.Values{"payment_intent": {ref}, "limit": {"2"}, "expand[]": {expandEach}}
	next, err := a.page(ctx, what, sessionsPath, q, func(dec *jsontext.Decoder) (wire.Ref, error) {
		s := newSession()
		if err := s.Read(dec); err != nil {
			return "", err
		}
		if string(s.intent.id) != ref {
			return "", wire.Faultf("is about another payment_intent")
		}
		found = append(found, s)
		return s.id, nil
	})
	switch {
	case err != nil:
		return session{}, err
	case len(found) > 1 || next != "":
		return session{}, a.api.Unreadable(what, "names two sessions for one payment_intent")
	case len(found) == 1:
		return a.checked(what, found[0], nil)
	}
	i := newIntent()
	err = a.get(ctx, what, "/v1/payment_intents/"+url.PathEscape(ref), url.Values{"expand[]": {"latest_charge"}}, &i)
	if err == nil && (string(i.id) != ref || i.object.S != "payment_intent") {
		err = a.api.Unreadable(what, "is about another payment_intent")
	}
	return a.checked(what, i.alone(), err)
}

func (a *Adapter) findByCharge(ctx context.Context, what, ref string) (session, error) {
	var c charge
	if err := a.get(ctx, what, "/v1/charges/"+url.PathEscape(ref), nil, &c); err != nil {
		return session{}, err
	}
	switch {
	case string(c.id) != ref:
		return session{}, a.api.Unreadable(what, "is about another charge")
	case c.intent.id == "":
		return session{}, a.api.Unknown(what, "its charge belongs to no payment_intent")
	}
	return a.findByIntent(ctx, what, string(c.intent.id))
}

// findByPart goes from a refund or dispute to what it is of.
func (a *Adapter) findByPart(ctx context.Context, what, ref string, id wire.Ref, i *link, c *charge) (session, error) {
	switch {
	case string(id) != ref:
		return session{}, a.api.Unreadable(what, "is about another refund or dispute")
	case i.id != "":
		return a.findByIntent(ctx, what, string(i.id))
	case c.id != "":
		return a.findByCharge(ctx, what, string(c.id))
	}
	return session{}, a.api.Unknown(what, "it belongs to no payment_intent")
}

// snapshot is the session's record, with what went back of its money.
func (a *Adapter) snapshot(ctx context.Context, what string, s *session) (payment.Snapshot, error) {
	out, err := s.snapshot()
	if err != nil {
		return payment.Snapshot{}, a.api.Unreadable(what, err.Error())
	}
	if out.Received.Sign() == 0 {
		return out, nil
	}
	l, err := a.ledger(ctx, what, s)
	if err != nil {
		return payment.Snapshot{}, err
	}
	out.Refunds, out.Disputes, out.Refunded, out.Reversed = l.refunds, l.disputes, l.refunded, l.reversed
	out.RefundStatus = payment.RefundStatusOf(out.Refunded, out.Amount)
	return out, nil
}

// snapshot is what the session itself tells.
func (s *session) snapshot() (payment.Snapshot, error) {
	code := currencyOf(s.currency.S)
	amount, err := money(s.total, code)
	if err != nil {
		return payment.Snapshot{}, err
	}
	var received payment.Amount
	if s.intent.id != "" {
		if received, err = money(s.intent.received, code); err != nil {
			return payment.Snapshot{}, err
		}
	}
	state, err := s.state()
	return payment.Snapshot{
		Ref: string(s.id), OrderRef: s.orderRef(), Status: state, RefundStatus: payment.NotRefunded,
		Amount: amount, Received: received, Currency: code, Risk: payment.NotAssessed(),
	}, err
}
