package adyen

import (
	"onceshop/payment"
	"onceshop/sandbox"
)

// units are Adyen's, which differ from ISO 4217 for four currencies.
var units = sandbox.Counting{Zero: "CVE IDR", Two: "CLP ISK", ISO: true, Digits: 18}

// amount is money in Adyen's minor units.
type amount struct {
	Currency string        `json:"currency"`
	Value    sandbox.Minor `json:"value"`
}

// theirs is an amount of the engine's as Adyen counts it.
func theirs(a payment.Amount, currency string) amount { return amount{currency, units.To(a, currency)} }
