package payment

import (
	"fmt"
	"strings"
)

// maxDigits is what the database's DECIMAL(65,0) holds.
const maxDigits = 65

// ParseMajor reads an amount that a person typed in the currency's major unit,
// "2.950" for 2950 fils, exactly. What would have to be guessed or rounded is
// refused: more decimals than the currency has, a comma, which is a decimal
// sign here and a thousands sign there. Zero and negative amounts are the
// caller's business.
func ParseMajor(code, typed string) (Amount, error) {
	exponent, ok := Exponent(code)
	if !ok {
		return Amount{}, fmt.Errorf("%q is not a currency we know", code)
	}
	s := strings.TrimSpace(typed)
	unsigned, negative := strings.CutPrefix(s, "-")
	whole, decimals, point := strings.Cut(unsigned, ".")
	switch {
	case strings.Contains(s, ","):
		return Amount{}, fmt.Errorf("%q: write a point before the decimals and nothing between thousands", typed)
	case !allDigits(whole), point && !allDigits(decimals):
		return Amount{}, fmt.Errorf("%q is not an amount: write digits, like %s", typed, sample(exponent))
	case point && exponent == 0:
		return Amount{}, fmt.Errorf("%q: %s has no decimals", typed, code)
	case len(decimals) > exponent:
		return Amount{}, fmt.Errorf("%q: %s has at most %d decimals", typed, code, exponent)
	}
	digits := strings.TrimLeft(whole+decimals+strings.Repeat("0", exponent-len(decimals)), "0")
	switch {
	case digits == "":
		return Amount{}, nil
	case len(digits) > maxDigits:
		return Amount{}, fmt.Errorf("the amount is longer than %d digits", maxDigits)
	case negative:
		digits = "-" + digits
	}
	return ParseAmount(digits)
}

// Major prints the amount in the currency's major unit with all its decimals,
// without grouping and in no language: "2.950". ParseMajor reads it back. Of a
// currency we don't know it is the number of minor units.
func (m Money) Major() string {
	exponent, _ := Exponent(m.Currency)
	s := m.Amount.String()
	if exponent == 0 {
		return s
	}
	digits, negative := strings.CutPrefix(s, "-")
	if short := exponent + 1 - len(digits); short > 0 {
		digits = strings.Repeat("0", short) + digits
	}
	point := len(digits) - exponent
	s = digits[:point] + "." + digits[point:]
	if negative {
		s = "-" + s
	}
	return s
}

func allDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// sample is a number to show to who typed something else.
func sample(exponent int) string {
	if exponent == 0 {
		return "1500"
	}
	return "15." + strings.Repeat("0", min(exponent-1, 2)) + "5"
}
