package stripe

import (
	"crypto/sha256"
	"fmt"
	"net/http"

	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
	"onceshop/providers/wire"
)

// Parse reads the one event in raw, which Verify has let through. Its errors are
// payment.ErrMalformed. No header is read: all that counts is in the body.
func (a *Adapter) Parse(_ http.Header, raw []byte) ([]payment.Event, error) {
	e, err := a.readEvent(raw)
	if err != nil {
		return nil, fmt.Errorf("%w: the body %w", payment.ErrMalformed, err)
	}
	return []payment.Event{e}, nil
}

func (a *Adapter) readEvent(raw []byte) (payment.Event, error) {
	var e event
	if err := wire.ReadDocument(raw, &e); err != nil {
		return payment.Event{}, err
	}
	switch {
	case e.id == "":
		return payment.Event{}, wire.Faultf("has no id")
	case e.object.S != "event":
		return payment.Event{}, wire.Faultf("is not an event")
	}
	out := payment.Event{
		Provider: Name, ID: string(e.id), Type: e.kind.S, OccurredAt: e.at.Time, Fingerprint: e.fingerprint(), Effect: payment.EffectNone,
	}
	rule, known := rules[e.kind.S]
	if known {
		o := newObject()
		if err := e.readObject(&o, rule.object); err != nil {
			return out, err
		}
		out.PaymentRef, out.OrderRef = o.paymentRef(), o.orderRef()
		out.Amount, out.Currency = o.money()
		out.Effect, out.Status = rule.effect, rule.status
		if rule.when != nil {
			out.Effect, out.Status = rule.when(&o)
		}
	}
	out.Verdict, out.Reason = a.judge(&e, &out, known)
	return out, nil
}

// judge tells where the event alone decides what becomes of it.
func (a *Adapter) judge(e *event, out *payment.Event, known bool) (payment.Verdict, string) {
	switch {
	case e.account != "":
		return payment.Ignored, "foreign_account: the event is a connected account's"
	case e.live.Given && e.live.True && !a.live:
		return payment.Ignored, "ignored_mode: a live event in a test shop"
	case e.live.Given && !e.live.True && a.live:
		return payment.Ignored, "ignored_mode: a test event in a live shop"
	case !known:
		return payment.Ignored, "not a type we act on"
	case out.Effect == payment.EffectNone:
		return payment.Ignored, out.Type + " changes nothing"
	case !e.live.Given:
		return payment.NeedsReview, "the event doesn't say whether it is live or a test"
	case out.PaymentRef == "":
		return payment.NeedsReview, "the event names no payment"
	}
	return "", ""
}

// event is the envelope that a delivery carries. What is in data depends on the
// type, which comes later, so it is kept and read afterwards.
type event struct {
	id           wire.Ref
	object, kind wire.Word
	created      wire.Raw
	at           wire.Seconds
	live         wire.Bool
	account      wire.Ref
	data         wire.Raw
}

func (e *event) Read(dec *jsontext.Decoder) error {
	e.object, e.kind = wire.Word{Max: 100}, wire.Type()
	e.created.Into = &e.at
	return wire.Members{
		"id":       &e.id,
		"object":   &e.object,
		"type":     &e.kind,
		"created":  &e.created,
		"livemode": &e.live,
		"account":  &e.account,
		"data":     &e.data,
	}.Read(dec)
}

// fingerprint is of what is the same in every delivery of an event: its type, time
// and data, value for value as they were written. How many deliveries are pending
// is told beside them. None of the parts has a line break in it.
func (e *event) fingerprint() [sha256.Size]byte {
	return sha256.Sum256([]byte(e.kind.S + "\n" + string(e.created.Bytes) + "\n" + string(e.data.Bytes)))
}

// readObject reads data.object, if there is one.
func (e *event) readObject(o *object, name string) error {
	if len(e.data.Bytes) == 0 || e.data.Bytes.Kind() == 'n' {
		return nil
	}
	if err := wire.ReadDocument(e.data.Bytes, wire.Members{"object": o}); err != nil {
		return fmt.Errorf("in its data %w", err)
	}
	if o.name.S != "" && o.name.S != name {
		return wire.Faultf("has an object in its data that isn't a %s", name)
	}
	return nil
}
