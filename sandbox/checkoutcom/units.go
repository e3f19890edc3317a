package checkoutcom

import "onceshop/sandbox"

// units are Checkout.com's.
var units = sandbox.Counting{
	Zero:   "BIF DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF",
	Three:  "BHD IQD JOD KWD LYD OMR TND",
	Digits: 9,
}

// minor is what all amounts are written as.
type minor = sandbox.Minor
