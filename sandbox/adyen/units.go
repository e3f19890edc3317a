package adyen

import (
	"errors"
	"fmt"

	"onceshop/payment"
	"onceshop/sandbox"
)

// decimals differ from ISO 4217 for four currencies.
var decimals = map[string]int{"CLP": 2, "CVE": 0, "IDR": 0, "ISK": 2}

const maxDigits = 18

// units is how Adyen counts a currency; empty if it doesn't take it.
func units(currency string) payment.Units {
	digits, known := payment.Exponent(currency)
	if !known || len(currency) != 3 {
		return nil
	}
	if own, differs := decimals[currency]; differs {
		digits = own
	}
	return payment.Units{currency: digits}
}

// amount is money in Adyen's minor units.
type amount struct {
	Currency string `json:"currency"`
	Value    minor  `json:"value"`
}

// theirs is an amount of the engine's as Adyen counts it.
func theirs(a payment.Amount, currency string) amount {
	n, err := units(currency).To(payment.Money{Amount: a, Currency: currency})
	if err != nil {
		n = a // came in through ours: it can be counted
	}
	return amount{currency, minor{Amount: n}}
}

// ours is what Adyen counts in the engine's units.
func (a amount) ours() (payment.Amount, error) {
	n, err := units(a.Currency).From(a.Value.Amount, a.Currency)
	switch {
	case err != nil:
		return n, err
	case a.Value.Sign() <= 0:
		return n, errors.New("the value must be more than 0")
	case len(a.Value.String()) > maxDigits:
		return n, fmt.Errorf("the value must have at most %d digits", maxDigits)
	}
	return n, nil
}

// minor is what all amounts are written as.
type minor = sandbox.Minor
