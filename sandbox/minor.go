package sandbox

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"onceshop/payment"
)

// Minor is an amount as a JSON number of a provider's own minor units, digit by
// digit.
type Minor struct{ payment.Amount }

// MarshalJSON writes the digits.
func (m Minor) MarshalJSON() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalJSON takes digits only: no fraction, no exponent, no text.
func (m *Minor) UnmarshalJSON(raw []byte) (err error) {
	m.Amount, err = payment.ParseAmount(string(raw))
	return err
}

// Counting is how a provider counts money: the currencies that have other decimals
// than two, there or in ISO 4217, by their decimals there, with blanks between.
// Tokens are never taken.
type Counting struct {
	Zero, Two string
	Three     string // the last digit has to be 0
	ISO       bool   // what isn't named and has other decimals than two is taken, too
	Digits    int    // that an amount has at most; 0: no bound
}

func (c Counting) units(currency string) payment.Units {
	named := func(codes string) bool { return slices.Contains(strings.Fields(codes), currency) }
	digits, known := payment.Exponent(currency)
	switch {
	case !known || len(currency) != 3:
		return nil
	case named(c.Zero):
		digits = 0
	case named(c.Two):
		digits = 2
	case named(c.Three):
		digits = 3
	case digits != 2 && !c.ISO:
		return nil
	}
	return payment.Units{currency: digits}
}

// Takes tells whether the provider takes a currency.
func (c Counting) Takes(currency string) bool { return c.units(currency) != nil }

// To is an amount of the engine's as the provider counts it.
func (c Counting) To(a payment.Amount, currency string) Minor {
	n, err := c.units(currency).To(payment.Money{Amount: a, Currency: currency})
	if err != nil {
		return Minor{a} // came in through From: it can be counted
	}
	return Minor{n}
}

// From is what the provider counts in the engine's units, if it can be asked for.
func (c Counting) From(n payment.Amount, currency string) (payment.Amount, error) {
	a, err := c.units(currency).From(n, currency)
	switch {
	case err != nil:
		return a, err
	case n.Sign() <= 0:
		return a, errors.New("the amount must be more than 0")
	case c.Digits > 0 && len(n.String()) > c.Digits:
		return a, fmt.Errorf("the amount must have at most %d digits", c.Digits)
	case slices.Contains(strings.Fields(c.Three), currency) && !strings.HasSuffix(n.String(), "0"):
		return a, fmt.Errorf("the last digit of an amount in %s must be 0", currency)
	}
	return a, nil
}
