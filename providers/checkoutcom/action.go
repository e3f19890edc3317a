package checkoutcom

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
	"onceshop/providers/call"
	"onceshop/providers/wire"
)

// action is something that was done to a payment.
type action struct {
	id       wire.Ref
	kind     wire.Word
	amount   wire.Integer
	approved wire.Bool
	code     wire.Text
	key      wire.LenientText // of a refund of ours
}

// refundKey is the name in a refund's metadata under which our key stands.
const refundKey = "refund_key"

func newAction() action { return action{kind: wire.Word{Max: 64}} }

func (c *action) Read(dec *jsontext.Decoder) error {
	err := wire.Members{
		"id":            &c.id,
		"type":          &c.kind,
		"amount":        &c.amount,
		"approved":      &c.approved,
		"response_code": &c.code,
		"metadata":      wire.Labels{refundKey: &c.key},
	}.Read(dec)
	if err == nil && (c.isCapture() || c.isRefund()) && (c.id == "" || !c.amount.Given) {
		err = wire.Faultf("has an action without an id or an amount")
	}
	return err
}

func (c *action) isCapture() bool { return c.kind.S == "Capture" }
func (c *action) isRefund() bool  { return c.kind.S == "Refund" }

// refund is an action as the shop knows it. Refunds are carried out some time
// after they were asked for: one that isn't approved and has no answer either is
// still under way.
func (c *action) refund() payment.Refund {
	r := payment.Refund{Ref: string(c.id), Amount: c.amount.Amount, Status: payment.RefundPending}
	switch {
	case c.approved.True:
		r.Status = payment.RefundDone
	case c.approved.Given && c.code.S != "":
		r.Status = payment.RefundFailed
	}
	return r
}

// actions reads all that was done to a payment.
func (a *Adapter) actions(ctx context.Context, what, id string) (all []action, err error) {
	err = a.api.Do(ctx, call.Request{What: what, Path: paymentPath(id) + "/actions", NamesPayment: true}, &wire.List{Each: each(&all, newAction)})
	return all, err
}

// take notes an attempt's actions. Where its balances don't tell, the approved
// ones add up to them.
func (t *attempt) take(actions []action) {
	var captured, refunded payment.Amount
	for _, c := range actions {
		switch {
		case c.isCapture() && c.approved.True:
			captured = captured.Add(c.amount.Amount)
		case c.isRefund():
			t.refunds = append(t.refunds, c)
			if c.approved.True {
				refunded = refunded.Add(c.amount.Amount)
			}
		}
	}
	if !t.balances.told() {
		t.balances.captured = wire.Integer{Amount: captured, Given: true}
		t.balances.refunded = wire.Integer{Amount: refunded, Given: true}
	}
}

// each appends what an array holds, read as fresh makes it.
func each[T any, P interface {
	*T
	wire.Value
}](all *[]T, fresh func() T) func(*jsontext.Decoder) error {
	return func(dec *jsontext.Decoder) error {
		if dec.PeekKind() == 'n' {
			return wire.Faultf("has null in an array")
		}
		item := fresh()
		err := P(&item).Read(dec)
		*all = append(*all, item)
		return err
	}
}
