package razorpay

import (
	"github.com/go-json-experiment/json/jsontext"

	"onceshop/providers/wire"
)

// What the ids of Razorpay's records begin with.
const (
	paymentPrefix = "pay_"
	orderPrefix   = "order_"
	linkPrefix    = "plink_"
)

// The entities are the same in events and in answers of the API.

// paymentEntity is one attempt to pay.
type paymentEntity struct {
	id        wire.Ref
	orderID   wire.LenientText
	amount    wire.Integer
	refunded  wire.Integer
	currency  wire.Word
	status    wire.Word
	captured  wire.Bool
	notes     notes
	createdAt wire.Seconds
}

func (p *paymentEntity) Read(dec *jsontext.Decoder) error {
	p.currency, p.status = wire.Currency(), wire.State()
	return wire.Members{
		"id":              &p.id,
		"order_id":        &p.orderID,
		"amount":          &p.amount,
		"amount_refunded": &p.refunded,
		"currency":        &p.currency,
		"status":          &p.status,
		"captured":        &p.captured,
		"notes":           &p.notes,
		"created_at":      &p.createdAt,
	}.Read(dec)
}

func (p *paymentEntity) ref() wire.Ref { return p.id }

func (p *paymentEntity) check() error {
	switch {
	case p.id == "":
		return wire.Faultf("has a payment without id")
	case !p.amount.Given || p.currency.S == "" || p.status.S == "":
		return wire.Faultf("has a payment without amount, currency or status")
	}
	return nil
}

// orderEntity bundles the attempts that are made on one page.
type orderEntity struct {
	id       wire.Ref
	receipt  wire.LenientText
	amount   wire.Integer
	paid     wire.Integer
	currency wire.Word
	notes    notes
}

func (o *orderEntity) Read(dec *jsontext.Decoder) error {
	o.currency = wire.Currency()
	return wire.Members{
		"id":          &o.id,
		"receipt":     &o.receipt,
		"amount":      &o.amount,
		"amount_paid": &o.paid,
		"currency":    &o.currency,
		"notes":       &o.notes,
	}.Read(dec)
}

func (o *orderEntity) ref() wire.Ref { return o.id }

func (o *orderEntity) check() error {
	if o.id == "" || !o.amount.Given || o.currency.S == "" {
		return wire.Faultf("has an order without id, amount or currency")
	}
	return nil
}

// linkEntity is a payment link: the hosted page.
type linkEntity struct {
	id          wire.Ref
	referenceID wire.LenientText
	orderID     wire.LenientText
	amount      wire.Integer
	paid        wire.Integer
	currency    wire.Word
	status      wire.Word
	shortURL    wire.Text
	notes       notes
}

func (l *linkEntity) Read(dec *jsontext.Decoder) error {
	l.currency, l.status = wire.Currency(), wire.State()
	return wire.Members{
		"id":           &l.id,
		"reference_id": &l.referenceID,
		"order_id":     &l.orderID,
		"amount":       &l.amount,
		"amount_paid":  &l.paid,
		"currency":     &l.currency,
		"status":       &l.status,
		"short_url":    &l.shortURL,
		"notes":        &l.notes,
	}.Read(dec)
}

func (l *linkEntity) ref() wire.Ref { return l.id }

func (l *linkEntity) check() error {
	if l.id == "" || !l.amount.Given || l.currency.S == "" || l.status.S == "" {
		return wire.Faultf("has a payment link without id, amount, currency or status")
	}
	return nil
}

// refundEntity is one refund of one payment.
type refundEntity struct {
	id        wire.Ref
	paymentID wire.Ref
	amount    wire.Integer
	currency  wire.Word
	status    wire.Word
	notes     notes
}

func (r *refundEntity) Read(dec *jsontext.Decoder) error {
	r.currency, r.status = wire.Currency(), wire.State()
	return wire.Members{
		"id":         &r.id,
		"payment_id": &r.paymentID,
		"amount":     &r.amount,
		"currency":   &r.currency,
		"status":     &r.status,
		"notes":      &r.notes,
	}.Read(dec)
}

func (r *refundEntity) ref() wire.Ref { return r.id }

func (r *refundEntity) check() error {
	if r.id == "" || r.paymentID == "" || !r.amount.Given || r.status.S == "" {
		return wire.Faultf("has a refund without id, payment, amount or status")
	}
	return nil
}

// disputeEntity is one dispute about one payment.
type disputeEntity struct {
	id        wire.Ref
	paymentID wire.Ref
	amount    wire.Integer
	deducted  wire.Integer
	currency  wire.Word
	status    wire.Word
	phase     wire.Word
	reason    wire.LenientText
}

func (d *disputeEntity) Read(dec *jsontext.Decoder) error {
	d.currency, d.status, d.phase = wire.Currency(), wire.State(), wire.State()
	return wire.Members{
		"id":              &d.id,
		"payment_id":      &d.paymentID,
		"amount":          &d.amount,
		"amount_deducted": &d.deducted,
		"currency":        &d.currency,
		"status":          &d.status,
		"phase":           &d.phase,
		"reason_code":     &d.reason,
	}.Read(dec)
}

func (d *disputeEntity) ref() wire.Ref { return d.id }

func (d *disputeEntity) check() error {
	if d.id == "" || d.paymentID == "" || !d.amount.Given || d.status.S == "" {
		return wire.Faultf("has a dispute without id, payment, amount or status")
	}
	return nil
}

// isQuestion tells of phases in which the bank only asks; no money has moved.
func (d *disputeEntity) isQuestion() bool { return d.phase.S == "retrieval" || d.phase.S == "fraud" }

// notes are an object, or an empty array, or null, and hold what the merchant
// likes: we look for what we wrote ourselves.
type notes struct {
	orderRef  wire.LenientText
	refundKey wire.LenientText
}

// The names of our notes.
const (
	orderRefNote  = "order_ref"
	refundKeyNote = "refund_key"
)

func (n *notes) Read(dec *jsontext.Decoder) error {
	return wire.Labels{orderRefNote: &n.orderRef, refundKeyNote: &n.refundKey}.Read(dec)
}
