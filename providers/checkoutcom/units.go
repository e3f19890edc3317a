package checkoutcom

import "onceshop/payment"

// units are the decimals that Checkout.com counts each of its currencies in: it lists
// those with none and with three, and counts all others in hundredths. CLP isn't
// here: its rule is one that we haven't been able to confirm. Neither are those that
// have other decimals in ISO 4217 than two and aren't on its lists.
var units = payment.NewUnits(map[int]string{
	0: "BIF DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF",
	2: "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE CZK " +
		"DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL " +
		"MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD STN SVC SYP SZL " +
		"THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VES WST XCD YER ZAR ZMW",
	3: "BHD IQD JOD KWD LYD OMR TND",
})

var limits = payment.Limits{Digits: 9, ZeroThird: true}

// theirs is the amount as Checkout.com counts it, or why it can't be asked for exactly.
func theirs(m payment.Money) (payment.Amount, error) { return units.Ask(m, limits) }

// Takes tells whether Checkout.com can be asked for this much of this currency.
func (a *Adapter) Takes(m payment.Money) bool {
	_, err := theirs(m)
	return err == nil
}
