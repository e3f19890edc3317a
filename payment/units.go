package payment

import (
	"errors"
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

// Limits are what a provider wants of an amount that it is asked to take or to give
// back.
type Limits struct {
	Digits    int  // how many there may be; 0: any number
	ZeroThird bool // of three decimals the last is 0: card networks don't take it
}

// Ask is To for an amount that the provider is to be asked for, or why it can't be.
func (u Units) Ask(m Money, l Limits) (Amount, error) {
	theirs, err := u.To(m)
	digits := theirs.String()
	switch {
	case err != nil:
		return Amount{}, err
	case theirs.Sign() <= 0:
		return Amount{}, errors.New("the amount isn't positive")
	case l.Digits > 0 && len(digits) > l.Digits:
		return Amount{}, fmt.Errorf("the amount has more than %d digits", l.Digits)
	case l.ZeroThird && u[m.Currency] == 3 && !strings.HasSuffix(digits, "0"):
		return Amount{}, fmt.Errorf("the last of the three decimals of %s has to be 0", m.Currency)
	}
	return theirs, nil
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
