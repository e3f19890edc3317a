package razorpay

import (
	"errors"
	"strings"

	"onceshop/payment"
)

// units are the exponents of Razorpay's table of currencies. Of its three decimals
// the last has to be 0.
var units = payment.NewUnits(map[int]string{
	0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF",
	2: "AED ALL AMD AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BZD CAD CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ETB EUR FJD " +
		"GBP GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR JMD KES KGS KHR KYD KZT LAK LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MUR MVR MWK " +
		"MXN MYR MZN NAD NGN NIO NOK NPR NZD PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SCR SEK SGD SOS SVC SZL THB TRY TTD TWD TZS UAH USD UYU " +
		"UZS XCD YER ZAR ZMW",
	3: "BHD IQD JOD KWD OMR TND",
})

// least is the smallest payment in paise; Razorpay names none in other currencies.
var least = payment.NewAmount(100)

// Takes tells whether Razorpay can be asked for this much of this currency, to the
// last digit: money whose third decimal isn't 0 would be rounded.
func (a *Adapter) Takes(m payment.Money) bool {
	_, err := asked(m)
	return err == nil
}

// asked is an amount as Razorpay counts it.
func asked(m payment.Money) (payment.Amount, error) {
	theirs, err := units.To(m)
	switch {
	case err != nil:
		return theirs, err
	case theirs.Sign() <= 0:
		return theirs, errors.New("the amount isn't positive")
	case units[m.Currency] == 3 && !strings.HasSuffix(theirs.String(), "0"):
		return theirs, errors.New("the last of three decimals isn't 0")
	case m.Currency == "INR" && theirs.Cmp(least) < 0:
		return theirs, errors.New("the amount is below one rupee")
	}
	return theirs, nil
}
