package checkoutcom

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"onceshop/payment"
	"onceshop/sandbox"
)

// The currencies that Checkout.com doesn't count in hundredths; the last digit of
// three decimals has to be 0.
var (
	withoutDecimals = strings.Fields("BIF DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF")
	threeDecimals   = strings.Fields("BHD IQD JOD KWD LYD OMR TND")
)

const maxDigits = 9

// units is how Checkout.com counts a currency; empty if it isn't taken here.
func units(currency string) payment.Units {
	digits, known := payment.Exponent(currency)
	switch {
	case !known || len(currency) != 3:
		return nil
	case slices.Contains(withoutDecimals, currency):
		return payment.Units{currency: 0}
	case slices.Contains(threeDecimals, currency):
		return payment.Units{currency: 3}
	case digits == 2:
		return payment.Units{currency: 2}
	}
	return nil
}

// theirs is an amount of the engine's as Checkout.com counts it.
func theirs(a payment.Amount, currency string) minor {
	n, err := units(currency).To(payment.Money{Amount: a, Currency: currency})
	if err != nil {
		return minor{Amount: a} // came in through ours: it can be counted
	}
	return minor{Amount: n}
}

// ours is what Checkout.com counts in the engine's units.
func ours(n minor, currency string) (payment.Amount, error) {
	a, err := units(currency).From(n.Amount, currency)
	switch {
	case err != nil:
		return a, err
	case n.Sign() <= 0:
		return a, errors.New("the amount must be more than 0")
	case len(n.String()) > maxDigits:
		return a, fmt.Errorf("the amount must have at most %d digits", maxDigits)
	case slices.Contains(threeDecimals, currency) && !strings.HasSuffix(n.String(), "0"):
		return a, fmt.Errorf("the last digit of an amount in %s must be 0", currency)
	}
	return a, nil
}

// minor is what all amounts are written as.
type minor = sandbox.Minor
