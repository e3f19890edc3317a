package stripe

import "onceshop/sandbox"

// units are Stripe's. Iceland's krónur have two decimals, and must be whole ones.
var units = sandbox.Counting{
	Zero:   "BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF",
	Two:    "ISK",
	Three:  "BHD JOD KWD OMR TND",
	Digits: 8,
}

// minor is what all amounts are written as.
type minor = sandbox.Minor
