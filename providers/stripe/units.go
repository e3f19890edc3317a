package stripe

import (
	"errors"
	"fmt"
	"strings"

	"onceshop/payment"
)

// units are the decimals that Stripe counts each of its currencies in. All are
// those of ISO 4217 but for the krónur of Iceland, which lost their decimals
// everywhere else, and the ariary, which has none here. Currencies that are no
// longer money (ANG, BGN, STD) are missing.
var units = payment.NewUnits(map[int]string{
	0: "BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF",
	2: "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CNY COP CRC CVE CZK " +
		"DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR ISK JMD KES KGS KHR KYD KZT " +
		"LAK LBP LKR LRD LSL MAD MDL MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR " +
		"PLN QAR RON RSD RUB SAR SBD SCR SEK SGD SHP SLE SOS SRD SZL THB TJS TOP TRY TTD TWD TZS UAH USD UYU UZS WST XCD " +
		"XCG YER ZAR ZMW",
	threeDecimals: "BHD JOD KWD OMR TND",
})

// threeDecimals is where the last digit has to be 0: card networks don't take it.
const threeDecimals = 3

// maxDigits is how long an amount may be.
const maxDigits = 8

// theirs is the amount as Stripe counts it, or why it can't be asked for exactly.
func theirs(m payment.Money) (payment.Amount, error) {
	n, err := units.To(m)
	switch {
	case err != nil:
		return n, err
	case m.Amount.Sign() <= 0:
		return n, errors.New("the amount isn't positive")
	case units[m.Currency] == threeDecimals && !strings.HasSuffix(n.String(), "0"):
		return n, fmt.Errorf("the last decimal of %s has to be 0", m.Currency)
	case len(n.String()) > maxDigits:
		return n, fmt.Errorf("the amount has more than %d digits", maxDigits)
	case m.Currency == "UGX":
		// Stripe lists it without decimals and, elsewhere, with two. Reading the list
		// wrong would charge a hundredth of the price.
		return n, errors.New("the decimals of UGX aren't certain")
	}
	return n, nil
}

// Takes tells whether Stripe counts this much of this currency, exactly. What an
// account or a payment method takes less than that, Create is told.
func (a *Adapter) Takes(m payment.Money) bool {
	_, err := theirs(m)
	return err == nil
}

// currencyOf is a currency as we write it. Stripe writes small letters.
func currencyOf(s string) string { return strings.ToUpper(s) }
