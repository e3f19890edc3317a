package stripe

import (
	"fmt"
	"slices"
	"strings"

	"onceshop/payment"
	"onceshop/sandbox"
)

// The currencies that Stripe doesn't count in hundredths; the last digit of three
// decimals has to be 0. Iceland's krónur have two, and must be whole ones.
var (
	withoutDecimals = strings.Fields("BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF")
	threeDecimals   = strings.Fields("BHD JOD KWD OMR TND")
)

const maxDigits = 8

// units is how Stripe counts a currency; empty if it doesn't take it.
func units(currency string) payment.Units {
	digits, known := payment.Exponent(currency)
	switch {
	case !known || len(currency) != 3:
		return nil
	case slices.Contains(withoutDecimals, currency):
		return payment.Units{currency: 0}
	case slices.Contains(threeDecimals, currency):
		return payment.Units{currency: 3}
	case currency == "ISK" || digits == 2:
		return payment.Units{currency: 2}
	}
	return nil
}

// theirs is an amount of the engine's as Stripe counts it.
func theirs(a payment.Amount, currency string) minor {
	n, err := units(currency).To(payment.Money{Amount: a, Currency: currency})
	if err != nil {
		return minor{Amount: a} // came in through ours: it can be counted
	}
	return minor{Amount: n}
}

// ours is what Stripe counts in the engine's units.
func ours(n payment.Amount, currency string) (payment.Amount, error) {
	a, err := units(currency).From(n, currency)
	switch {
	case err != nil:
		return a, err
	case len(n.String()) > maxDigits:
		return a, fmt.Errorf("the amount must have at most %d digits", maxDigits)
	case slices.Contains(threeDecimals, currency) && !strings.HasSuffix(n.String(), "0"):
		return a, fmt.Errorf("the last digit of an amount in %s must be 0", currency)
	}
	return a, nil
}

// minor is what all amounts are written as.
type minor = sandbox.Minor
