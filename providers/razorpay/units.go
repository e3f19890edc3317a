package razorpay

import (
	"errors"

	"onceshop/payment"
)

// units are the exponents of Razorpay's table of currencies.
var units = payment.NewUnits(map[int]string{
	0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF",
	2: "AED ALL AMD AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BZD CAD CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ETB EUR FJD " +
		"GBP GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR JMD KES KGS KHR KYD KZT LAK LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MUR MVR MWK " +
		"MXN MYR MZN NAD NGN NIO NOK NPR NZD PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SCR SEK SGD SOS SVC SZL THB TRY TTD TWD TZS UAH USD UYU " +
		"UZS XCD YER ZAR ZMW",
	3: "BHD IQD JOD KWD OMR TND",
})

var limits = payment.Limits{ZeroThird: true}

// least is the smallest payment in paise; Razorpay names none in other currencies.
var least = payment.NewAmount(100)

// Takes tells whether Razorpay can be asked for this much of this currency, to the
// last digit: money whose third decimal isn't 0 would be rounded.
func (a *Adapter) Takes(m payment.Money) bool {
	_, err := theirs(m)
	return err == nil
}

// theirs is the amount as Razorpay counts it, or why it can't be asked for exactly.
func theirs(m payment.Money) (payment.Amount, error) {
	n, err := units.Ask(m, limits)
	if err == nil && m.Currency == "INR" && n.Cmp(least) < 0 {
		return payment.Amount{}, errors.New("the amount is below one rupee")
	}
	return n, err
}
