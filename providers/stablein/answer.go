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

func (a *Adapter) readAnswer(what string, data []byte) (answer, payment.Snapshot, error) {
	ans := answer{bare: newOrder(), inside: newOrder(), paymentURL: wire.Address()}
	if err := wire.ReadDocument(data, &ans); err != nil {
		return ans, payment.Snapshot{}, a.api.Unreadable(what, err.Error())
	}
	o := &ans.bare
	if ans.inside.id != "" {
		o = &ans.inside
	}
	s, err := o.snapshot()
	if err != nil {
		return ans, s, a.api.Unreadable(what, err.Error())
	}
	return ans, s, nil
}

func (a *Adapter) readAnswerAbout(what, ref string, data []byte) (payment.Snapshot, error) {
	_, s, err := a.readAnswer(what, data)
	if err == nil && s.Ref != ref {
		return payment.Snapshot{}, a.api.Unreadable(what, "is about another payment")
	}
	return s, err
}
