package payment

import (
	"database/sql/driver"
	"fmt"
	"math/big"
)

// Amount is a whole number of a currency's minor units, of any size: a
// stablecoin's base units pass int64. The zero value is 0; values don't change.
// It is also used for provider revisions, which are decimal strings as well.
type Amount struct{ n *big.Int }

var zero = new(big.Int)

func (a Amount) int() *big.Int {
	if a.n == nil {
		return zero
	}
	return a.n
}

// NewAmount returns n minor units.
func NewAmount(n int64) Amount { return Amount{big.NewInt(n)} }

// ParseAmount reads a decimal integer: an optional minus sign and digits, no
// leading zeros, no plus sign, no blanks, at most 65 digits.
func ParseAmount(s string) (Amount, error) {
	digits := s
	if len(s) > 1 && s[0] == '-' {
		digits = s[1:]
	}
	if len(digits) == 0 || len(digits) > 65 || len(digits) > 1 && digits[0] == '0' || s == "-0" {
		return Amount{}, fmt.Errorf("%q is not a whole number of minor units", s)
	}
	for _, c := range digits {
		if c < '0' || c > '9' {
			return Amount{}, fmt.Errorf("%q is not a whole number of minor units", s)
		}
	}
	n, _ := new(big.Int).SetString(s, 10)
	return Amount{n}, nil
}

// String prints the amount so that ParseAmount reads it back.
func (a Amount) String() string { return a.int().String() }

// Cmp returns -1, 0 or 1 as a is less than, equal to or more than b.
func (a Amount) Cmp(b Amount) int { return a.int().Cmp(b.int()) }

// Sign returns -1, 0 or 1.
func (a Amount) Sign() int { return a.int().Sign() }

// Add returns a + b.
func (a Amount) Add(b Amount) Amount { return Amount{new(big.Int).Add(a.int(), b.int())} }

// Sub returns a - b.
func (a Amount) Sub(b Amount) Amount { return Amount{new(big.Int).Sub(a.int(), b.int())} }

// OrZero returns a, or 0 if a is less.
func (a Amount) OrZero() Amount {
	if a.Sign() < 0 {
		return Amount{}
	}
	return a
}

// Times returns a * n.
func (a Amount) Times(n int64) Amount {
	return Amount{new(big.Int).Mul(a.int(), big.NewInt(n))}
}

// Equal lets go-cmp compare amounts by value.
func (a Amount) Equal(b Amount) bool { return a.Cmp(b) == 0 }

// MarshalText prints amounts as strings in JSON: many readers hold numbers in
// 53 bits.
func (a Amount) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText is strict as ParseAmount is.
func (a *Amount) UnmarshalText(b []byte) (err error) {
	*a, err = ParseAmount(string(b))
	return err
}

// Value stores the amount as a DECIMAL's text.
func (a Amount) Value() (driver.Value, error) { return a.String(), nil }

// Scan reads a DECIMAL(65,0).
func (a *Amount) Scan(src any) (err error) {
	switch v := src.(type) {
	case []byte:
		*a, err = ParseAmount(string(v))
	case string:
		*a, err = ParseAmount(v)
	case int64:
		*a = NewAmount(v)
	default:
		err = fmt.Errorf("payment: an amount can't be read from %T", src)
	}
	return err
}
