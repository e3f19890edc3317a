package razorpay

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
	"onceshop/providers/signing"
	"onceshop/providers/wire"
)

// Parse reads the one event in raw, which Verify has let through.
func (a *Adapter) Parse(header http.Header, raw []byte) ([]payment.Event, error) {
	var e event
	err := wire.ReadDocument(raw, &e)
	if err == nil && e.isEmpty(raw) {
		err = wire.Faultf("is an empty object")
	}
	if err != nil {
		return nil, fmt.Errorf("%w: the body %w", payment.ErrMalformed, err)
	}
	sum := sha256.Sum256(raw)
	out := payment.Event{
		Provider:    Name,
		ID:          hex.EncodeToString(sum[:]),
		Alias:       alias(header),
		Type:        e.kind.S,
		PaymentRef:  e.paymentRef(),
		OrderRef:    e.orderRef(),
		OccurredAt:  e.createdAt.Time,
		Fingerprint: sum,
	}
	out.Amount, out.Currency = e.money()
	out.Effect, out.Status = e.effect()
	out.Verdict, out.Reason = a.verdict(&e, out.Effect)
	return []payment.Event{out}, nil
}

// alias is the event's id in the header. Whoever repeats a captured delivery can
// write there what they like, so it identifies nothing by itself.
func alias(header http.Header) string {
	id, err := signing.Header(header, EventIDHeader)
	if err != nil || !wire.IsRef(id) {
		return ""
	}
	return id
}

// event is the document that a delivery carries. Which entities it has depends on
// its type.
type event struct {
	kind      wire.Word
	account   wire.Word
	createdAt wire.Seconds
	payment   paymentEntity
	order     orderEntity
	link      linkEntity
	refund    refundEntity
	dispute   disputeEntity
}

func (e *event) Read(dec *jsontext.Decoder) error {
	e.kind, e.account.Max = wire.Type(), maxAccount
	entity := func(v wire.Value) wire.Members { return wire.Members{"entity": v} }
	return wire.Members{
		"event":      &e.kind,
		"account_id": &e.account,
		"created_at": &e.createdAt,
		"payload": wire.Members{
			"payment":      entity(&e.payment),
			"order":        entity(&e.order),
			"payment_link": entity(&e.link),
			"refund":       entity(&e.refund),
			"dispute":      entity(&e.dispute),
		},
	}.Read(dec)
}

func (e *event) isEmpty(raw []byte) bool {
	return e.kind.S == "" && string(bytes.Join(bytes.Fields(raw), nil)) == "{}"
}

// paymentRef is the payment that the event is about, or what leads to it.
func (e *event) paymentRef() string {
	order := string(e.order.id)
	if order != "" && !strings.HasPrefix(order, orderPrefix) {
		order = orderPrefix + order // as the order beside a paid link has it
	}
	return cmp.Or(string(e.payment.id), string(e.refund.paymentID), string(e.dispute.paymentID), string(e.link.id), order)
}

// orderRef prefers what we wrote ourselves.
func (e *event) orderRef() string {
	return string(cmp.Or(e.link.referenceID, e.payment.notes.orderRef, e.order.notes.orderRef, e.link.notes.orderRef, e.order.receipt))
}

// money is what the event is about: the refund, the dispute, or else the payment.
func (e *event) money() (*payment.Amount, string) {
	for _, m := range []struct {
		amount   wire.Integer
		currency wire.Word
	}{
		{e.refund.amount, e.refund.currency}, {e.dispute.amount, e.dispute.currency}, {e.payment.amount, e.payment.currency},
		{e.order.amount, e.order.currency}, {e.link.amount, e.link.currency},
	} {
		if !m.amount.Given {
			continue
		}
		ours, err := units.From(m.amount.Amount, m.currency.S)
		if err != nil {
			return nil, ""
		}
		return &ours, m.currency.S
	}
	return nil, ""
}

// effect is what a type of event means. What the entities say about the state
// isn't asked: they are of the time of sending, and "authorized" may come with a
// payment that is captured by now.
func (e *event) effect() (payment.Effect, payment.Status) {
	switch e.kind.S {
	case "payment.authorized":
		return payment.EffectAdvance, payment.Authorised
	case "payment.captured", "order.paid", "payment_link.paid":
		return payment.EffectAdvance, payment.Paid
	case "payment.failed":
		return payment.EffectAttemptFailed, ""
	case "payment_link.expired":
		return payment.EffectAdvance, payment.Expired
	case "payment_link.cancelled":
		return payment.EffectAdvance, payment.Failed
	case "refund.processed":
		switch {
		case !e.payment.captured.Given:
			return payment.EffectFetch, ""
		case !e.payment.captured.True:
			return payment.EffectRefundUncaptured, ""
		}
		return payment.EffectRefund, ""
	case "refund.failed":
		return payment.EffectRefundReversed, ""
	case "payment.dispute.created":
		if e.dispute.isQuestion() {
			return payment.EffectDisputeNoted, ""
		}
		return payment.EffectDisputeOpened, ""
	case "payment.dispute.under_review", "payment.dispute.action_required":
		return payment.EffectDisputeNoted, ""
	case "payment.dispute.won":
		return payment.EffectDisputeWon, ""
	case "payment.dispute.lost":
		return payment.EffectDisputeLost, ""
	case "payment.dispute.closed":
		return payment.EffectFetch, ""
	}
	return payment.EffectNone, ""
}

func (a *Adapter) verdict(e *event, effect payment.Effect) (payment.Verdict, string) {
	foreign := len(a.accounts) > 0 && !slices.Contains(a.accounts, e.account.S)
	switch {
	case effect == payment.EffectNone && isKnown(e.kind.S):
		return payment.Ignored, e.kind.S + " changes nothing"
	case effect == payment.EffectNone:
		return payment.Ignored, "not a type we act on"
	case foreign && e.account.S == "":
		return payment.NeedsReview, "foreign_account: the event names none"
	case foreign:
		return payment.Ignored, "foreign_account: " + e.account.S
	}
	return "", ""
}

// isKnown tells of types that are about our payments and change nothing.
func isKnown(kind string) bool {
	switch kind {
	case "refund.created", "refund.speed_changed", "payment_link.partially_paid":
		return true
	}
	return false
}
