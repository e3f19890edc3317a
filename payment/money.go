package payment

import "github.com/bojanz/currency"

// Money is an amount together with what it is counted in.
type Money struct {
	Amount   Amount `json:"amount"`
	Currency string `json:"currency"`
}

// String is for logs and command lines: "2.950 KWD".
func (m Money) String() string { return m.Major() + " " + m.Currency }

// Format prints the amount as readers of the locale expect it: "¥5,800",
// "€49.00", "49,00 €". Where the locale has no sign for a currency, the code
// follows the number. Tokens show at least two decimals and never hide one that
// isn't zero. No amount is ever rounded: what the locale's formatter can't hold
// exactly is printed as Major prints it.
func (m Money) Format(locale string) string {
	const noBreakSpace = "\u00a0"
	major := m.Major()
	plain := major + noBreakSpace + m.Currency
	exponent, known := Exponent(m.Currency)
	if !known {
		return plain
	}
	l := currency.NewLocale(locale)
	f := currency.NewFormatter(l)
	f.MinDigits, f.MaxDigits = uint8(exponent), uint8(exponent)

	// A number's shape doesn't depend on its currency; one that the formatter
	// knows carries a token's.
	carrier := m.Currency
	if _, token := tokenExponent(m.Currency); token {
		carrier, f.MinDigits = "EUR", 2
	}
	number, err := currency.NewAmount(major, carrier)
	// It computes with 39 digits, beyond which it prints NaN, and turns to
	// powers of ten below 0.000001.
	if err != nil || number.RoundTo(f.MaxDigits, f.RoundingMode).Number() != major {
		return plain
	}
	if sign, _ := currency.GetSymbol(m.Currency, l); sign != "" && sign != m.Currency {
		return f.Format(number)
	}
	f.CurrencyDisplay = currency.DisplayNone
	return f.Format(number) + noBreakSpace + m.Currency
}
