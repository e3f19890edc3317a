package payment

import (
	"fmt"
	"math/big"
	"strings"
)

// Units is how many decimals a provider counts in for each currency that it
// takes. They differ from one provider to the next, and from ISO 4217, so each
// adapter has a table of its own.
type Units map[string]int

// NewUnits makes a table of codes with blanks between them, by their decimals.
func NewUnits(codes map[int]string) Units {
	u := Units{}
	for decimals, list := range codes {
		for code := range strings.FieldsSeq(list) {
			u[code] = decimals
		}
	}
	return u
}

// To turns an amount of ours, in the minor units of Exponent, into the provider's.
// It refuses a currency that isn't in the table and an amount that the provider
// can't count exactly.
func (u Units) To(m Money) (Amount, error) {
	theirs, taken := u[m.Currency]
	ours, known := Exponent(m.Currency)
	if !taken || !known {
		return Amount{}, fmt.Errorf("%s isn't taken", m.Currency)
	}
	return m.Amount.shift(theirs - ours)
}

// From turns the provider's count back into ours.
func (u Units) From(theirs Amount, currency string) (Amount, error) {
	digits, taken := u[currency]
	ours, known := Exponent(currency)
	if !taken || !known {
		return Amount{}, fmt.Errorf("%q isn't a currency that this provider takes", currency)
	}
	return theirs.shift(ours - digits)
}

// shift moves the decimal point by n digits to the right, exactly or not at all.
func (a Amount) shift(n int) (Amount, error) {
	if n >= 0 {
		power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
		return Amount{new(big.Int).Mul(a.int(), power)}, nil
	}
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(-n)), nil)
	quotient, rest := new(big.Int).QuoRem(a.int(), power, new(big.Int))
	if rest.Sign() != 0 {
		return Amount{}, fmt.Errorf("%s has more decimals than can be counted", a)
	}
	return Amount{quotient}, nil
}
