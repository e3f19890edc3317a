package payment

import "github.com/bojanz/currency"

// Exponent returns how many decimals a currency's major unit has: 0 for JPY, 2
// for EUR, 3 for KWD, 6 for USDC, 18 for DAI. These are the digits of ISO 4217,
// which providers count in, not those a country likes to see on a price tag.
func Exponent(code string) (digits int, ok bool) {
	if digits, ok = tokenExponent(code); ok {
		return digits, true
	}
	iso, ok := currency.GetDigits(code)
	return int(iso), ok
}

// tokenExponent knows what ISO 4217 doesn't list: the decimals that a token's
// contract declares, of the tokens that payment providers take.
func tokenExponent(code string) (digits int, ok bool) {
	switch code {
	case "USDC", "USDT", "EURC", "PYUSD":
		return 6, true
	case "BTC":
		return 8, true
	case "DAI", "ETH", "USDS", "USDP":
		return 18, true
	}
	return 0, false
}
