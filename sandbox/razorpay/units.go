package razorpay

import (
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
	"onceshop/sandbox"
)

// units are Razorpay's.
var units = sandbox.Counting{
	Zero:  "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF",
	Three: "BHD IQD JOD KWD OMR TND",
}

// least is the smallest payment in paise.
var least = payment.NewAmount(100)

// ours is what a request counts in Razorpay's units, in the engine's.
func ours(raw jsontext.Value, currency string) (payment.Amount, error) {
	n, err := payment.ParseAmount(string(raw))
	if err != nil {
		return n, errors.New("amount, should be a whole number for e.g. 2234")
	}
	if currency == "INR" && n.Cmp(least) < 0 {
		return n, errors.New("amount: amount should be minimum 100 for INR")
	}
	return units.From(n, currency)
}

// minor is what all amounts are written as.
type minor = sandbox.Minor
