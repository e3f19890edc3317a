package stripe

import (
	"errors"
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
	3: "BHD JOD KWD OMR TND",
})

var limits = payment.Limits{Digits: 8, ZeroThird: true}

// theirs is the amount as Stripe counts it, or why it can't be asked for exactly.
func theirs(m payment.Money) (payment.Amount, error) {
	if m.Currency == "UGX" {
		// Stripe lists it without decimals and, elsewhere, with two. Reading the list
		// wrong would charge a hundredth of the price.
		return payment.Amount{}, errors.New("the decimals of UGX aren't certain")
	}
	return units.Ask(m, limits)
}

// Takes tells whether Stripe counts this much of this currency, exactly. What an
// account or a payment method takes less than that, Create is told.
func (a *Adapter) Takes(m payment.Money) bool {
	_, err := theirs(m)
	return err == nil
}

// currencyOf is a currency as we write it. Stripe writes small letters.
func currencyOf(s string) string { return strings.ToUpper(s) }
