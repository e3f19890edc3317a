package checkoutcom

import (
	"errors"
	"fmt"
	"strings"

	"onceshop/payment"
)

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

// maxDigits is how long an amount may be.
const maxDigits = 9

// asked returns what Checkout.com is to be asked for, or why it can't be.
func asked(m payment.Money) (payment.Amount, error) {
	theirs, err := units.To(m)
	digits := theirs.String()
	switch {
	case err != nil:
		return theirs, err
	case theirs.Sign() <= 0:
		return theirs, errors.New("the amount isn't positive")
	case len(digits) > maxDigits:
		return theirs, fmt.Errorf("the amount has more than %d digits", maxDigits)
	case units[m.Currency] == 3 && !strings.HasSuffix(digits, "0"):
		return theirs, fmt.Errorf("the last of the three decimals of %s has to be 0", m.Currency)
	}
	return theirs, nil
}

// Takes tells whether Checkout.com can be asked for this much of this currency.
func (a *Adapter) Takes(m payment.Money) bool {
	_, err := asked(m)
	return err == nil
}
