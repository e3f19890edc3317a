package razorpay

import (
	"errors"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
	"onceshop/sandbox"
)

// The currencies that Razorpay doesn't count in hundredths. Of three decimals the
// last has to be 0.
var (
	withoutDecimals = strings.Fields("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF")
	threeDecimals   = strings.Fields("BHD IQD JOD KWD OMR TND")
)

// least is the smallest payment in paise.
var least = payment.NewAmount(100)

// units is how Razorpay counts a currency; empty if it doesn't take it.
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

// theirs is an amount of the engine's as Razorpay counts it.
func theirs(a payment.Amount, currency string) minor {
	n, err := units(currency).To(payment.Money{Amount: a, Currency: currency})
	if err != nil {
		return minor{Amount: a} // came in through ours: it can be counted
	}
	return minor{Amount: n}
}

// ours is what a request counts in Razorpay's units, in the engine's.
func ours(raw jsontext.Value, currency string) (payment.Amount, error) {
	n, err := payment.ParseAmount(string(raw))
	if err != nil {
		return n, errors.New("amount, should be a whole number for e.g. 2234")
	}
	a, err := units(currency).From(n, currency)
	switch {
	case err != nil:
		return a, err
	case n.Sign() <= 0 || currency == "INR" && n.Cmp(least) < 0:
		return a, errors.New("amount: amount should be minimum 100 for INR, and positive for others")
	case slices.Contains(threeDecimals, currency) && !strings.HasSuffix(n.String(), "0"):
		return a, errors.New("amount: the last digit of an amount in " + currency + " must be 0")
	}
	return a, nil
}

// minor is what all amounts are written as.
type minor = sandbox.Minor
