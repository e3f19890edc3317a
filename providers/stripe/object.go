package stripe

import (
	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
	"onceshop/providers/wire"
)

// The lengths are those of our records' columns.
func status() wire.Word   { return wire.Word{Max: 32} }
func currency() wire.Word { return wire.Word{Max: 12} }

// orderRefName is where our reference stands in the metadata of a session, its
// intent and our refunds. Stripe keeps each set for itself.
const orderRefName = "order_ref"

// metadata is read for our reference. Its other names are whoever's, and one that
// differs from ours in case is simply another: Stripe compares them exactly. So
// it isn't held to the rules for Stripe's own names, by which an event of another
// application on the account would be refused for ever.
type metadata struct{ orderRef wire.LenientText }

func (m *metadata) Read(dec *jsontext.Decoder) error {
	if dec.PeekKind() == 'n' {
		return wire.Skip(dec)
	}
	if err := wire.Begin(dec, '{', "an object"); err != nil {
		return err
	}
	for dec.PeekKind() != '}' {
		name, err := dec.ReadToken()
		if err != nil {
			return wire.Syntax(dec, err)
		}
		if name.String() != orderRefName {
			err = wire.Skip(dec)
		} else {
			err = m.orderRef.Read(dec)
		}
		if err != nil {
			return err
		}
	}
	_, err := dec.ReadToken()
	return wire.Syntax(dec, err)
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
