package checkout

import (
	"time"

	"onceshop/fulfillment"
	"onceshop/payment"
	"onceshop/store/db"
)

// Explain reports, clause by clause, why an order is or isn't delivered now.
func Explain(o db.Order, payments []db.Payment, now time.Time) []payment.Clause {
	return fulfillment.CanFulfill(fulfillment.FactsOf(o, payments, payment.Amount{}, now))
}
