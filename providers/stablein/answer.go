package stablein

import (
	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
	"onceshop/providers/wire"
)

// answer is about one order: the order itself, or an object that has it.
type answer struct {
	bare, inside order
	paymentURL   wire.Word
}

func (a *answer) Read(dec *jsontext.Decoder) error {
	members := a.bare.members()
	members["order"], members["paymentUrl"] = &a.inside, &a.paymentURL
	return members.Read(dec)
}

func newAnswer() answer {
	return answer{bare: newOrder(), inside: newOrder(), paymentURL: wire.Address()}
}

func (a *answer) snapshot() (payment.Snapshot, error) {
	if a.inside.id != "" {
		return a.inside.snapshot()
	}
	return a.bare.snapshot()
}

// snapshotOf is what an answer about the payment with that reference tells.
func (a *Adapter) snapshotOf(what, ref string, told answer) (payment.Snapshot, error) {
	s, err := told.snapshot()
	switch {
	case err != nil:
		return payment.Snapshot{}, a.api.Unreadable(what, err.Error())
	case s.Ref != ref:
		return payment.Snapshot{}, a.api.Unreadable(what, "is about another payment")
	}
	return s, nil
}
