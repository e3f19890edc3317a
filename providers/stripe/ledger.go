package stripe

import (
	"context"
	"net/url"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
	"onceshop/providers/wire"
)

// ledger is what went back, or is claimed back, of an intent's money.
type ledger struct {
	refunds            []payment.Refund
	disputes           []payment.Dispute
	refunded, reversed payment.Amount
}

// The sizes of pages: the largest that Stripe gives, and few where every item may
// carry pages of evidence.
const (
	refundsPerPage  = 100
	disputesPerPage = 10
)

// ledger reads the intent's refunds and disputes. It is asked for whenever money
// was captured, since nothing in the charge tells that there surely were none: a
// refund that failed has left its total again.
func (a *Adapter) ledger(ctx context.Context, what string, s *session) (l ledger, err error) {
	code := currencyOf(s.currency.S)
	seen := map[wire.Ref]bool{}
	of := func(l *link, id wire.Ref) error {
		switch {
		case l.id != "" && l.id != s.intent.id:
			return wire.Faultf("is of another payment_intent")
		case seen[id]:
			return wire.Faultf("was listed before")
		}
		seen[id] = true
		return nil
	}
	q := url.Values{"payment_intent": {string(s.intent.id)}, "limit": {strconv.Itoa(refundsPerPage)}}
	err = a.pages(ctx, what, "/v1/refunds", q, func(dec *jsontext.Decoder) (wire.Ref, error) {
		r := newRefund()
		if err := r.Read(dec); err != nil {
			return "", err
		}
		if err := of(&r.intent, r.id); err != nil {
			return "", err
		}
		return r.id, l.addRefund(&r, code)
	})
	if err != nil {
		return l, err
	}
	q = url.Values{"payment_intent": {string(s.intent.id)}, "limit": {strconv.Itoa(disputesPerPage)}}
	err = a.pages(ctx, what, "/v1/disputes", q, func(dec *jsontext.Decoder) (wire.Ref, error) {
		d := newDispute()
		if err := d.Read(dec); err != nil {
			return "", err
		}
		if err := of(&d.intent, d.id); err != nil {
			return "", err
		}
		return d.id, l.addDispute(&d, s, code)
	})
	if err != nil {
		return l, err
	}
	return l, l.explains(a, what, s, code)
}

// explains holds the lists against the charge's own word. It was read before them,
// so what it tells of has to be there. Of a part captured, the charge also counts
// what was only reserved and given back.
func (l *ledger) explains(a *Adapter, what string, s *session, code string) error {
	c := &s.intent.charge
	if c.disputed.True && len(l.disputes) == 0 {
		return a.api.Unreadable(what, "tells of a dispute that isn't listed")
	}
	if !c.refunded.Given || s.intent.received.Cmp(s.total.Amount) < 0 {
		return nil
	}
	told, err := money(c.refunded, code)
	if err != nil || told.Cmp(l.refunded.Add(l.reversed)) > 0 {
		return a.api.Unreadable(what, "tells of more refunds than are listed")
	}
	return nil
}

func (l *ledger) addRefund(r *refund, code string) error {
	amount, err := r.money(code)
	if err != nil {
		return err
	}
	out := payment.Refund{Ref: string(r.id), Amount: amount, Status: r.state()}
	if out.Status == payment.RefundFailed {
		l.reversed = l.reversed.Add(amount)
	} else {
		l.refunded = l.refunded.Add(amount)
	}
	l.refunds = append(l.refunds, out)
	return nil
}

// addDispute takes one in another currency for one about all that was received:
// what it says can't be counted, and it mustn't be overlooked for that.
func (l *ledger) addDispute(d *dispute, s *session, code string) error {
	n := d.amount
	switch {
	case d.id == "":
		return wire.Faultf("has no id")
	case d.status.S == "":
		return wire.Faultf("has no status")
	case currencyOf(d.currency.S) != code:
		n = s.intent.received
	}
	amount, err := money(n, code)
	if err != nil {
		return err
	}
	l.disputes = append(l.disputes, payment.Dispute{Ref: string(d.id), Amount: amount, Reason: string(d.reason), Status: d.state()})
	return nil
}

// refund is one refund of a charge.
type refund struct {
	id       wire.Ref
	status   wire.Word
	amount   wire.Integer
	currency wire.Word
	intent   link
	charge   charge
	key      wire.LenientText // of a refund of ours
}

func newRefund() refund { return refund{status: wire.State(), currency: wire.Currency()} }

func (r *refund) Read(dec *jsontext.Decoder) error {
	return wire.Members{
		"id": &r.id, "status": &r.status, "amount": &r.amount, "currency": &r.currency,
		"payment_intent": &r.intent, "charge": &r.charge, "metadata": wire.Labels{refundKey: &r.key},
	}.Read(dec)
}

// money demands what a refund in the payment's currency has to have.
func (r *refund) money(code string) (payment.Amount, error) {
	switch {
	case r.id == "":
		return payment.Amount{}, wire.Faultf("has no id")
	case r.status.S == "":
		return payment.Amount{}, wire.Faultf("has no status")
	case currencyOf(r.currency.S) != code:
		return payment.Amount{}, wire.Faultf("is in another currency than its payment")
	}
	amount, err := money(r.amount, code)
	if err == nil && amount.Sign() == 0 {
		err = wire.Faultf("has the amount 0")
	}
	return amount, err
}

// state reads a word that we don't know as money on its way back: it counts.
func (r *refund) state() payment.RefundState {
	switch r.status.S {
	case "succeeded":
		return payment.RefundDone
	case "failed", "canceled":
		return payment.RefundFailed
	}
	return payment.RefundPending
}

// dispute is one dispute, or an inquiry that may become one.
type dispute struct {
	id       wire.Ref
	status   wire.Word
	reason   wire.LenientText
	amount   wire.Integer
	currency wire.Word
	intent   link
	charge   charge
}

func newDispute() dispute {
	return dispute{status: wire.State(), currency: wire.Currency()}
}

func (d *dispute) Read(dec *jsontext.Decoder) error {
	return wire.Members{
		"id": &d.id, "status": &d.status, "reason": &d.reason, "amount": &d.amount, "currency": &d.currency,
		"payment_intent": &d.intent, "charge": &d.charge,
	}.Read(dec)
}

// state reads needs_response, under_review, their warnings and every word that we
// don't know as open: nothing is delivered meanwhile.
func (d *dispute) state() payment.DisputeStatus {
	switch d.status.S {
	case "won", "prevented", "warning_closed":
		return payment.DisputeWon
	case "lost":
		return payment.DisputeLost
	}
	return payment.DisputeOpen
}
