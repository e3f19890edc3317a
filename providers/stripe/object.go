package stripe

import (
	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
	"onceshop/providers/wire"
)

// orderRefName is where our reference stands in the metadata of a session, its
// intent and our refunds. Stripe keeps each set for itself.
const orderRefName = "order_ref"

// metadata is read for our reference.
type metadata struct{ orderRef wire.LenientText }

func (m *metadata) Read(dec *jsontext.Decoder) error {
	return wire.Labels{orderRefName: &m.orderRef}.Read(dec)
}

// link is a member that Stripe answers as an id, or expanded into the object with
// that id.
type link struct {
	id    wire.Ref
	whole bool         // the object itself was there
	into  wire.Members // what is read of the object, beside its id
}

func (l *link) Read(dec *jsontext.Decoder) error {
	switch dec.PeekKind() {
	case '"':
		return l.id.Read(dec)
	case 'n':
		return wire.Skip(dec)
	case '{':
		l.whole = true
		members := wire.Members{"id": &l.id}
		for name, value := range l.into {
			members[name] = value
		}
		return members.Read(dec)
	}
	if _, err := dec.ReadValue(); err != nil {
		return wire.Syntax(dec, err)
	}
	return wire.Faultf("is neither an id nor an object")
}

// money converts one of Stripe's amounts into ours. It never guesses: a currency
// that isn't in the table is a fault.
func money(n wire.Integer, code string) (payment.Amount, error) {
	if !n.Given {
		return payment.Amount{}, wire.Faultf("has no amount")
	}
	amount, err := units.From(n.Amount, code)
	if err != nil {
		return amount, wire.Faultf("has an amount that can't be counted in a currency of ours")
	}
	return amount, nil
}
