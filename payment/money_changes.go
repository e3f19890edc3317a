package payment

import "slices"

// amounts are the fields of changes that are money: those of a payment's record, and
// those that the shop keeps of an order beside them.
var amounts = []string{
	"amount", "received", "refunded", "reversed", "taken_back",
	"received_amount", "refunded_amount", "surplus_amount", "refund_asked",
}

// InMoney returns the changes for people: each amount as say words it. The history
// counts in minor units of currency, except for what a snapshot claims of a payment in
// another one, which is refused (CurrencyMismatch).
func InMoney(changes []Change, currency string, say func(Money) string) []Change {
	claimed := currency
	for _, c := range changes {
		if c.Field == "currency" {
			claimed = c.After
		}
	}
	words := func(minor, currency string) string {
		a, err := ParseAmount(minor)
		if err != nil {
			return minor // there was none
		}
		return say(Money{a, currency})
	}
	changes = slices.Clone(changes)
	for i, c := range changes {
		if slices.Contains(amounts, c.Field) {
			changes[i].Before, changes[i].After = words(c.Before, currency), words(c.After, claimed)
		}
	}
	return changes
}
