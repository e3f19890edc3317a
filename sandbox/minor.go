package sandbox

import "onceshop/payment"

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
