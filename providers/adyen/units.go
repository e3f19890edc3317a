package adyen

import "onceshop/payment"

// units are the decimals that Adyen counts each of its currencies in: those of ISO
// 4217, but for four. The pesos of Chile and the krónur of Iceland have two decimals
// here, the escudos of Cape Verde and the rupiah of Indonesia none.
var units = payment.NewUnits(map[int]string{
	0: "CVE DJF GNF IDR JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF",
	2: "AED ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BWP BYN BZD CAD CHF CLP CNY COP CRC CUP CZK DKK DOP DZD " +
		"EGP ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF ILS INR ISK JMD KES KGS KHR KYD KZT LAK LBP LKR MAD MDL " +
		"MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD SAR SBD SCR SEK " +
		"SGD SHP SLE SOS SRD STN SVC SZL THB TOP TRY TTD TWD TZS UAH USD UYU UZS WST XCD YER ZAR ZMW",
	3: "BHD IQD JOD KWD LYD OMR TND",
})

// limits keep an amount within what Adyen's own whole numbers hold.
var limits = payment.Limits{Digits: 18}

// theirs is the amount as Adyen counts it, or why it can't be asked for exactly.
func theirs(m payment.Money) (payment.Amount, error) { return units.Ask(m, limits) }

// Takes tells whether Adyen counts this much of this currency, exactly.
func (a *Adapter) Takes(m payment.Money) bool {
	_, err := theirs(m)
	return err == nil
}

// ours is the amount of an item in our minor units; nil if it has none that we can
// count.
func ours(n payment.Amount, given bool, currency string) *payment.Amount {
	amount, err := units.From(n, currency)
	if !given || err != nil {
		return nil
	}
	return &amount
}
